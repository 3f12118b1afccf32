"""Text-IoU as a function of DuckDB, on Arrow vectors."""

import duckdb
import pyarrow as pa
from rows import table

import mvdiff.arrow


def text_iou(base, a, b):
    batch = pa.table({"base": base, "a": a, "b": b})
    return mvdiff.arrow.text_iou(batch)["score"]


triples = table()
base = duckdb.connect()
base.create_function(
    "text_iou", text_iou, ["VARCHAR"] * 3, "DOUBLE", type="arrow", null_handling="special"
)
mean, bad = base.execute(
    "select avg(s), count(*) - count(s) from (select text_iou(base, a, b) as s from triples)"
).fetchone()
print("mean", round(mean, 6))
print("bad", bad)
