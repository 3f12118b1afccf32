"""Data frames compared: unordered, of unequal shapes, with tolerances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _mvdiff
from ._workbook import Wanted, workbook_report
from .results import CellChange, FrameReport, Op, RowsMoved, WorkbookReport


def diff_frames(
    old: Any,
    new: Any,
    *,
    key: str | Iterable[str] = (),
    tolerance: float | Mapping[str, float] | None = None,
    ignore_columns: Iterable[str] = (),
    ignore_case: bool = False,
    trim: bool = False,
) -> FrameReport:
    """What differs between two frames of pandas, polars or pyarrow.

    With `key`, rows are the same row where these columns agree, wherever they are.
    Without it they are found by content: rows that are elsewhere are in
    `rows_moved`, and do not make the report true. `tolerance` is one number for all
    columns, or one for each column by name; numbers that are this close are equal.

    An index of pandas that is more than a count becomes columns. NaN is a missing value.
    """
    old, new = _ready(old), _ready(new)
    single = tolerance if isinstance(tolerance, (int, float)) else None
    each = dict(tolerance) if isinstance(tolerance, Mapping) else {}
    wanted = Wanted(
        key=key,
        ignore_columns=ignore_columns,
        tolerance=single,
        ignore_case=ignore_case,
        trim=trim,
    )
    found = _mvdiff.frames_json(old, new, wanted, each)
    report = _frame_report(workbook_report(found), old, new, wanted.key)
    report._page = lambda: _mvdiff.frames_page(found, old, new)
    return report


def _ready(frame: Any) -> Any:
    """A frame that gives itself away as Arrow."""
    if hasattr(frame, "iloc") and hasattr(frame, "reset_index"):
        frame = _ready_pandas(frame)
    if not hasattr(frame, "__arrow_c_stream__"):
        raise TypeError(
            f"{type(frame).__name__} is not a frame; give one of pandas, polars or pyarrow"
        )
    return frame


def _ready_pandas(frame: Any) -> Any:
    import pandas as pd

    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    if not all(isinstance(name, str) for name in frame.columns):
        frame = frame.rename(columns=str)
    for name in frame.columns:
        column = frame[name]
        if column.dtype == object and not _is_plain(column):
            # Arrow has no column of several types; the type stays visible.
            shown = [
                None
                if _is_missing(v)
                else v
                if isinstance(v, str)
                else f"{type(v).__name__}: {v!r}"
                for v in column
            ]
            frame = frame.assign(**{name: pd.Series(shown, index=frame.index, dtype=object)})
    return frame


def _is_missing(value: Any) -> bool:
    return value is None or value != value


def _is_plain(column: Any) -> bool:
    """Whether all values of a column are of one type that Arrow knows."""
    kinds = {type(value) for value in column if not _is_missing(value)}
    if len(kinds) != 1:
        return not kinds
    try:
        import pyarrow as pa

        pa.array(column, from_pandas=True)
    except (ImportError, pa.ArrowException):
        return False
    return True


def _names(frame: Any) -> list[str]:
    columns = frame.column_names if hasattr(frame, "column_names") else frame.columns
    return [str(name) for name in columns]


def _value(frame: Any, column: int, row: int) -> Any:
    """A value as the frame itself has it."""
    if hasattr(frame, "iloc"):
        return frame.iloc[row, column]
    if hasattr(frame, "to_series"):
        return frame.to_series(column)[row]
    return frame.column(column)[row].as_py()


def _address(name: str) -> tuple[int, int]:
    """Row and column, from zero, of an address such as `C14`."""
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(name[len(letters) :]) - 1, column - 1


def _frame_report(found: WorkbookReport, old: Any, new: Any, key: list[str]) -> FrameReport:
    old_names, new_names = _names(old), _names(new)
    report = FrameReport(
        complete=found.complete,
        notes=found.notes,
        columns_added=[],
        columns_removed=[],
        columns_renamed={},
        rows_added=[],
        rows_removed=[],
        rows_moved=[],
        cells=[],
        rects_moved=[],
        duplicate_keys=[],
        workbook=found,
        _json=found.to_json(),
    )
    keys = [new_names.index(name) for name in key if name in new_names]
    for op in found.ops:
        _add(report, op, (old, new), (old_names, new_names), keys)
    return report


def _add(
    report: FrameReport,
    op: Op,
    frames: tuple[Any, Any],
    names: tuple[list[str], list[str]],
    keys: list[int],
) -> None:
    old, new = frames
    # The first row of the sheet holds the names.
    match op.kind:
        case "RowAdded":
            report.rows_added.append(op["row_idx"] - 1)
        case "RowRemoved":
            report.rows_removed.append(op["row_idx"] - 1)
        case "ColumnAdded":
            report.columns_added.append(names[1][op["col_idx"]])
        case "ColumnRemoved":
            report.columns_removed.append(names[0][op["col_idx"]])
        case "BlockMovedRows":
            moved = RowsMoved(op["src_start_row"] - 1, op["dst_start_row"] - 1, op["row_count"])
            report.rows_moved.append(moved)
        case "BlockMovedRect":
            report.rects_moved.append(op)
        case "DuplicateKeyCluster":
            report.duplicate_keys.append(tuple(cell["value"] for cell in op["key"]))
        case "CellEdited":
            (old_row, old_column), (row, column) = _address(op["from_addr"]), _address(op["addr"])
            if row == 0:
                report.columns_renamed[names[0][old_column]] = names[1][column]
                return
            report.cells.append(
                CellChange(
                    column=names[1][column],
                    old_row=old_row - 1,
                    new_row=row - 1,
                    old=_value(old, old_column, old_row - 1),
                    new=_value(new, column, row - 1),
                    key=tuple(_value(new, k, row - 1) for k in keys) or None,
                )
            )
