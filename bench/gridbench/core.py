#!/usr/bin/env python3
"""Scores predict-grid on generated tables with known truth, upright and on their side.

cargo build --release -p mvdiff-tests
bench/gridbench/core.py --bin target/release/predict-grid [-v]
"""

import argparse
import json
import subprocess
import sys

from gridbench import make_case

KINDS = [
    "exact_move",
    "fuzzy_move",
    "multi_move",
    "move_and_noise",
    "in_place",
    "insert_remove",
    "col_move",
    "col_add",
]


def dense(cells, rows, cols):
    grid = [[None] * cols for _ in range(rows)]
    for (r, c), value in cells.items():
        grid[r][c] = value
    return grid


def score(truth, found):
    """What is right and wrong in one prediction."""
    true_moves, moves = set(), set()
    for axis in ("rows", "cols"):
        true_moves |= {(axis, *p) for block in truth["moved_" + axis] for p in block}
        moves |= {(axis, *p) for block in found[axis]["moved"] for p in block}
    lines = [
        (found[axis][what], truth[f"{what}_{axis}"])
        for axis in ("rows", "cols")
        for what in ("added", "removed")
    ]
    # An edited cell of an added line is part of the added line.
    fresh = lambda r, c: r in truth["added_rows"] or c in truth["added_cols"]
    edits, true_edits = (
        {tuple(e) for e in found["edits"]},
        {tuple(e) for e in truth["edits"] if not fresh(*e)},
    )
    blocks = len(found["rows"]["moved"]) + len(found["cols"]["moved"])
    ideal = (
        len(truth["moved_rows"]) + len(truth["moved_cols"]) + len(true_edits) + sum(len(t) for _, t in lines)
    )
    return dict(
        cases=1,
        tp=len(moves & true_moves),
        fp=len(moves - true_moves),
        fn=len(true_moves - moves),
        lines_right=int(all(f == t for f, t in lines)),
        edits_right=int(edits == true_edits),
        ops=blocks + len(edits) + sum(len(f) for f, _ in lines),
        ideal=ideal,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seeds", nargs="*", type=int, default=[1, 2, 3])
    parser.add_argument("--per-kind", type=int, default=10)
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("-v", action="store_true", help="name every case that is not all right")
    args = parser.parse_args()

    cases = []
    for transpose in (False, True):
        for kind in args.kinds:
            for seed in (s * 1000 + i for s in args.seeds for i in range(args.per_kind)):
                old, new, truth = make_case(seed, kind)
                ro, co, rn, cn = truth["shape"]
                case = dict(old=dense(old, ro, co), new=dense(new, rn, cn), transpose=transpose)
                cases.append((kind, seed, transpose, truth, json.dumps(case)))
    lines = "".join(case[-1] + "\n" for case in cases)
    out = subprocess.run([args.bin], input=lines, capture_output=True, text=True, check=True).stdout

    totals, wrong = {}, []
    for (kind, seed, transpose, truth, _), line in zip(cases, out.splitlines(), strict=True):
        found = json.loads(line)
        got = score(truth, found)
        total = totals.setdefault((transpose, kind), dict.fromkeys(got, 0))
        for key, value in got.items():
            total[key] += value
        if (
            got["fp"]
            or got["fn"]
            or got["ops"] > got["ideal"]
            or not got["lines_right"]
            or not got["edits_right"]
        ):
            wrong.append(f"{kind} {seed}{' on its side' if transpose else ''}: {got}")
    good = True
    for (transpose, kind), t in totals.items():
        precision = t["tp"] / max(1, t["tp"] + t["fp"]) if t["tp"] + t["fp"] else 1.0
        recall = t["tp"] / max(1, t["tp"] + t["fn"]) if t["tp"] + t["fn"] else 1.0
        good &= (
            precision >= 0.98 and recall >= 0.98 and t["ops"] <= t["ideal"] and t["lines_right"] == t["cases"]
        )
        print(
            f"{'side   ' if transpose else 'upright'} {kind:15} moves P {precision:.3f} R {recall:.3f}  "
            f"added/removed {t['lines_right']}/{t['cases']}  edits {t['edits_right']}/{t['cases']}  "
            f"ops {t['ops']} ideal {t['ideal']}"
        )
    if args.v:
        print("\n".join(wrong))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
