#!/usr/bin/env python3
"""Made-up edits to score: triples.py OUT.parquet [--rows N] [--seed S] [--jsonl FILE]

Each row is a text, an edit of it, and another edit: the same one, nothing, or the first
with a few further changes. Texts are as long as the functions and small files that
people edit: half have up to 16 lines, one in forty more than 115. The same seed gives
the same rows. Needs pyarrow.
"""
import argparse
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq

WORDS = """alpha beta gamma delta value index count total buffer cursor token node left right head
tail size limit key state order price request session handler config""".split()
FORMS = ["let {a} = {b} + {n};", "{a}.push({b});", "return {a}.{b}({c});", "if {a} < {b} {{",
         "for {a} in 0..{n} {{", "}}", "assert_eq!({a}, {n});", "// {a} depends on {b} and {c}",
         "{a}.{b} = {c}.get(\"{b}\", {n})", "def {a}_{b}(self, {c}):", "self.{a} = {b}[{n}]", ""]
#: Rows of a row group.
GROUP = 8192


def line(rng):
    a, b, c = rng.choices(WORDS, k=3)
    form = rng.choice(FORMS)
    return " " * (4 * rng.randrange(4)) + form.format(a=a, b=b, c=c, n=rng.randrange(1000))


def edited(rng, lines, edits):
    """As people edit: lines changed, runs deleted, runs inserted."""
    lines = list(lines)
    for _ in range(edits):
        at = rng.randrange(len(lines) + 1)
        kind = rng.randrange(3)
        if kind == 0 and at < len(lines):
            lines[at] = lines[at].replace(rng.choice(WORDS), rng.choice(WORDS)) + ";"
        elif kind == 1:
            del lines[at:at + rng.randrange(1, 4)]
        else:
            lines[at:at] = [line(rng) for _ in range(rng.randrange(1, 4))]
    return lines


def triple(rng):
    count = max(1, min(3000, round(rng.lognormvariate(2.77, 1.0))))
    base = [line(rng) for _ in range(count)]
    a = edited(rng, base, 1 + int(rng.expovariate(0.7)))
    luck = rng.random()
    if luck < 0.25:
        b = a
    elif luck < 0.35:
        b = base
    else:
        b = edited(rng, a, 1 + int(rng.expovariate(0.7)))
    return ["\n".join(text) + "\n" for text in (base, a, b)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jsonl", help="the same rows for `mvdiff score --jsonl`")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    schema = pa.schema([("id", pa.int64())] + [(name, pa.string()) for name in ("base", "a", "b")])
    jsonl = open(args.jsonl, "w") if args.jsonl else None
    with pq.ParquetWriter(args.out, schema, compression="zstd") as writer:
        for first in range(0, args.rows, GROUP):
            ids = list(range(first, min(args.rows, first + GROUP)))
            rows = [triple(rng) for _ in ids]
            base, a, b = zip(*rows)
            writer.write_table(pa.table([ids, base, a, b], schema=schema))
            if jsonl:
                for name, (base, a, b) in zip(ids, rows):
                    jsonl.write(json.dumps({"name": name, "base": base, "a": a, "b": b}) + "\n")


if __name__ == "__main__":
    main()
