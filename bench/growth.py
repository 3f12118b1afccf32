#!/usr/bin/env python3
"""How time and memory grow on inputs that are bad for a diff.

  bench/growth.py [--bin target/release/mvdiff] [--only WORD]

Every shape is run at n and at 4n, each three times; CPU time (user and system) is the least
of them, memory the peak. Fails if 4n takes more than five times what n takes (from 50 ms
on), more than 5 s, or more than 6 times its input and 64 MiB.
"""
import argparse, os, random, subprocess, sys, tempfile

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--bin", default="target/release/mvdiff")
ap.add_argument("--only", default="")
A = ap.parse_args()
BIN = os.path.abspath(A.bin)
RATIO, SECONDS, FACTOR, SPARE = 5.0, 5.0, 6, 64 << 20


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


def pair(old, new, suffix=".txt"):
    def make(d):
        write(f"{d}/old{suffix}", old())
        write(f"{d}/new{suffix}", new())
        return ["diff", "--format", "json", f"old{suffix}", f"new{suffix}"]
    return make


def lines(items): return "".join(f"{x}\n" for x in items)


def fibonacci(n):
    a, b = "a", "ab"
    while len(b) < n: a, b = b, b + a
    return b[:n]


def de_bruijn(n):
    """Bits in which no run of 16 comes twice, as far as n goes."""
    state, out = 1, []
    for _ in range(n):
        out.append(state & 1)
        state = state >> 1 | ((state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1) << 15
    return out


def records(n, more):
    body = ["  {", '    "id": 0,', '    "name": "x",', '    "tags": []'] + (['    "more": 1'] if more else []) + ["  },"]
    return lines(body * (n // 5))


def edited(items, every, seed=1):
    rng = random.Random(seed)
    return [f"{x} {rng.random():.6f}" if i % every == 0 else x for i, x in enumerate(items)]


def hunks(n):
    def make(d):
        body = "".join(f"@@ -{4*i+1},1 +{4*i+1},1 @@\n-old {i}\n+new {i}\n" for i in range(n))
        write(f"{d}/p.patch", "diff --git a/f b/f\n--- a/f\n+++ b/f\n" + body)
        return ["effective", "--format", "json", "p.patch"]
    return make


def files(n):
    def make(d):
        for i in range(n):
            write(f"{d}/o/{i % 97}/{i}", f"line {i}\nsame\n")
            write(f"{d}/n/{i % 97}/{i}", f"line {i + (i % 10 == 0)}\nsame\n")
        return ["diff", "--format", "json", "o", "n"]
    return make


def blocks(n):
    def make(d):
        write(f"{d}/f", lines(f"value {i} = {i * 7}" for i in range(2 * n)))
        one = "<<<<<<< SEARCH\nvalue {0} = {1}\n=======\nvalue {0} = new\n>>>>>>> REPLACE\n"
        write(f"{d}/b", "".join(one.format(2 * i, 14 * i) for i in range(n)))
        return ["apply", "--stdout", "b", "f"]
    return make


def typos(n):
    def make(d):
        text = [f"    let value_{i} = compute(input_{i * 7 % n}, {i});" for i in range(n)]
        write(f"{d}/f", lines(["start"] * 100 + text + ["end"] * 100))
        search = [x.replace("compute", "compuet") if i % 97 == 50 else x for i, x in enumerate(text)]
        new = list(search)
        new[n // 2] = "    changed();"
        write(f"{d}/b", f"<<<<<<< SEARCH\n{lines(search)}=======\n{lines(new)}>>>>>>> REPLACE\n")
        return ["apply", "--stdout", "b", "f"]
    return make


def large_file(n):
    def make(d):
        write(f"{d}/f", lines(f"row {i} of a large file with some text in it" for i in range(n)))
        write(f"{d}/b", f"<<<<<<< SEARCH\nrow {n // 2} of a large file with some text in it\n=======\nother\n>>>>>>> REPLACE\n")
        return ["apply", "--stdout", "b", "f"]
    return make


def rows(n, cell): return "".join(",".join(cell(r, c) for c in range(8)) + "\n" for r in range(n))


SHAPES = [
    ("periodic lines, another period", 25_000, lambda n: pair(lambda: lines("ab" * (n // 2)), lambda: lines("abc" * (n // 3)))),
    ("Fibonacci word, first letter gone", 25_000, lambda n: pair(lambda: lines(fibonacci(n)), lambda: lines(fibonacci(n)[1:]))),
    ("de Bruijn sequence, halves swapped", 25_000, lambda n: pair(lambda: lines(de_bruijn(n)), lambda: lines(de_bruijn(n)[n // 2:] + de_bruijn(n)[:n // 2]))),
    ("pretty-printed records, a line more in each", 25_000, lambda n: pair(lambda: records(n, False), lambda: records(n, True))),
    ("near-duplicates, every third edited", 12_000, lambda n: pair(lambda: lines(f"item {i % 50} of the list" for i in range(n)), lambda: lines(edited([f"item {i % 50} of the list" for i in range(n)], 3)))),
    ("all lines other ones", 25_000, lambda n: pair(lambda: lines(f"old {i}" for i in range(n)), lambda: lines(f"new {i}" for i in range(n)))),
    ("one huge line, two words changed", 250_000, lambda n: pair(lambda: "word " * n + "\n", lambda: "word " * (n // 2) + "other " + "word " * (n // 2) + "\n")),
    ("tiny hunks", 25_000, hunks),
    ("files", 2_000, files),
    ("blocks of an edit", 5_000, blocks),
    ("a block with typos", 5_000, typos),
    ("an edit in a large file", 500_000, large_file),
    ("rows of one value", 25_000, lambda n: pair(lambda: rows(n, lambda r, c: "1"), lambda: rows(n + n // 10, lambda r, c: "1"), ".csv")),
    ("identical columns", 25_000, lambda n: pair(lambda: rows(n, lambda r, c: str(r)), lambda: rows(n, lambda r, c: str(r + (r % 9 == 0))), ".csv")),
    ("checkerboard, colours swapped", 25_000, lambda n: pair(lambda: rows(n, lambda r, c: str((r + c) % 2)), lambda: rows(n, lambda r, c: str((r + c + 1) % 2)), ".csv")),
    ("columns", 1_000, lambda n: pair(lambda: lines(",".join(str(r * c) for c in range(n)) for r in range(20)), lambda: lines(",".join(str(r * c + (c % 11 == 0)) for c in range(n)) for r in range(20)), ".csv")),
]


def size(folder):
    return sum(os.path.getsize(os.path.join(at, f)) for at, _, fs in os.walk(folder) for f in fs)


def prepare(make, d):
    """Writes the inputs in a process of its own: a child starts with the peak of its parent."""
    ends = os.pipe()
    if os.fork() == 0:
        os.write(ends[1], "\0".join(make(d)).encode())
        os._exit(0)
    os.wait()
    return os.read(ends[0], 1 << 16).decode().split("\0")


def run(args, d):
    """CPU seconds, peak bytes and the exit code."""
    child = subprocess.Popen([BIN, *args], cwd=d, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, child.returncode


failed = 0
print("| shape | 4n | CPU at n, ms | at 4n, ms | ratio | input, MB | peak, MB |\n|---|---|---|---|---|---|---|")
for name, n, make in SHAPES:
    if A.only not in name: continue
    taken, peak, read = [], 0, 0
    for m in (n, 4 * n):
        with tempfile.TemporaryDirectory() as d:
            args = prepare(make(m), d)
            read = size(d)
            runs = [run(args, d) for _ in range(3)]
            if any(code not in (0, 1) for _, _, code in runs): sys.exit(f"{name}: exit {runs}")
            taken.append(min(t for t, _, _ in runs))
            peak = max(p for _, p, _ in runs)
    ratio = taken[1] / max(taken[0], 0.001)
    bad = taken[1] > SECONDS or taken[1] >= 0.05 and ratio > RATIO or peak > FACTOR * read + SPARE
    failed += bad
    mark = " **over**" if bad else ""
    print(f"| {name} | {4 * n:,} | {taken[0] * 1000:.0f} | {taken[1] * 1000:.0f} | {ratio:.1f}{mark} | {read / 1e6:.1f} | {peak / 1e6:.0f} |", flush=True)
sys.exit(1 if failed else 0)
