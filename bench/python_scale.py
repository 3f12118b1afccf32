#!/usr/bin/env python3
"""Many scores from Python: python_scale.py ROWS.parquet ROWS.jsonl WORK [--rounds N] [--only NAME...]

Runs the same rows (bench/triples.py) through `mvdiff score --jsonl`, through
`python -m mvdiff.score` with each engine, on one core and on two, and through
conflict-collection's own package on the first rows; compares every score. Prints a
table. Run it with the Python of an environment that has the wheel, ray, pyspark and
conflict-collection; `mvdiff` is the program of that environment.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import pyarrow.compute as pc
import pyarrow.parquet as pq

#: Rows for the package in Python.
PEER_ROWS = 20_000
PROGRAM = pathlib.Path(sys.executable).with_name("mvdiff")


def measured(command, cores):
    """Wall time, CPU time of the process and its children, and the peak of its memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(["taskset", "-c", cores, *map(str, command)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, after.ru_maxrss / 1024


def contenders(parquet, jsonl, work):
    job = [sys.executable, "-m", "mvdiff.score", "-q", parquet]
    program = [PROGRAM, "score", "--jsonl", jsonl]
    yield "program, 1 core", "0", [*program, "--threads", 1, "-o", work / "program1"]
    yield "program, 2 cores", "0,1", [*program, "--threads", 2, "-o", work / "program2"]
    yield "local, 1 core", "0", [*job, work / "local1", "--workers", 1]
    yield "local, 2 cores", "0,1", [*job, work / "local2", "--workers", 2]
    yield "ray, 2 cores", "0,1", [*job, work / "ray2", "--workers", 2, "--engine", "ray"]
    yield "spark, 2 cores", "0,1", [*job, work / "spark2", "--workers", 2, "--engine", "spark"]


def peer(parquet, scores):
    """conflict-collection's own package on the first rows; ours on the same."""
    from conflict_collection.metrics.anchored_ratio import anchored_ratio

    import mvdiff.arrow
    rows = next(pq.ParquetFile(parquet).iter_batches(PEER_ROWS))
    columns = [rows[name].to_pylist() for name in ("base", "a", "b")]
    start = time.process_time()
    theirs = [anchored_ratio(*texts) for texts in zip(*columns)]
    peer_cpu = time.process_time() - start
    start = time.process_time()
    ours = mvdiff.arrow.text_iou(rows, threads=1)["score"].to_pylist()
    our_cpu = time.process_time() - start
    apart = max(abs(x - y) for x, y in zip(theirs, ours))
    told = max(abs(x - y) for x, y in zip(theirs, scores[:len(theirs)]))
    print(f"conflict-collection, {len(ours)} rows, one core, CPU: theirs {len(ours) / peer_cpu:,.0f} "
          f"rows/s, ours {len(ours) / our_cpu:,.0f} rows/s ({peer_cpu / our_cpu:.1f}x), "
          f"largest difference {max(apart, told):.1e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parquet", type=pathlib.Path)
    parser.add_argument("jsonl", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    rows = sum(pq.read_metadata(file).num_rows for file in files(args.parquet))
    print(f"{rows:,} rows, load {os.getloadavg()[0]:.1f}", flush=True)
    reference = None
    for round in range(args.rounds):
        for name, cores, command in contenders(args.parquet, args.jsonl, args.work):
            if args.only and name not in args.only:
                continue
            for old in args.work.iterdir():
                shutil.rmtree(old) if old.is_dir() else old.unlink()
            wall, cpu, peak = measured(command, cores)
            made = next(args.work.iterdir())
            scores = read(made)
            reference = reference or scores
            apart = max(abs(x - y) for x, y in zip(reference, scores, strict=True))
            print(f"{name:18} wall {wall:7.1f} s  {rows / wall:9,.0f} rows/s  {steady(made)}CPU {cpu:7.1f} s  "
                  f"peak {peak:6.0f} MB  differs by {apart:.1e}  load {os.getloadavg()[0]:.1f}", flush=True)
    if args.parquet.is_file():
        peer(args.parquet, reference)


def files(path):
    return sorted(path.glob("*.parquet")) if path.is_dir() else [path]


def steady(path):
    """The pace between the first part and the last, without the start of the engine."""
    if not path.is_dir():
        return ""
    parts = [(part.stat().st_mtime_ns, pq.read_metadata(part).num_rows)
             for part in (path / "scores").iterdir()]
    parts.sort()
    seconds = (parts[-1][0] - parts[0][0]) / 1e9
    rows = sum(rows for _, rows in parts[1:])
    return f"parts {seconds:6.2f} s {rows / seconds:9,.0f} rows/s  "


def read(path):
    """The scores that a contender wrote, in order."""
    if path.is_dir():
        table = pq.read_table(path / "scores", columns=["input_row", "score"])
        return table.take(pc.sort_indices(table, [("input_row", "ascending")]))["score"].to_pylist()
    with open(path) as lines:
        return [json.loads(line)["score"] for line in lines]


if __name__ == "__main__":
    main()
