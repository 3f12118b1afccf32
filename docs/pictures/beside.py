#!/usr/bin/env python3
"""Pictures of the same changes as mvdiff and delta show them.

    beside.py MVDIFF DELTA OUT [NAME=REPO:COMMIT...]

Writes OUT/NAME-mvdiff.svg and OUT/NAME-delta.svg, the first rows of each, and prints how many rows
each tool takes, with git's own diff and GNU diff's.
"""
import os
import pathlib
import re
import subprocess
import sys

WIDTH, ROWS = 100, 24
HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = dict(os.environ, COLORTERM="truecolor", TERM="xterm-256color", GIT_CONFIG_GLOBAL=os.devnull,
                   GIT_CONFIG_SYSTEM=os.devnull)


def run(words, cwd, given=b""):
    return subprocess.run(words, cwd=cwd, input=given, capture_output=True, env=ENVIRONMENT, check=False).stdout


def columns(line):
    return len(re.sub(r"\x1b\[[0-9;]*[mK]", "", line.decode(errors="replace")))


def picture(output, path):
    """The first rows; a line that is too long for the picture ends the tool's own way elsewhere, so it is cut."""
    rows = [line for line in output.split(b"\n")[:ROWS] if columns(line) <= WIDTH]
    with open(path, "wb") as out:
        subprocess.run([sys.executable, HERE / "ansi_svg.py", str(WIDTH)], input=b"\n".join(rows), stdout=out,
                       check=True)


def main():
    mvdiff, delta, out = sys.argv[1:4]
    for case in sys.argv[4:]:
        name, place = case.split("=", 1)
        repo, commit = place.rsplit(":", 1)
        patch = run(["git", "show", "--format=", "-M", commit], repo)
        ours = run([mvdiff, "--color=always", "--theme=dark", "--no-pager", f"--width={WIDTH}"], repo, patch)
        theirs = run([delta, "--paging=never", "--dark", "--line-numbers", f"--width={WIDTH}",
                      "--wrap-max-lines=unlimited"], repo, patch)
        picture(ours, f"{out}/{name}-mvdiff.svg")
        picture(theirs, f"{out}/{name}-delta.svg")
        rows = [text.count(b"\n") for text in (ours, theirs, patch)]
        print(f"| {name} | {commit} | {rows[0]} | {rows[1]} | {rows[2]} |")


if __name__ == "__main__":
    main()
