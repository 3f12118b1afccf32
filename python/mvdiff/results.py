"""What the functions return: plain dataclasses, named as the JSON names them.

Lines count from one, as they do in the JSON (docs/schemas). A text that is not UTF-8
is `bytes`. `to_json()` is what the program prints with `--format json`.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Text = str | bytes


@dataclass(frozen=True)
class Note:
    """A remark on the answer: what was cut short, left open or not looked up."""

    kind: str
    message: str
    what: str | None = None
    sheet: str | None = None
    part: str | None = None


@dataclass(frozen=True)
class Indent:
    """A change of indentation that a whole block underwent."""

    # `from` is a keyword of Python.
    old: str = field(metadata={"json": "from"})
    new: str = field(metadata={"json": "to"})


@dataclass(kw_only=True)
class _Report:
    """What every report can do."""

    complete: bool = True
    notes: list[Note] = field(default_factory=list)
    _json: str = field(default="", repr=False, compare=False)
    _page: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    def to_json(self) -> str:
        """The JSON that the program prints."""
        return self._json

    def to_html(self) -> str:
        """The report as a page of its own, as `--format html` writes it."""
        if self._page is None:
            raise ValueError("this report was made without what it is about")
        return self._page()

    def _repr_html_(self) -> str | None:
        """A notebook shows a report as its page."""
        if self._page is None:
            return None
        page = html.escape(self.to_html(), quote=True)
        return (
            '<iframe sandbox="allow-scripts" style="width:100%;height:32em;border:0" '
            f'title="mvdiff" srcdoc="{page}"></iframe>'
        )


# --- two texts ---------------------------------------------------------------------


@dataclass(frozen=True)
class Stats:
    """Counts of lines; lines in a move count as moved only."""

    additions: int
    deletions: int
    modified: int
    moved: int
    reindented: int = 0


@dataclass(frozen=True)
class Inner:
    """A change inside a line: line, column, end line, end column."""

    original: tuple[int, int, int, int]
    modified: tuple[int, int, int, int]


@dataclass(frozen=True)
class Change:
    """Old lines replaced by new ones; both half open."""

    original: tuple[int, int]
    modified: tuple[int, int]
    inner: list[Inner]
    text: list[Text]


@dataclass(frozen=True)
class Twin:
    """An equal block that could have been one end of a move."""

    side: str
    lines: tuple[int, int]
    path: Text | None = None
    file: Text | None = None


@dataclass(frozen=True)
class MovedBlock:
    """A block that moved, was copied or was indented in place; lines inclusive."""

    id: int
    original_line_start: int
    original_line_end: int
    modified_line_start: int
    modified_line_end: int
    similarity: float
    confidence: float
    changes: list[Change]
    kind: str = "move"
    indent: Indent | None = None
    twins: list[Twin] = field(default_factory=list)


@dataclass(kw_only=True)
class LineReport(_Report):
    """What changed and what moved between two texts (`mvdiff.lines/1`)."""

    lines: tuple[int, int]
    stats: Stats
    changes: list[Change]
    moves: list[MovedBlock]
    copies: list[MovedBlock] = field(default_factory=list)
    ignored: list[Change] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.changes or self.moves)

    def replay(self, old: Text) -> bytes:
        """The new text, from the old one and this report alone."""
        from . import _mvdiff

        return bytes(_mvdiff.replay_lines(self._json, old))


# --- patches -----------------------------------------------------------------------


@dataclass(frozen=True)
class InputCounts:
    """What the patch held."""

    files: int
    hunks: int
    added: int
    removed: int
    binary: int
    remarks: int = 0


@dataclass(frozen=True)
class Evidence:
    """The parts of a move's score."""

    size: float
    uniqueness: float
    consistency: float
    distance: float
    weight: float
    runner_up: float | None = None


@dataclass(frozen=True)
class Move:
    """A block of a patch that moved, was copied or was indented; lines inclusive."""

    id: int
    kind: str
    source_file: Text
    target_file: Text
    source_lines: tuple[int, int]
    target_lines: tuple[int, int]
    matched_lines: int
    score: float
    effective_diff_lines: int
    whitespace_lines: int
    pairs: list[tuple[int, int, int]]
    edited_pairs: list[tuple[int, int]]
    evidence: Evidence
    indent: Indent | None = None
    twins: list[Twin] = field(default_factory=list)


@dataclass(kw_only=True)
class EffectiveReport(_Report):
    """What moved in a patch, and what is left to read (`mvdiff.effective/1`)."""

    contents: str
    input: InputCounts
    moves_detected: int
    total_lines_moved: int
    total_lines_effectively_changed: int
    moves: list[Move]
    effective_diff: Text
    indents_detected: int = 0
    total_lines_reindented: int = 0
    commit: Text | None = None


# --- edits -------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """A place that a block could mean."""

    line: int
    tier: str
    similarity: float
    similarity_pct: int


@dataclass(frozen=True)
class Best:
    """The lines that are most like what a block looks for."""

    lines: tuple[int, int]
    text: Text
    cut: bool = False


