#!/usr/bin/env python3
"""predictions from git diff --color-moved.  run_git.py CASES OUT --mode zebra [--ws allow-indentation-change] [--algo histogram]"""

import argparse
import json
import os
import re
import subprocess

a = argparse.ArgumentParser()
a.add_argument("cases")
a.add_argument("out")
a.add_argument("--mode", default="zebra")
a.add_argument("--ws")
a.add_argument("--algo")
a = a.parse_args()
C = [
    "-c",
    "color.diff.old=red",
    "-c",
    "color.diff.new=green",
    "-c",
    "color.diff.oldMoved=magenta",
    "-c",
    "color.diff.newMoved=cyan",
    "-c",
    "color.diff.oldMovedAlternative=blue",
    "-c",
    "color.diff.newMovedAlternative=yellow",
    "-c",
    "color.diff.context=normal",
    "-c",
    "color.diff.meta=normal",
    "-c",
    "color.diff.frag=normal",
    "-c",
    "color.diff.func=normal",
    "-c",
    "core.whitespace=-trailing-space,-space-before-tab,-blank-at-eof",
    "-c",
    "color.diff.whitespace=normal",
]
MV = {"35", "36", "34", "33"}
res = {}
for cid in sorted(os.listdir(a.cases)):
    d = os.path.join(a.cases, cid)
    cmd = (
        ["git"]
        + C
        + ["diff", "--no-index", "--color=always", "--no-ext-diff", "--color-moved=" + a.mode]
        + (["--color-moved-ws=" + a.ws] if a.ws else [])
        + (["--diff-algorithm=" + a.algo] if a.algo else [])
        + ["old", "new"]
    )
    out = subprocess.run(cmd, cwd=d, capture_output=True).stdout.decode("utf-8", "replace")
    mk = {"old": {}, "new": {}}
    f = g = None
    left = (0, 0)
    o = n = 0
    R, A = set(), set()
    for raw in out.split("\n"):
        m = re.match(r"^(?:\x1b\[m)?\x1b\[(\d+)m", raw)
        col = m[1] if m else None
        l = re.sub(r"\x1b\[[0-9;]*[mK]", "", raw)
        if left[0] > 0 or left[1] > 0:
            x, y = left
            if l.startswith("-"):
                if col in MV:
                    mk["old"].setdefault(f, []).append(o)
                R.add((f, o))
                o += 1
                left = (x - 1, y)
            elif l.startswith("+"):
                if col in MV:
                    mk["new"].setdefault(g, []).append(n)
                A.add((g, n))
                n += 1
                left = (x, y - 1)
            elif not l.startswith("\\"):
                o += 1
                n += 1
                left = (x - 1, y - 1)
            continue
        if l.startswith("--- "):
            f = l[4:].removeprefix("a/").removeprefix("old/")
        elif l.startswith("+++ "):
            g = l[4:].removeprefix("b/").removeprefix("new/")
        h = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", l)
        if h:
            o, n = int(h[1]), int(h[3])
            left = (int(h[2] or 1), int(h[4] or 1))
    res[cid] = {"marked": mk, "moves": []}
json.dump(res, open(a.out, "w"))
