#!/usr/bin/env python3
"""Pictures of the same changes as mvdiff, delta and difftastic show them.

    beside.py MVDIFF DELTA DIFFT OUT [NAME=REPO:COMMIT...]

Writes OUT/NAME-TOOL.svg, the first rows of each, and prints how many rows each tool takes, with
git's own diff.
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


def run(words, cwd, given=b"", **variables):
    environment = ENVIRONMENT | variables
    return subprocess.run(words, cwd=cwd, input=given, capture_output=True, env=environment, check=False).stdout


def columns(line):
    return len(re.sub(r"\x1b\[[0-9;]*[mK]", "", line.decode(errors="replace")))


def picture(output, path):
    """The first rows; a line that is too long for the picture ends the tool's own way elsewhere, so it is cut."""
    rows = [line for line in output.split(b"\n")[:ROWS] if columns(line) <= WIDTH]
    with open(path, "wb") as out:
        subprocess.run([sys.executable, HERE / "ansi_svg.py", str(WIDTH)], input=b"\n".join(rows), stdout=out,
                       check=True)


def main():
    mvdiff, delta, difft, out = map(os.path.abspath, sys.argv[1:5])
    for case in sys.argv[5:]:
        name, place = case.split("=", 1)
        repo, commit = place.rsplit(":", 1)
        show = ["git", "show", "--format=", "-M"]
        patch = run([*show, commit], repo)
        ours = run([mvdiff, "--color=always", "--theme=dark", "--no-pager", f"--width={WIDTH}"], repo, patch)
        theirs = run([delta, "--paging=never", "--dark", "--line-numbers", f"--width={WIDTH}",
                      "--wrap-max-lines=unlimited"], repo, patch)
        # It compares files, so git calls it for each.
        trees = run([*show, "--ext-diff", commit], repo, GIT_EXTERNAL_DIFF=difft, DFT_COLOR="always",
                    DFT_BACKGROUND="dark", DFT_WIDTH=str(WIDTH))
        for tool, text in (("mvdiff", ours), ("delta", theirs), ("difftastic", trees)):
            picture(text, f"{out}/{name}-{tool}.svg")
        rows = " | ".join(str(text.count(b"\n")) for text in (ours, theirs, trees, patch))
        print(f"| {name} | {commit} | {rows} |")


if __name__ == "__main__":
    main()
