#!/usr/bin/env python3
"""What does comparing trees cost, beside git? trees.py MVDIFF OLD NEW... [-o docs/benchmarks.md]

CPU time of `mvdiff diff OLD NEW` as a patch and as JSON with moves, as a multiple of
`git diff --no-index --stat -M` of the same trees in the same run, and whether both see
the same files: their paths, renames and lengths. OLD NEW may be followed by more pairs.
-o writes the part `trees` of a page.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import page

NOTE = """\
`bench/trees.py`: each process a fresh one, output to a file, in turn, {runs} rounds, medians \
of user and system time, as multiples of `git diff --no-index --stat -M` of the same trees. \
Files: those that differ, and how many were renamed; paths and renames are the same as git's \
unless a number in brackets says how many are not. Lines: `-` and `+` lines of `--format \
unified` beside those of `git diff --no-index -M`. Replayed: the new tree from the old one and \
the JSON report (`mvdiff replay`), byte for byte; applied: the patch by `git apply`."""


def run(command, out, codes=(0, 1)):
    """User and system time of one process."""
    with open(out, "wb") as file:
        child = subprocess.Popen(command, stdout=file, stderr=subprocess.DEVNULL,
                                 env=dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, LC_ALL="C"))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        sys.exit(f"{' '.join(map(str, command))}: exit {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def files(patch, roots):
    """The heads of a patch without the roots that git puts into them, and its lines."""
    heads, count, left = collections.Counter(), 0, [0, 0]
    for line in patch.read_bytes().split(b"\n"):
        if max(left) > 0:
            count += line[:1] in (b"-", b"+")
            left[0] -= line[:1] in (b"-", b" ")
            left[1] -= line[:1] in (b"+", b" ")
        elif line.startswith(b"diff --git "):
            for root in roots:
                line = line.replace(os.fsencode(root).lstrip(b"/") + b"/", b"")
            heads[line] += 1
        elif hunk := re.match(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line):
            left = [int(hunk[1] or 1), int(hunk[2] or 1)]
    return heads, count


def same(a, b):
    return subprocess.run(["diff", "-r", "--no-dereference", a, b], stdout=subprocess.DEVNULL).returncode == 0


def row(mvdiff, old, new, runs, work):
    roots = [old, new]
    commands = {
        "stat": ["git", "diff", "--no-index", "--stat", "-M", *roots],
        "git": ["git", "diff", "--no-index", "-M", *roots],
        "patch": [mvdiff, "diff", "--format", "unified", *roots],
        "json": [mvdiff, "diff", "--format", "json", *roots],
    }
    times = collections.defaultdict(list)
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(run(command, work / name))
    limit = statistics.median(times["stat"])
    ratio = lambda name: f"{statistics.median(times[name]) / limit:.2f}"
    (theirs, their_lines), (ours, our_lines) = files(work / "git", roots), files(work / "patch", roots)
    report = json.loads((work / "json").read_bytes())
    unlike = sum(((theirs - ours) + (ours - theirs)).values())
    for copy in ("replayed", "applied"):
        subprocess.run(["cp", "-a", old, work / copy], check=True)
    run([mvdiff, "replay", "--old", old, "--out", work / "replayed", work / "json"], os.devnull, (0,))
    subprocess.run(["git", "apply", "--whitespace=nowarn", work / "patch"], cwd=work / "applied",
                   env=dict(os.environ, GIT_CEILING_DIRECTORIES=str(work)), check=False)
    yes = lambda copy: "yes" if same(work / copy, new) else "no"
    counts = report["stats"]["files"]
    return [f"{new.name or new}", f"{len(report['files']):,}, {counts['renamed']} renamed" + (f" ({unlike})" if unlike else ""),
            len(report["moves"]), f"{our_lines:,} / {their_lines:,}", ratio("patch"), ratio("json"), ratio("git"),
            yes("replayed"), yes("applied")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mvdiff", type=pathlib.Path)
    parser.add_argument("trees", type=pathlib.Path, nargs="+", metavar="OLD NEW")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--names", default="", help="what to call the pairs, with commas between")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    args = parser.parse_args()
    if len(args.trees) % 2:
        parser.error("give pairs of trees")
    rows = []
    for number, (old, new) in enumerate(zip(args.trees[::2], args.trees[1::2])):
        with tempfile.TemporaryDirectory() as work:
            found = row(args.mvdiff.resolve(), old.resolve(), new.resolve(), args.runs, pathlib.Path(work))
        names = args.names.split(",")
        rows.append([names[number] if number < len(names) and names[number] else found[0], *found[1:]])
    head = ["trees", "files", "moves", "lines, ours / git", "patch", "JSON", "git's patch", "replayed", "applied"]
    part = page.table(head, rows) + "\n\n" + NOTE.format(runs=args.runs)
    if args.output:
        page.put(args.output, "trees", "Trees, beside git", part)
    print(part)


if __name__ == "__main__":
    main()
