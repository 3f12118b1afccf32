#!/usr/bin/env python3
"""Predictions of `mvdiff effective` for movebench cases, and the replay of each: run_mvdiff.py BIN CASES OUT.json

Moves and the final base alignment (`kept`) come from the report, so that moving A over B and B over A count alike.
OUT.json.replay says how many cases replay byte for byte.
"""

import json
import os
import subprocess
import sys
import tempfile

binary, cases, out = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
pred, bad = {}, []


def files(d):
    r = {}
    for dp, _, fn in os.walk(d):
        for f in fn:
            p = os.path.join(dp, f)
            r[os.path.relpath(p, d)] = open(p, "rb").read()
    return r


for cid in sorted(os.listdir(cases)):
    d = os.path.join(cases, cid)
    if not os.path.exists(d + "/truth.json"):
        continue
    r = subprocess.run(
        [
            binary,
            "effective",
            "--copies",
            "--old",
            d + "/old",
            "--new",
            d + "/new",
            "--format",
            "json",
            d + "/diff.patch",
        ],
        capture_output=True,
    )
    if r.returncode:
        bad.append(f"{cid}: exit {r.returncode} {r.stderr.decode(errors='replace')[:120]}")
        continue
    j = json.loads(r.stdout)
    moves = []
    for m in j["moves"]:
        moves.append(
            dict(
                src_file=m["source_file"],
                dst_file=m["target_file"],
                src_start=m["source_lines"][0],
                src_end=m["source_lines"][1],
                dst_start=m["target_lines"][0],
                dst_end=m["target_lines"][1],
                pairs=[[o + i, n + i] for o, n, k in m["pairs"] for i in range(k)],
            )
        )
    old, new = files(d + "/old"), files(d + "/new")
    touched = {x["file"] for x in j.get("recipe") or []}
    kept = j["kept"] + [
        [g, 1, g, 1, t.count(b"\n") + 1] for g, t in new.items() if g not in touched and old.get(g) == t
    ]
    pred[cid] = {"moves": moves, "kept": kept}
    with tempfile.TemporaryDirectory() as tmp:
        open(tmp + "/r.json", "wb").write(r.stdout)
        subprocess.run(
            [binary, "replay", "--old", d + "/old", "--out", tmp + "/out", tmp + "/r.json"],
            capture_output=True,
        )
        got = files(tmp + "/out")
        wrong = [g for g, t in new.items() if old.get(g) != t and got.get(g) != t]
        if wrong:
            bad.append(f"{cid}: replay of {wrong[0]} differs")
json.dump(pred, open(out, "w"))
json.dump({"n": len(pred), "bad": bad}, open(out + ".replay", "w"))
for b in bad[:10]:
    print("  ", b, file=sys.stderr)