@dataclass(frozen=True)
class Mismatch:
    """A line of a block and the line of the file in its place."""

    line: int | None = None
    yours: Text | None = None
    theirs: Text | None = None


@dataclass(frozen=True)
class BlockReport:
    """What became of one block of edits."""

    index: int
    status: str
    error_kind: str | None = None
    tier: str | None = None
    similarity: float | None = None
    similarity_pct: int | None = None
    needs_pct: int | None = None
    line: int | None = None
    start_line: int | None = None
    runner_up: Candidate | None = None
    candidates: list[Candidate] = field(default_factory=list)
    best: Best | None = None
    mismatches: list[Mismatch] = field(default_factory=list)
    hint_kind: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class FileReport:
    """What became of one file."""

    path: Text
    success: bool
    blocks: list[BlockReport]
    error_kind: str | None = None
    action: str | None = None
    moved_to: Text | None = None
    content: Text | None = None
    message: str | None = None


@dataclass(kw_only=True)
class ApplyReport:
    """What became of edits (`mvdiff.apply/1`); `text` is the new text, if one was given."""

    success: bool
    written: bool
    files: list[FileReport]
    error_kind: str | None = None
    message: str | None = None
    text: Text | None = None
    _json: str = field(default="", repr=False, compare=False)

    def to_json(self) -> str:
        """The JSON that the program prints."""
        return self._json


# --- scores ------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    """The counts behind a score: the first two are the union, the rest was earned."""

    u_base: int
    u_inserts: int
    i_base_delete: int
    a_blocks: float
    a_inserts: float


@dataclass(frozen=True)
class BlockShare:
    """What a stretch of the base contributed."""

    base: tuple[int, int]
    union: int
    earned: float
    share: float


@dataclass(frozen=True)
class SlotShare:
    """What lines inserted before one line of the base contributed."""

    before: int | None
    union: int
    earned: float
    share: float


@dataclass(frozen=True)
class PairShare:
    """What two lines, or one line that both edits took away, contributed."""

    earned: float
    share: float
    base: int | None = None
    a: int | None = None
    b: int | None = None
    block: int | None = None
    slot: int | None = None


@dataclass(kw_only=True)
class Score:
    """Text-IoU (`mvdiff.score/1`)."""

    score: float
    parts: Parts
    signature: str
    noop: float
    symmetric: dict[str, float] | None = None
    noop_adjusted: dict[str, float] | None = None
    move_aware: dict[str, Any] | None = None
    blocks: list[BlockShare] = field(default_factory=list)
    slots: list[SlotShare] = field(default_factory=list)
    pairs: list[PairShare] = field(default_factory=list)
    _json: str = field(default="", repr=False, compare=False)

    def __float__(self) -> float:
        return self.score

    def to_json(self) -> str:
        """The JSON that the program prints."""
        return self._json


# --- workbooks and frames ----------------------------------------------------------


@dataclass(frozen=True)
class SheetReport:
    """Two sheets that are versions of one, and how they were compared."""

    sheet: str
    old_sheet: str
    old_rows: int
    old_cols: int
    new_rows: int
    new_cols: int
    ran: list[str]
    why: str
    formulas_followed: int = 0
    keyed_by: list[str] = field(default_factory=list)
    keyed_rows: list[tuple[int, int, int]] = field(default_factory=list)
    sorted_by: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Op:
    """One thing that happened to a workbook. `fields` has the rest of it, as
    docs/schemas/workbook.json names it; rows and columns count from zero."""

    kind: str
    sheet: str | None
    fields: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


@dataclass(kw_only=True)
class WorkbookReport(_Report):
    """What happened to a workbook (`mvdiff.workbook/1`)."""

    mode: str
    sheets: list[SheetReport]
    ops: list[Op]

    def __bool__(self) -> bool:
        """Whether anything differs, or was not compared."""
        counted = [op for op in self.ops if op.kind != "DuplicateKeyCluster"]
        return bool(counted) or not self.complete or any(n.kind == "part" for n in self.notes)


@dataclass(frozen=True)
class CellChange:
    """A value that differs. Rows are positions in the frames, from zero."""

    column: str
    old_row: int
    new_row: int
    old: Any
    new: Any
    key: tuple[Any, ...] | None = None


@dataclass(frozen=True)
class RowsMoved:
    """Rows that are elsewhere; positions from zero."""

    old_row: int
    new_row: int
    count: int


@dataclass(kw_only=True)
class FrameReport(_Report):
    """What differs between two frames. Rows are positions from zero."""

    columns_added: list[str]
    columns_removed: list[str]
    columns_renamed: dict[str, str]
    rows_added: list[int]
    rows_removed: list[int]
    rows_moved: list[RowsMoved]
    cells: list[CellChange]
    rects_moved: list[Op]
    duplicate_keys: list[tuple[Any, ...]]
    workbook: WorkbookReport

    def __bool__(self) -> bool:
        """Whether anything differs but the order of the rows."""
        return bool(
            self.columns_added
            or self.columns_removed
            or self.columns_renamed
            or self.rows_added
            or self.rows_removed
            or self.cells
            or self.rects_moved
            or not self.complete
        )
