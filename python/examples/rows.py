"""A few triples: a text, the edit that was wanted, and one that somebody did."""

import pyarrow as pa

BASE = "def total(items):\n    s = 0\n    for i in items:\n        s += i\n    return s\n"
WANTED = BASE.replace("s += i", "s += i.price")
ATTEMPTS = [WANTED, BASE.replace("s += i", "s += price(i)"), BASE, "", WANTED + "print(1)\n"]


def table(count: int = 50) -> pa.Table:
    attempts = [ATTEMPTS[i % len(ATTEMPTS)] for i in range(count)]
    return pa.table(
        {"id": list(range(count)), "base": [BASE] * count, "a": [WANTED] * count, "b": attempts}
    )
