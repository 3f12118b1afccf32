"""Text-IoU with Spark: mapInArrow hands over Arrow batches, and takes them back."""

import os
import sys

from pyspark.sql import SparkSession, functions
from rows import table

import mvdiff.arrow

SCHEMA = (
    "id long, score double, u_base long, u_inserts long, i_base_delete long, "
    "a_blocks double, a_inserts double, error string"
)


def scored(batches):
    for batch in batches:
        answer = mvdiff.arrow.text_iou(batch, threads=1)
        # Spark has no unsigned numbers.
        yield answer.cast(_signed(answer.schema))


def _signed(schema):
    import pyarrow as pa

    signed = lambda f: f.with_type(pa.int64()) if pa.types.is_uint64(f.type) else f  # noqa: E731
    return pa.schema([signed(field) for field in schema])


# Workers are to have the packages that this program has.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
rows = spark.createDataFrame(table().to_pandas()).repartition(2)
scores = rows.mapInArrow(scored, SCHEMA)
mean, bad = scores.agg(functions.mean("score"), functions.count("error")).first()
print("mean", round(mean, 6))
print("bad", bad)
spark.stop()
