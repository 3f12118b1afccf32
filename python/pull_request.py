#!/usr/bin/env python3
"""A report of `mvdiff git --format json` as the comment of a pull request.

pull_request.py REPORT.json > comment.md
"""

import json
import sys

#: Blocks that are named; of more, only how many there are.
NAMED = 15


def text(value):
    """A path: a string, or base64 where it is not UTF-8."""
    return value if isinstance(value, str) else "(a path that is not UTF-8)"


def code(path):
    """A path as code; a backtick in it would end the code."""
    return "`" + path.replace("`", "'").replace("|", "\\|").replace("\n", " ") + "`"


def lines(span):
    first, last = span
    return f"{first}" if first == last else f"{first}–{last}"


def comment(report):
    counts = report["input"]
    changed = counts["added"] + counts["removed"]
    left = report["total_lines_effectively_changed"]
    # Lines that stayed are shown in the diff.
    blocks = [block for block in report["moves"] if block["kind"] != "stay"]
    out = ["### mvdiff", ""]
    if changed == 0:
        out.append("No lines changed.")
    elif not blocks:
        out.append(f"**{changed} lines changed**, and no block of them only moved.")
    else:
        share = 100 * left / changed
        out.append(f"**{left} of {changed} changed lines are left to read** ({share:.0f} %).")
    if blocks:
        out += ["", "| | from | to | lines | edited inside |", "|---|---|---|---|---|"]
        for block in blocks[:NAMED]:
            ends = [
                f"{code(text(block[f'{end}_file']))} {lines(block[f'{end}_lines'])}"
                for end in ("source", "target")
            ]
            what = {"move": "moved", "indent": "indented", "copy": "copied", "merge": "merged"}[
                block["kind"]
            ]
            row = [what, *ends, block["matched_lines"], block["effective_diff_lines"]]
            out.append("| " + " | ".join(map(str, row)) + " |")
        if len(blocks) > NAMED:
            out += ["", f"and {len(blocks) - NAMED} more blocks, on the page."]
    if not report["complete"]:
        out += ["", "Something was cut short or not found; the page says what."]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(comment(json.load(file)))
