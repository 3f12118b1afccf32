#!/usr/bin/env python3
"""What comparing workbooks costs, beside reading them with calamine, and beside other tools.

    bench/grids.py MVDIFF CALAMINE_PASS WORK [--runs 5] [-o FILE]

MVDIFF and CALAMINE_PASS are built with `cargo build --release -p mvdiff -p mvdiff-bench`;
WORK gets the workbooks (about 60 MB). Needs xlsxwriter from PyPI; daff is measured if it
is on the PATH. Every ratio is of runs that took turns; the least CPU time counts.
"""
import argparse
import csv
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile

WORDS = "amber basalt cedar delta ember fjord grove harbor iris juniper kelp lumen maple nectar onyx".split()


def measure(command):
    """CPU seconds, wall seconds and most memory (bytes) of a command that may say 'different'."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit {child.returncode}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024


def in_turn(runs, commands):
    """The least of each figure, each command once a round."""
    best = [(float("inf"),) * 3] * len(commands)
    for _ in range(runs):
        for i, command in enumerate(commands):
            best[i] = tuple(map(min, best[i], measure(command)))
    return best


def row(rng, number, width):
    cells = [1000 + number]
    for c in range(1, width):
        kind = c % 5
        cells.append(f"{rng.choice(WORDS)} {rng.randrange(10**5)}" if kind == 1 else
                     round(rng.random() * 1000, 2) if kind == 2 else
                     rng.randrange(50) if kind == 3 else
                     rng.choice(["open", "closed", "pending"]) if kind == 4 else rng.randrange(10**6))
    return cells


def write(path, sheets, inline=False):
    import xlsxwriter
    book = xlsxwriter.Workbook(path, {"constant_memory": inline})
    for name, rows in sheets:
        sheet = book.add_worksheet(name)
        for r, cells in enumerate(rows):
            sheet.write_row(r, 0, cells)
    book.close()
    with open(path[:-5] + ".csv", "w", newline="") as out:
        csv.writer(out).writerows(sheets[0][1])


def pair(folder, name, rows, width, moved, inserted, edited):
    """Two workbooks of one sheet: a block moved, rows inserted, cells edited."""
    old, new = (os.path.join(folder, f"{name}-{side}.xlsx") for side in ("old", "new"))
    if not os.path.exists(new):
        rng = random.Random(name)
        table = [row(rng, i, width) for i in range(rows)]
        write(old, [("Data", table)])
        at = rows // 5
        block, rest = table[at:at + moved], table[:at] + table[at + moved:]
        changed = rest[:rows // 2] + block + rest[rows // 2:]
        changed = [list(cells) for cells in changed]
        for i in range(edited):
            changed[(i * 7919 + 13) % rows][2] = -1.5 - i
        for i in range(inserted):
            changed.insert((i * 104729 + 17) % rows, row(rng, rows + i, width))
        write(new, [("Data", changed)])
    return old, new


def ten_sheets(folder):
    """Ten sheets of which one changed; the parts of the others are the same bytes."""
    old, new = (os.path.join(folder, f"ten-{side}.xlsx") for side in ("old", "new"))
    if not os.path.exists(new):
        rng = random.Random("ten")
        sheets = [(f"S{n}", [row(rng, i, 20) for i in range(10000)]) for n in range(10)]
        write(old, sheets, inline=True)
        sheets[4][1][77][2] = -1.5
        write(new, sheets, inline=True)
    return old, new


def corners(folder):
    """Cells at A1 and XFD1048576 and nowhere else."""
    old, new = (os.path.join(folder, f"corners-{side}.xlsx") for side in ("old", "new"))
    if not os.path.exists(new):
        import xlsxwriter
        for path, value in ((old, 1), (new, 2)):
            book = xlsxwriter.Workbook(path)
            sheet = book.add_worksheet("Data")
            sheet.write(0, 0, 1)
            sheet.write(1048575, 16383, value)
            book.close()
    return old, new


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mvdiff")
    parser.add_argument("calamine_pass")
    parser.add_argument("work")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("-o", dest="output")
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    diff = lambda files: [args.mvdiff, "diff", "--format", "json", "-o", os.devnull, *files]
    plain = lambda files: [args.calamine_pass, *files]
    lines = ["| workload | comparing: CPU, wall | reading both with calamine: CPU, wall | CPU ratio | wall ratio | memory |", "|---|---|---|---|---|---|"]

    def table(name, files):
        ours, theirs = in_turn(args.runs, [diff(files), plain(files)])
        lines.append(f"| {name} | {ours[0]:.2f} s, {ours[1]:.2f} s | {theirs[0]:.2f} s, {theirs[1]:.2f} s "
                     f"| {ours[0] / theirs[0]:.2f} | {ours[1] / theirs[1]:.2f} | {ours[2] / 2**20:.0f} MB |")
        return ours, theirs

    large = pair(args.work, "large", 100_000, 20, 500, 20, 100)
    ours, _ = table("2 x (100,000 x 20), a block moved, 20 rows inserted, 100 cells edited", large)
    per_cell = ours[2] / (2 * 2_000_000)
    table("c: 50,000 x 20, 200 rows moved, 20 inserted, 100 cells edited", pair(args.work, "c", 50_000, 20, 200, 20, 100))
    table("ten sheets of 10,000 x 20, one changed, the other parts the same bytes", ten_sheets(args.work))
    sparse = corners(args.work)
    corner, = in_turn(args.runs, [diff(sparse)])
    one, both = in_turn(args.runs, [["taskset", "-c", "0", *diff(large)], diff(large)])
    lines += ["", f"- Memory at its most, the two workbooks of 2,000,000 cells and the comparison: {per_cell:.0f} bytes a cell.",
              f"- On two cores the first pair takes 1/{one[1] / both[1]:.2f} of the wall time that it takes on one.",
              f"- Cells at A1 and XFD1048576 only: {corner[1] * 1000:.0f} ms, {corner[2] / 2**20:.1f} MB, process start included."]
    if shutil.which("daff"):
        files = pair(args.work, "c", 50_000, 20, 200, 20, 100)
        tables = [path[:-5] + ".csv" for path in files]
        daff, ours = in_turn(1, [["daff", *tables], diff(files)])
        lines.append(f"- daff on c as CSV: {daff[1]:.1f} s of wall time beside {ours[1]:.2f} s for the workbooks.")
    text = "\n".join(lines) + "\n"
    print(text)
    if args.output:
        with open(args.output, "w") as out:
            out.write(text)


if __name__ == "__main__":
    main()
