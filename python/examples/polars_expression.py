"""Text-IoU as an expression of Polars, and on a whole frame."""

import polars as pl
import pyarrow as pa
from rows import table

import mvdiff.arrow


def text_iou(struct: pl.Series) -> pl.Series:
    """A struct of base, a and b to its score."""
    return pl.Series(mvdiff.arrow.text_iou(struct.struct.unnest().to_arrow())["score"])


frame = pl.from_arrow(table())
scores = frame.select(
    pl.struct("base", "a", "b").map_batches(text_iou, return_dtype=pl.Float64).alias("score")
)
print("mean", round(scores["score"].mean(), 6))

answers = pl.from_arrow(mvdiff.arrow.text_iou(pa.table(frame)))
print("bad", answers["error"].count())
