"""The diff that knows what moved.

>>> import mvdiff
>>> report = mvdiff.diff("a\\n", "b\\n")
>>> report.stats.modified + report.stats.additions
1

Texts are `str` or `bytes`. What mvdiff refuses is an `MvdiffError` with the words that
the program prints. Everything that takes time runs without the GIL.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping

from . import _mvdiff, results
from ._decode import decode
from ._mvdiff import MvdiffError, __version__
from ._workbook import Wanted, workbook_report
from .frames import diff_frames
from .results import (
    ApplyReport,
    EffectiveReport,
    FrameReport,
    LineReport,
    Score,
    WorkbookReport,
)

__all__ = [
    "ApplyError",
    "ApplyReport",
    "EffectiveReport",
    "FrameReport",
    "LineReport",
    "MvdiffError",
    "Score",
    "WorkbookReport",
    "__version__",
    "apply",
    "diff",
    "diff_frames",
    "diff_workbooks",
    "effective",
    "effective_each",
    "results",
    "text_iou",
]

Text = str | bytes


class ApplyError(MvdiffError):
    """Edits that were not carried out; `report` says what became of each block."""

    report: ApplyReport

    def __init__(self, message: str, report: ApplyReport):
        super().__init__(message)
        self.report = report


def diff(
    old: Text,
    new: Text,
    *,
    moves: bool = True,
    copies: bool = False,
    threshold: float = 0.8,
    ignore_space: str = "none",
    ignore_blank_lines: bool = False,
    names: tuple[str, str] = ("old", "new"),
) -> LineReport:
    """What changed and what moved between two texts.

    `ignore_space` is "none", "change" (as `-b`) or "all" (as `-w`). `names` are for the
    page of the report only.
    """
    found = _mvdiff.diff_json(
        old,
        new,
        moves=moves,
        copies=copies,
        threshold=threshold,
        ignore_space=ignore_space,
        ignore_blank_lines=ignore_blank_lines,
    )
    report: LineReport = decode(LineReport, json.loads(found))
    report._json = found
    report._page = lambda: _mvdiff.diff_page(found, old, new, names)
    return report


def effective_each(
    patch: Text,
    *,
    old_files: Mapping[str, Text] | None = None,
    new_files: Mapping[str, Text] | None = None,
    moves: bool = True,
    copies: bool = False,
    threshold: float = 0.8,
    context: int = 0,
) -> list[EffectiveReport]:
    """What moved in each commit of a patch, and what is left to read of it."""
    old = None if old_files is None else dict(old_files)
    new = None if new_files is None else dict(new_files)
    found = _mvdiff.effective_json(
        patch, old, new, moves=moves, copies=copies, threshold=threshold, context=context
    )
    reports = []
    for one in found:
        report: EffectiveReport = decode(EffectiveReport, json.loads(one))
        report._json = one
        reports.append(report)
    if len(reports) == 1:
        reports[0]._page = lambda: _mvdiff.effective_page(found, patch, old, new)
    return reports


def effective(
    patch: Text,
    *,
    old_files: Mapping[str, Text] | None = None,
    new_files: Mapping[str, Text] | None = None,
    moves: bool = True,
    copies: bool = False,
    threshold: float = 0.8,
    context: int = 0,
) -> EffectiveReport:
    """What moved in a patch, and what is left to read of it.

    With the whole files, by path, blocks are found beyond the hunks. One side is
    enough: the other follows by the patch.
    """
    reports = effective_each(
        patch,
        old_files=old_files,
        new_files=new_files,
        moves=moves,
        copies=copies,
        threshold=threshold,
        context=context,
    )
    if len(reports) != 1:
        raise MvdiffError(f"the patch holds {len(reports)} commits; effective_each reports on each")
    return reports[0]


def apply(
    edits: Text,
    text: Text | None = None,
    *,
    root: str | os.PathLike[str] | None = None,
    threshold: float = 1.0,
    start_line: int | None = None,
    partial: bool = False,
    dry_run: bool = False,
) -> ApplyReport:
    """Carries out edits as language models write them, on a text or on files.

    With `text`, the new text is `report.text`, of the type that was given. With `root`,
    the files that the edits name are written, all of them or none; `dry_run` leaves
    them alone, and the new contents are in the report. Edits that do not fit are an
    `ApplyError`, whose `report` says why; `partial` takes those that fit.
    """
    if (text is None) == (root is None):
        raise TypeError("give either a text or root=")
    if text is not None:
        new, found = _mvdiff.apply_text(edits, text, threshold, start_line, partial)
    else:
        new, found = (
            None,
            _mvdiff.apply_files(edits, os.fspath(root), threshold, start_line, partial, dry_run),
        )
    report: ApplyReport = decode(ApplyReport, json.loads(found))
    report._json = found
    if new is not None:
        report.text = bytes(new).decode() if isinstance(text, str) else bytes(new)
    if not report.success:
        raise ApplyError(_why(report), report)
    return report


def _why(report: ApplyReport) -> str:
    """The first thing that went wrong."""
    messages = [report.message]
    for file in report.files:
        messages.append(file.message)
        messages.extend(b.message for b in file.blocks if b.status == "failed")
    found = [message for message in messages if message]
    return found[0] if found else "the edits do not fit"


def text_iou(
    base: Text,
    a: Text,
    b: Text,
    *,
    explain: bool = False,
    levenshtein: bool = True,
    variants: Iterable[str] = (),
) -> Score:
    """How far two edits of one text did the same thing, 0 to 1.

    Where one of them is the truth, it is `a`. `explain` says which lines earned the
    score; `variants` are "symmetric", "noop-adjusted" and "move-aware".
    """
    found = _mvdiff.text_iou_json(base, a, b, levenshtein, list(variants), explain)
    score: Score = decode(Score, json.loads(found))
    score._json = found
    return score


def diff_workbooks(
    old: str | os.PathLike[str] | bytes,
    new: str | os.PathLike[str] | bytes,
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
) -> WorkbookReport:
    """What happened to a workbook: .xlsx, .xlsm, .xlsb, .xls, .ods, .csv or .tsv.

    `old` and `new` are paths, or the bytes of the files.
    """
    wanted = Wanted(
        key=key,
        auto_key=auto_key,
        sheets=sheets,
        ignore_columns=ignore_columns,
        values_only=values_only,
        tolerance=tolerance,
        relative=relative,
        ignore_case=ignore_case,
        trim=trim,
        moves=moves,
    )
    found = _mvdiff.workbooks_json(old, new, wanted)
    names = tuple(
        "the workbook" if isinstance(book, bytes) else os.fspath(book) for book in (old, new)
    )
    report = workbook_report(found)
    report._page = lambda: _mvdiff.workbooks_page(found, old, new, names)
    return report
