"""Arrow batches in, Arrow batches out.

Each function takes a `RecordBatch` or a `Table` of pyarrow, or anything with
`__arrow_c_array__`, and returns the same kind. Texts are `string` or `binary` (large and
view included) and are read in place. Columns that a function does not take stay in the
answer. A row that cannot be answered has its reason in `error` and nulls beside it; it
never costs the others. The schemas are in docs/python.md, and do not change.

`threads` is how many rows are worked on at once: all cores if None. Engines that run
several tasks on a machine pass 1.
"""

from __future__ import annotations

from typing import TypeVar

import pyarrow as pa

from . import _mvdiff

__all__ = ["effective", "effective_and_moves", "moves_of_commits", "text_iou"]

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)

#: Rows with a longer text are refused, so that one row cannot hold up a worker.
MAX_BYTES = 64 << 20


def text_iou(
    batch: Batch,
    *,
    threads: int | None = None,
    levenshtein: bool = True,
    max_bytes: int = MAX_BYTES,
) -> Batch:
    """Text-IoU of the columns `base`, `a` and `b`.

    Adds `score` (double), `u_base`, `u_inserts`, `i_base_delete` (uint64), `a_blocks`,
    `a_inserts` (double) and `error` (string).
    """

    def one(part: pa.RecordBatch) -> pa.RecordBatch:
        return _mvdiff.arrow_text_iou(
            part, threads=threads, levenshtein=levenshtein, max_bytes=max_bytes
        )

    return _each(batch, one)


def effective(batch: Batch, *, threads: int | None = None, max_bytes: int = MAX_BYTES) -> Batch:
    """What is left of the patches in the column `patch`, one commit a row.

    Takes `old_files` and `new_files`, too, where they are there: maps from path to
    content. Adds `files`, `added`, `removed`, `moves`, `indents`, `lines_moved`,
    `lines_indented`, `lines_left` (uint32), `complete` (bool), `effective_diff`
    (large_binary) and `error` (string).
    """
    return _each(batch, lambda part: _commits(part, threads, max_bytes)[0])


def moves_of_commits(
    batch: Batch, *, threads: int | None = None, max_bytes: int = MAX_BYTES
) -> Batch:
    """One row for each block that moved or was indented, from the columns that
    `effective` takes; a row without an answer gives one row with its `error`.

    Adds `kind` (string: move, indent, merge), `old_file`, `old_start`, `old_end`, `new_file`,
    `new_start`, `new_end` (string and uint32, lines inclusive), `lines`, `lines_left`
    (uint32), `score` (float) and `error` (string).
    """
    return _each(batch, lambda part: _commits(part, threads, max_bytes)[1])


def effective_and_moves(
    batch: pa.RecordBatch, *, threads: int | None = None, max_bytes: int = MAX_BYTES
) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    """Both of the above for the price of one."""
    return _commits(batch, threads, max_bytes)


def _commits(
    part: pa.RecordBatch, threads: int | None, max_bytes: int
) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    return _mvdiff.arrow_commits(part, threads=threads, max_bytes=max_bytes)


def _each(batch, answer):
    """Answers a batch, or every batch of a table."""
    if not isinstance(batch, pa.Table):
        return answer(batch)
    parts = [answer(part) for part in batch.to_batches()]
    if not parts:
        empty = pa.RecordBatch.from_arrays(
            [pa.array([], field.type) for field in batch.schema], schema=batch.schema
        )
        parts = [answer(empty)]
    return pa.Table.from_batches(parts)
