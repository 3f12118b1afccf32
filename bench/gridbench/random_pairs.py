#!/usr/bin/env python3
"""Judges `mvdiff diff` on pairs of workbooks with changes of many kinds and a known truth.

    cargo run --release -p mvdiff-fixture-gen -- random --seed 1 --count 5 PAIRS
    bench/gridbench/random_pairs.py --bin target/release/mvdiff PAIRS [-v]

Every report is replayed by a judge that shares no code with the project, and every operation is compared
with the truth: none missing, none too many. Where several answers are right ("exact": false), the report must
replay and may have 5 % more operations than the truth.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

import gridbench


def fits(pattern, found):
    """Every field of the pattern that is not null is there and fits; lists fit item by item."""
    if pattern is None:
        return True
    if isinstance(pattern, dict):
        return isinstance(found, dict) and all(fits(v, found.get(k)) for k, v in pattern.items())
    if isinstance(pattern, list):
        return isinstance(found, list) and len(pattern) == len(found) and all(map(fits, pattern, found))
    return type(pattern) is not bool and type(found) is not bool and pattern == found or pattern is found


def unmatched(expected, found):
    rest, missing = list(found), []
    for pattern in expected:
        at = next((i for i, op in enumerate(rest) if fits(pattern, op)), None)
        if at is None:
            missing.append(pattern)
        else:
            rest.pop(at)
    return missing, rest


def cells(sheet):
    places = {address: gridbench.REF.fullmatch(address) for address in sheet}
    return {
        (int(m.group(4)) - 1, gridbench.col_index(m.group(2))): sheet[a].get("formula")
        or sheet[a].get("value")
        for a, m in places.items()
    }


def short(op):
    return json.dumps({k: f"{len(v)} cells" if k == "cells" else v for k, v in op.items()})


def judge(binary, folder):
    """What is wrong with the answer on one pair, and its figures."""
    truth = json.loads((folder / "truth.json").read_text())
    command = [binary, "diff", "--format", "json", folder / "old.xlsx", folder / "new.xlsx"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if ran.returncode not in (0, 1):
        return truth, [f"exit {ran.returncode}: {ran.stderr.strip()[:200]}"], {}
    report = json.loads(ran.stdout)
    here = [
        op for op in report["ops"] if op.get("sheet") == truth["sheet"] and not op["kind"].startswith("Sheet")
    ]
    verdict = gridbench.judge(cells(truth["old"]), cells(truth["new"]), truth, dict(report, ops=here))
    # Where several answers are right, which rectangle moved is no matter.
    wrong = [p for p in verdict["problems"] if truth["exact"] or not p.startswith("rects")]
    figures = dict(
        ops=len(report["ops"]),
        ideal=truth["ideal"],
        **{k: verdict[k] for k in ("move_tp", "move_fp", "move_fn")},
    )
    if truth["exact"]:
        missing, extra = unmatched(truth["ops"], report["ops"])
        wrong += [f"missing {short(op)}" for op in missing] + [f"not in truth {short(op)}" for op in extra]
    else:
        figures.update(move_tp=0, move_fp=0, move_fn=0)
        if figures["ops"] > 1.05 * truth["ideal"] + 1:
            wrong.append(f"{figures['ops']} operations for {truth['ideal']}")
    return truth, wrong, figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("-v", action="store_true", help="name what is wrong with every pair")
    parser.add_argument("pairs", type=pathlib.Path)
    args = parser.parse_args()

    kinds = collections.defaultdict(collections.Counter)
    for folder in sorted(path.parent for path in args.pairs.glob("*/truth.json")):
        truth, wrong, figures = judge(args.bin, folder)
        kinds[truth["kind"]].update(figures, pairs=1, right=int(not wrong))
        if args.v and wrong:
            print(f"{folder.name} ({', '.join(truth['did'][:6])}):", *wrong[:4], sep="\n    ")
    total = sum(kinds.values(), collections.Counter())
    for kind, k in [*kinds.items(), ("all", total)]:
        precision = k["move_tp"] / max(1, k["move_tp"] + k["move_fp"])
        recall = k["move_tp"] / max(1, k["move_tp"] + k["move_fn"])
        moves = (
            f"moves P {precision:.3f} R {recall:.3f}" if k["move_tp"] + k["move_fn"] + k["move_fp"] else ""
        )
        print(
            f"{kind:24} right {k['right']:4}/{k['pairs']:<4} ops {k['ops'] / max(1, k['ideal']):5.2f}x ideal  {moves}"
        )
    sys.exit(0 if total["pairs"] and total["right"] == total["pairs"] else 1)


if __name__ == "__main__":
    main()
