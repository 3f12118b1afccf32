#!/usr/bin/env python3
"""How time, instructions and memory grow on inputs that are bad for a diff.

  bench/growth.py [--bin target/release/mvdiff] [--only WORD] [--no-instructions] [--no-time]

Every shape of growth_shapes.py is run at n and at 4n. Time is that of the CPU (user and
system, the least of three runs), memory the peak. Instructions are counted by cachegrind
(valgrind) at sizes of their own, less those of a run on nothing, and are the same on every
machine. Fails if 4n takes more than five times the instructions of n, more than 5 s, or more
than 6 times its input and 64 MiB; an input counts as unpacked. A refusal by a named limit
(exit code 2, a line that names the option) is an answer, too.
"""
import argparse, os, re, subprocess, sys, tempfile, zipfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from growth_shapes import SHAPES, pair

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--bin", default="target/release/mvdiff")
ap.add_argument("--only", default="")
ap.add_argument("--no-instructions", action="store_true")
ap.add_argument("--no-time", action="store_true")
A = ap.parse_args()
BIN = os.path.abspath(A.bin)
RATIO, SECONDS, FACTOR, SPARE = 5.0, 5.0, 6, 64 << 20
# One thread: how threads wait for each other is not work.
ENV = dict(os.environ, RAYON_NUM_THREADS="1")


def size(folder):
    """Bytes of all files below, archives as they are unpacked."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if name.endswith((".xlsx", ".ods")):
                with zipfile.ZipFile(path) as z: total += sum(i.file_size for i in z.infolist())
            else:
                total += os.path.getsize(path)
    return total


def prepare(make, d):
    """Writes the inputs in a process of its own: a child starts with the peak of its parent."""
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ends[1], "\0".join(make(d)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return os.read(ends[0], 1 << 16).decode().split("\0")


def run(args, d):
    """CPU seconds, peak bytes and the exit code; a refusal that names its limit counts as 1."""
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen([BIN, *args], cwd=d, stdout=subprocess.DEVNULL, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = code = os.waitstatus_to_exitcode(status)
        err.seek(0)
        if code == 2 and b"--max-" in err.read(): code = 1
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, code


def instructions(args, d):
    called = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", BIN, *args]
    said = subprocess.run(called, cwd=d, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENV).stderr.decode(errors="replace")
    return int(re.search(r"I\s+refs:\s+([\d,]+)", said)[1].replace(",", ""))


def counted(make, m):
    with tempfile.TemporaryDirectory() as d:
        return instructions(prepare(make(m), d), d)


def timed(name, make, m):
    with tempfile.TemporaryDirectory() as d:
        args = prepare(make(m), d)
        runs = [run(args, d) for _ in range(3)]
        if any(code not in (0, 1) for _, _, code in runs): sys.exit(f"{name}: exit {runs}")
        return min(t for t, _, _ in runs), max(p for _, p, _ in runs), size(d)


failed = 0
nothing = 0 if A.no_instructions else counted(lambda n: pair(lambda: "a\n", lambda: "b\n"), 1)
print("| shape | 4n | CPU, ms | input, MB | peak, MB | instructions at 4n, M | of those at n |\n|---|---|---|---|---|---|---|")
for name, n, few, make in SHAPES:
    if A.only not in name: continue
    bad, columns = False, ["–"] * 6
    if not A.no_time:
        seconds, peak, read = timed(name, make, 4 * n)
        bad |= seconds > SECONDS or peak > FACTOR * read + SPARE
        columns[:4] = [f"{4 * n:,}", f"{seconds * 1000:.0f}", f"{read / 1e6:.1f}", f"{peak / 1e6:.0f}"]
    if not A.no_instructions:
        small, large = (counted(make, m) - nothing for m in (few, 4 * few))
        # Below a million instructions nothing but start-up is counted.
        ratio = large / max(small, 1_000_000)
        bad |= ratio > RATIO
        columns[4:] = [f"{large / 1e6:.1f}", f"{ratio:.1f}x"]
    failed += bad
    print(f"| {name} | " + " | ".join(columns) + f"{' **over**' if bad else ''} |", flush=True)
sys.exit(1 if failed else 0)
