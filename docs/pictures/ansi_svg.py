#!/usr/bin/env python3
"""Turns what a program prints on a terminal, colours and all, into an SVG.

    ansi_svg.py COLUMNS < output > picture.svg

Every run of text is stretched to its columns, so that all fonts line up. The
same input gives the same bytes.
"""

import re
import sys
import unicodedata
from html import escape

CELL, LINE, MARGIN = 8.4, 19, 16
FONT = 14
BACKGROUND, FOREGROUND, FAINT = "#12161d", "#d5dbe5", "#7d8899"
ANSI = ["#12161d", "#f2777a", "#8fd07f", "#e6c370", "#6ea8f0", "#c79be8", "#5fc9d8", FOREGROUND]


def columns(text):
    """How many columns a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)


class Style:
    """What the escape codes so far ask for."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.fill = self.ground = None
        self.bold = self.faint = self.underline = self.reverse = False

    def take(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.faint = True
            elif code == 4:
                self.underline = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = self.faint = False
            elif code in (24, 27):
                self.underline = self.underline and code != 24
                self.reverse = self.reverse and code != 27
            elif code == 39:
                self.fill = None
            elif code == 49:
                self.ground = None
            elif code in (3, 23):
                pass  # Slanted or not: the picture has one shape of letters.
            elif 30 <= code <= 37:
                self.fill = ANSI[code - 30]
            elif 90 <= code <= 97:
                self.fill = ANSI[code - 90]
            elif 40 <= code <= 47:
                self.ground = ANSI[code - 40]
            elif code in (38, 48) and codes[:1] == [5]:
                colour = of_table(codes[1])
                if code == 38:
                    self.fill = colour
                else:
                    self.ground = colour
                del codes[:2]
            elif code in (38, 48) and codes[:1] == [2]:
                colour = "#%02x%02x%02x" % tuple(codes[1:4])
                if code == 38:
                    self.fill = colour
                else:
                    self.ground = colour
                del codes[:4]
            else:
                sys.exit(f"ansi_svg: code {code} is not known here; teach it to Style.take")

    def behind(self):
        """What is painted behind a text."""
        return (self.fill or FOREGROUND) if self.reverse else self.ground

    def attributes(self):
        fill = self.fill or (FAINT if self.faint else FOREGROUND)
        if self.reverse:
            fill = self.ground or BACKGROUND
        said = f' fill="{fill}"' if fill != FOREGROUND else ""
        said += ' font-weight="bold"' if self.bold else ""
        return said + (' text-decoration="underline"' if self.underline else "")


def of_table(number):
    """A colour of the table of 256."""
    if number < 16:
        return ANSI[number % 8]
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return "#%02x%02x%02x" % (grey, grey, grey)
    step = lambda digit: 55 + 40 * digit if digit else 0
    number -= 16
    return "#%02x%02x%02x" % (step(number // 36), step(number // 6 % 6), step(number % 6))


def main():
    width = int(sys.argv[1])
    text = re.sub(r"\x1b\](?:[^\x07\x1b]|\x1b(?!\\))*(?:\x07|\x1b\\)", "", sys.stdin.read())
    lines = text.expandtabs(8).rstrip("\n").split("\n")
    size = (width * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN)
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:g} {size[1]:g}" '
        f'width="{size[0]:g}" height="{size[1]:g}" role="img" '
        'aria-label="What mvdiff prints on a terminal">'
    )
    print(f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>')
    print(
        f'<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
        f'font-size="{FONT}" fill="{FOREGROUND}">'
    )
    style = Style()
    for row, line in enumerate(lines):
        top = MARGIN + row * LINE
        at = 0
        grounds, texts = [], []
        for index, part in enumerate(re.split(r"\x1b\[([0-9;]*[mK])", line)):
            if index % 2 and part.endswith("K"):
                # The rest of the line, in the colour that holds.
                if style.ground and at < width:
                    left = MARGIN + at * CELL
                    grounds.append(
                        f'<rect x="{left:g}" y="{top}" width="{(width - at) * CELL:g}" height="{LINE}" fill="{style.ground}"/>'
                    )
                continue
            if index % 2:
                style.take(part[:-1])
                continue
            taken = columns(part)
            left, wide = MARGIN + at * CELL, taken * CELL
            at += taken
            if style.behind() and part:
                grounds.append(
                    f'<rect x="{left:g}" y="{top}" width="{wide:g}" height="{LINE}" fill="{style.behind()}"/>'
                )
            # Blanks would be drawn as one, however many there are.
            for words in re.finditer(r"\S+( \S+)*", part):
                start = left + columns(part[: words.start()]) * CELL
                wide = columns(words[0]) * CELL
                texts.append(
                    f'<text x="{start:g}" y="{top + FONT}" textLength="{wide:g}" '
                    f'lengthAdjust="spacingAndGlyphs"{style.attributes()}>{escape(words[0])}</text>'
                )
        if at > width:
            sys.exit(f"ansi_svg: line {row + 1} takes {at} columns, more than {width}")
        for thing in grounds + texts:
            print(thing)
    print("</g>\n</svg>")


main()
