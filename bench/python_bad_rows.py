#!/usr/bin/env python3
"""Bad rows among good ones: python_bad_rows.py ROWS.parquet

Takes the first 100,000 rows, makes some null, some not UTF-8 and two of 100 MB, and
scores them: all others must have the score that they have alone, and these an error.
"""
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq

import mvdiff.arrow

ROWS = 100_000


def main():
    table = pq.ParquetFile(sys.argv[1]).iter_batches(ROWS)
    batch = next(table)
    good = mvdiff.arrow.text_iou(batch)["score"].to_pylist()
    columns = {name: [text.encode() for text in batch[name].to_pylist()] for name in ("base", "a", "b")}
    nulls, broken, huge = range(7, ROWS, 9973), range(11, ROWS, 9931), [500, 60_000]
    for row in nulls:
        columns["a"][row] = None
    for row in broken:
        columns["b"][row] = b"caf\xe9\n" + columns["b"][row]
    for row in huge:
        columns["base"][row] = b"x = 1\n" * (100_000_000 // 6)
    bad = pa.record_batch({name: pa.array(texts, pa.large_binary()) for name, texts in columns.items()})
    start = time.monotonic()
    answer = mvdiff.arrow.text_iou(bad)
    took = time.monotonic() - start
    errors = {row: error for row, error in enumerate(answer["error"].to_pylist()) if error}
    assert set(errors) == {*nulls, *broken, *huge}
    scores = answer["score"].to_pylist()
    assert all(scores[row] == good[row] for row in range(len(good)) if row not in errors)
    print(f"{len(good):,} rows, {took:.1f} s; bad: {len(errors)}")
    for kind in (nulls, broken, huge):
        print(f"  {len(kind)} times: {errors[kind[0]]}")
    all_of_it = mvdiff.arrow.text_iou(bad.slice(500, 1), max_bytes=1 << 30)
    print(f"  with max_bytes=1 GiB the row of 100 MB has the score {all_of_it['score'][0]}")


if __name__ == "__main__":
    main()
