#!/usr/bin/env python3
"""Scores the moves of `mvdiff diff` on two files: run_diff.py --bin mvdiff CASES [-o predictions.json]

CASES is a folder that gen.py made. Only cases whose moves stay within one file are taken, as
editors compare files: each file is compared with the file of the same path. Prints the scorer's
table; the line SAME-FILE sums up all of them.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from score import SAME


HERE = pathlib.Path(__file__).resolve().parent


def loose(first, end, changes, side):
    """The lines from first up to end that no change touches."""
    touched = {line for change in changes for line in range(*change[side])}
    return [line for line in range(first, end) if line not in touched]


def answer(report, path):
    """What a report says: moves with their surviving pairs, and runs that stayed."""
    moves, gone, come = [], set(), set()
    for move in report["moves"]:
        old = (move["original_line_start"], move["original_line_end"] + 1)
        new = (move["modified_line_start"], move["modified_line_end"] + 1)
        gone |= set(range(*old))
        come |= set(range(*new))
        survivors = (loose(*old, move["changes"], "original"), loose(*new, move["changes"], "modified"))
        moves.append(
            {
                "src_file": path,
                "src_start": old[0],
                "src_end": old[1] - 1,
                "dst_file": path,
                "dst_start": new[0],
                "dst_end": new[1] - 1,
                "pairs": [list(pair) for pair in zip(*survivors, strict=True)],
            }
        )
    old = [n for n in loose(1, report["lines"][0] + 1, report["changes"], "original") if n not in gone]
    new = [n for n in loose(1, report["lines"][1] + 1, report["changes"], "modified") if n not in come]
    return moves, [[path, o, path, n, 1] for o, n in zip(old, new, strict=True)]


def paths(root):
    return {str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    args = parser.parse_args()
    predictions = {}
    for case in sorted(args.cases.iterdir()):
        truth = case / "truth.json"
        if not truth.exists() or json.loads(truth.read_bytes())["category"] not in SAME:
            continue
        moves, kept = [], []
        for path in sorted(paths(case / "old") & paths(case / "new")):
            ran = subprocess.run(
                [
                    args.bin,
                    "diff",
                    "--as",
                    "text",
                    "--format",
                    "json",
                    case / "old" / path,
                    case / "new" / path,
                ],
                capture_output=True,
            )
            if ran.returncode > 1:
                sys.exit(f"{case.name}: {ran.stderr.decode(errors='replace')}")
            found = answer(json.loads(ran.stdout), path)
            moves += found[0]
            kept += found[1]
        predictions[case.name] = {"moves": moves, "kept": kept}
    if not predictions:
        sys.exit(f"{args.cases}: holds no case of a move within a file; make some with gen.py")
    with tempfile.TemporaryDirectory() as folder:
        output = args.output or pathlib.Path(folder) / "predictions.json"
        output.write_text(json.dumps(predictions))
        sys.exit(
            subprocess.run(
                [
                    sys.executable,
                    HERE / "score.py",
                    args.cases,
                    output,
                    "--only",
                    ",".join(sorted(SAME)),
                ],
                env=os.environ,
            ).returncode
        )


if __name__ == "__main__":
    main()
