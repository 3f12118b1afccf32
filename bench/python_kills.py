#!/usr/bin/env python3
"""Kills workers and drivers of `python -m mvdiff.score`: python_kills.py ROWS.parquet WORK

For Ray and Spark: ends a worker with -9 in the midst of a run, which must finish; then
ends a driver with -9, and runs the command again. Every time the output must be, byte
for byte, that of a local run that nobody disturbed. Run it with the Python of an
environment that has the wheel, ray and pyspark. Ends only processes below the run that
it started.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

#: How the command lines of workers look.
WORKERS = {"ray": "ray::", "spark": "pyspark.daemon"}


def job(rows, out, engine):
    command = [sys.executable, "-m", "mvdiff.score", "-q", rows, out, "--workers", 2, "--engine", engine]
    # A session of its own, so that what it starts can be told from all else.
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            start_new_session=True)


def below(pid):
    """The processes that a process started, and theirs, with their command lines."""
    parents, lines = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            lines[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found, todo = {}, [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found[child] = lines.get(child, "")
            todo.append(child)
    return found


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def wait_for_parts(out, count, child):
    while len(list(out.glob("scores/part-*"))) < count and child.poll() is None:
        time.sleep(0.005)


def kill_worker(rows, out, engine):
    child = job(rows, out, engine)
    wait_for_parts(out, 2, child)
    workers = [pid for pid, line in below(child.pid).items() if WORKERS[engine] in line]
    # The last of Spark's is a worker, the first the daemon that starts them.
    victim = max(workers)
    os.kill(victim, signal.SIGKILL)
    child.wait()
    return len(workers), child.returncode


def kill_driver(rows, out, engine):
    child = job(rows, out, engine)
    wait_for_parts(out, 2, child)
    family = below(child.pid)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    there = len(list(out.glob("scores/part-*")))
    # Those that a dead driver left behind; they would end by themselves.
    for pid in family:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    again = job(rows, out, engine)
    again.wait()
    return there, again.returncode


def main():
    rows, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    calm = work / "calm"
    job(rows, calm, "local").wait()
    right = files(calm)
    parts = len(list(calm.glob("scores/part-*")))
    failed = False
    for engine in WORKERS:
        for name, kill in [("worker", kill_worker), ("driver", kill_driver)]:
            out = work / f"{engine}-{name}"
            count, code = kill(rows, out, engine)
            same = files(out) == right
            failed |= not same
            told = f"{count} workers" if name == "worker" else f"{count} of {parts} parts were there"
            print(f"{engine}: {name} killed ({told}), exit {code}, the same bytes: {same}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
