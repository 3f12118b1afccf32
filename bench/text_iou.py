#!/usr/bin/env python3
"""How fast is Text-IoU? text_iou.py MVDIFF [-o docs/benchmarks.md] [--only NAME]

Scores the same triples with the reference (text_iou_reference.py, difflib) and
with `mvdiff score --jsonl - --threads 1`, in one run on one core, and compares
every score. Needs the Python package rapidfuzz. -o writes the part `text-iou` of
a page.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

import page
import text_iou_reference as reference

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = """alpha beta gamma delta value index count total buffer cursor token node left right head
tail size limit key state""".split()
NOTE = """\
CPU time on one core, in one run. Reference: bench/text_iou_reference.py, difflib of CPython \
{python} with the line ratio of the compiled package rapidfuzz, in process, without reading \
its input. Ours: `mvdiff score --jsonl - --threads 1`, reading and writing JSON included, \
without starting the process, as the difference between many rows and none; and as a whole, one \
process for the workload. Every score is compared with the reference's, to 1e-11; the reference \
itself is held against the {vectors} vectors first. On the workloads of 20,000 lines without a \
goal for the ratio the reference is not run where it would take minutes."""


def code_line(rng):
    a, b, c = (rng.choice(WORDS) for _ in range(3))
    form = rng.choice(["let {a} = {b} + {n};", "{a}.push({b});", "return {a}.{b}({c});", "if {a} < {b} {{",
                       "for {a} in 0..{n} {{", "}}", "assert_eq!({a}, {n});", "// {a} depends on {b} and {c}"])
    return " " * (4 * rng.randrange(4)) + form.format(a=a, b=b, c=c, n=rng.randrange(1000))


def edited(rng, lines, share):
    """As a person edits: lines changed, runs deleted, runs inserted."""
    out, i = [], 0
    while i < len(lines):
        if rng.random() < share:
            kind = rng.randrange(3)
            if kind == 0:
                out.append(lines[i].replace(rng.choice(WORDS), rng.choice(WORDS)) + " ")
                i += 1
            elif kind == 1:
                i += rng.randrange(1, 6)
            else:
                out += [code_line(rng) for _ in range(rng.randrange(1, 6))]
        else:
            out.append(lines[i])
            i += 1
    return out


def triple(name, base, a, b):
    base, a, b = ("\n".join(side) + "\n" for side in (base, a, b))
    return {"name": name, "base": base, "a": a, "b": b}


def two_edits(name, rng, lines, share):
    """Two edits that agree on half of what they change."""
    common = edited(rng, lines, share / 2)
    return triple(name, lines, edited(rng, common, share / 2), edited(rng, common, share / 2))


def ladder(count):
    """Runs of lengths 1, 2, 3 ... between lines of their own: a length for every search."""
    lines, unique, length = [], 0, 1
    while len(lines) < count:
        lines += [f"run {length} line {i}" for i in range(length)]
        lines.append(f"alone {unique}")
        unique, length = unique + 1, length + 1
    return lines[:count]


def workloads():
    rng = random.Random(6)
    code = [code_line(rng) for _ in range(20_000)]
    yield "1,000 triples of 200 lines", 25, [
        two_edits(f"t{i}", rng, [code_line(rng) for _ in range(200)], 0.1) for i in range(1000)]
    yield "20,000 lines of code", 40, [two_edits("code", rng, code, 0.05)]
    same = ["    pass"] * 10_000
    yield "10,000 identical lines", 5000, [
        triple("same", same, same[:4000] + ["mine"] + same[4001:], same[:7000] + ["yours"] + same[7001:])]
    distinct = [f"line {i} of {rng.random()}" for i in range(4000)]
    half = lambda mark: [line + mark if i % 2 else line for i, line in enumerate(distinct)]
    yield "every second of 4,000 lines edited", 1500, [triple("half", distinct, half(" a"), half(" b"))]
    # Nothing of 20,000 lines over a second.
    kinds = lambda n, count=20_000: [f"kind {rng.randrange(n)}" for _ in range(count)]
    same = ["    pass"] * 20_000
    yield "20,000 identical lines, 20 inserted", None, [
        triple("same20k", same, edited(rng, same, 0.001), edited(rng, same, 0.001))]
    yield "20,000 lines of 2 kinds, three texts", None, [triple("two", kinds(2), kinds(2), kinds(2))]
    yield "20,000 lines of 10 kinds, three texts", None, [triple("ten", kinds(10), kinds(10), kinds(10))]
    yield "20,000 lines of 100 kinds, three texts", None, [triple("hundred", kinds(100), kinds(100), kinds(100))]
    low = kinds(50)
    yield "20,000 lines of 50 kinds, edited", None, [two_edits("fifty", rng, low, 0.05)]
    period = [f"step {i % 7}" for i in range(20_000)]
    yield "20,000 lines of a pattern of 7, edited", None, [two_edits("period", rng, period, 0.01)]
    steps = ladder(20_000)
    climb = [line if not line.startswith("alone") else line + "!" for line in steps]
    yield "20,000 lines, runs of every length", None, [
        triple("ladder", steps, climb, [line.replace("!", "?") for line in climb])]
    yield "20,000 distinct lines, reversed", None, [
        triple("reversed", code_numbers(20_000), code_numbers(20_000)[::-1], code_numbers(20_000))]
    every = code_numbers(20_000)
    yield "every second of 20,000 lines edited", None, [
        triple("half20k", every, [l + " a" if i % 2 else l for i, l in enumerate(every)],
               [l + " b" if i % 2 else l for i, l in enumerate(every)])]


