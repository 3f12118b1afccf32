#!/usr/bin/env python3
"""Pictures of the same changes as mvdiff, delta, difftastic, git and GNU diff show them.

    beside.py MVDIFF DELTA DIFFT OUT [NAME=REPO:COMMIT...]

Writes OUT/NAME-TOOL.svg, the first rows of each, and prints how many rows each tool takes. A program
that is not there (-) has no pictures.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

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


def trees(repo, commit):
    """What GNU diff says of the files of a commit, in two directories."""
    with tempfile.TemporaryDirectory() as folder:
        names = run(["git", "diff-tree", "-r", "--no-commit-id", "--name-only", "--no-renames", "-z", commit], repo)
        for side, revision in (("old", f"{commit}^"), ("new", commit)):
            for name in names.decode().split("\0")[:-1]:
                text = run(["git", "show", f"{revision}:{name}"], repo)
                if text:
                    path = pathlib.Path(folder, side, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(text)
                    # The times are in the output.
                    os.utime(path, (0, 0))
        return run(["diff", "-ruN", "--color=always", "old", "new"], folder, TZ="UTC")


def main():
    mvdiff, delta, difft = (os.path.abspath(name) if name != "-" else None for name in sys.argv[1:4])
    out = os.path.abspath(sys.argv[4])
    for case in sys.argv[5:]:
        name, place = case.split("=", 1)
        repo, commit = place.rsplit(":", 1)
        show = ["git", "show", "--format=", "-M"]
        patch = run([*show, commit], repo)
        shown = {"git": run([*show, "--color=always", commit], repo), "diff": trees(repo, commit)}
        if mvdiff:
            shown["mvdiff"] = run([mvdiff, "--color=always", "--theme=dark", "--no-pager", f"--width={WIDTH}"], repo,
                                  patch)
        if delta:
            shown["delta"] = run([delta, "--paging=never", "--dark", "--line-numbers", f"--width={WIDTH}",
                                  "--wrap-max-lines=unlimited"], repo, patch)
        if difft:
            # It compares files, so git calls it for each.
            shown["difftastic"] = run([*show, "--ext-diff", commit], repo, GIT_EXTERNAL_DIFF=difft,
                                      DFT_COLOR="always", DFT_BACKGROUND="dark", DFT_WIDTH=str(WIDTH))
        for tool, text in shown.items():
            picture(text, f"{out}/{name}-{tool}.svg")
        rows = ", ".join(f"{tool} {len(text.splitlines())}" for tool, text in shown.items())
        print(f"{name} {commit}: {rows}")


if __name__ == "__main__":
    main()
