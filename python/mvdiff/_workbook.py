"""Workbook reports, and how workbooks are compared."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ._decode import decode
from .results import Note, Op, SheetReport, WorkbookReport


class Wanted:
    """How to compare, as the extension module reads it."""

    def __init__(
        self,
        *,
        key: str | Iterable[str] = (),
        auto_key: bool = False,
        sheets: Iterable[str] = (),
        ignore_columns: Iterable[str] = (),
        values_only: bool = False,
        tolerance: float | None = None,
        relative: bool = False,
        ignore_case: bool = False,
        trim: bool = False,
        moves: bool = True,
    ):
        self.key = [key] if isinstance(key, str) else list(key)
        self.auto_key = auto_key
        self.sheets = list(sheets)
        self.ignore_columns = list(ignore_columns)
        self.values_only = values_only
        self.tolerance = tolerance
        self.relative = relative
        self.ignore_case = ignore_case
        self.trim = trim
        self.moves = moves


def workbook_report(found: str) -> WorkbookReport:
    """The report that a JSON is."""
    read: dict[str, Any] = json.loads(found)
    ops = [Op(op.pop("kind"), op.pop("sheet", None), op) for op in map(dict, read["ops"])]
    return WorkbookReport(
        complete=read["complete"],
        notes=[decode(Note, note) for note in read["notes"]],
        mode=read["mode"],
        sheets=[decode(SheetReport, sheet) for sheet in read["sheets"]],
        ops=ops,
        _json=found,
    )