def code_numbers(count):
    return [f"let value_{i} = {i * 7919 % 104729};" for i in range(count)]


# The reference takes minutes there.
TOO_SLOW = ("every second of 20,000", "20,000 identical", "20,000 lines of 2 kinds",
            "20,000 lines of a pattern", "20,000 lines of 10 kinds")


def run_ours(binary, rows):
    """Scores, and CPU seconds of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([binary, "score", "--jsonl", "-", "--threads", "1"], input=rows,
                          stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return [json.loads(line) for line in done.stdout.splitlines()], seconds


def ours(binary, triples):
    """Scores; seconds a workload without starting the process; and with it."""
    rows = "".join(json.dumps(row) + "\n" for row in triples).encode()
    found, whole = run_ours(binary, rows)
    repeats = max(3, min(200, int(0.5 / max(whole, 1e-3))))
    wholes = [run_ours(binary, rows)[1] for _ in range(5)]
    # The counters tick in milliseconds: many rows, so that they tell.
    start = min(sum(run_ours(binary, b"")[1] for _ in range(20)) / 20 for _ in range(3))
    many = min(run_ours(binary, rows * repeats)[1] for _ in range(3))
    return found, max(many - start, 1e-9) / repeats, sorted([whole, *wholes])[len(wholes) // 2]


def theirs(triples):
    start = time.process_time()
    found = [reference.score(row["base"], row["a"], row["b"]) for row in triples]
    return found, time.process_time() - start


def compare(binary, name, goal, triples):
    found, seconds, whole = ours(binary, triples)
    if name.startswith(TOO_SLOW):
        return [name, "", "", f"{seconds * 1e3:,.2f}", f"{whole * 1e3:,.1f}", "", ""], seconds
    truth, slow = theirs(triples)
    for row, (value, parts) in zip(found, truth, strict=True):
        near = abs(row["score"] - value) < 1e-11
        if not near or any(abs(row["parts"][key] - parts[key]) >= 1e-9 for key in parts):
            sys.exit(f"{name}, {row['name']}: {row['score']}, in truth {value}")
    cells = [name, f"{slow:,.2f}", "" if goal is None else f"{goal:,}", f"{seconds * 1e3:,.2f}", f"{whole * 1e3:,.1f}",
             f"{slow / seconds:,.0f}", f"{slow / whole:,.0f}"]
    return cells, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mvdiff")
    parser.add_argument("-o", "--output")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    vectors = reference.check(ROOT / "fixtures/scores/text-iou.json")
    rows = []
    for name, goal, triples in workloads():
        if args.only in name:
            cells, seconds = compare(args.mvdiff, name, goal, triples)
            rows.append(cells)
            print(*cells, sep=" | ", flush=True)
            if name.startswith(("20,000", "every second of 20,000")) and seconds > 1:
                sys.exit(f"{name}: {seconds:.2f} s")
    head = ["workload", "reference, s", "goal, times", "ours, ms", "ours with start, ms", "times", "times with start"]
    note = NOTE.format(python=sys.version.split()[0], vectors=vectors)
    part = page.table(head, rows) + "\n\n" + note
    if args.output:
        page.put(args.output, "text-iou", "Text-IoU beside the reference", part)


if __name__ == "__main__":
    main()
