"""The extension module: library crates as functions of JSON, bytes and Arrow."""

from typing import Any

import pyarrow as pa

__version__: str

class MvdiffError(ValueError): ...

_Text = str | bytes
_Match = tuple[int, int, int]

def diff_json(
    old: _Text,
    new: _Text,
    *,
    moves: bool,
    copies: bool,
    threshold: float,
    ignore_space: str,
    ignore_blank_lines: bool,
) -> str: ...
def diff_page(report: str, old: _Text, new: _Text, names: tuple[str, str]) -> str: ...
def replay_lines(report: str, old: _Text) -> bytes: ...
def effective_json(
    patch: _Text,
    old_files: dict[str, _Text] | None,
    new_files: dict[str, _Text] | None,
    *,
    moves: bool,
    copies: bool,
    threshold: float,
    context: int,
) -> list[str]: ...
def effective_page(
    reports: list[str],
    patch: _Text,
    old_files: dict[str, _Text] | None,
    new_files: dict[str, _Text] | None,
) -> str: ...
def patch_blobs(patch: _Text) -> list[tuple[bytes, bytes]]: ...
def apply_text(
    edits: _Text, text: _Text, threshold: float, start_line: int | None, partial: bool
) -> tuple[bytes | None, str]: ...
def apply_files(
    edits: _Text,
    root: str,
    threshold: float,
    start_line: int | None,
    partial: bool,
    dry_run: bool,
) -> str: ...
def text_iou_json(
    base: _Text, a: _Text, b: _Text, levenshtein: bool, variants: list[str], explain: bool
) -> str: ...
def bootstrap(values: list[float]) -> tuple[float, float] | None: ...
def workbooks_json(old: Any, new: Any, wanted: Any) -> str: ...
def workbooks_page(report: str, old: Any, new: Any, names: tuple[str, ...]) -> str: ...
def frames_json(old: Any, new: Any, wanted: Any, tolerances: dict[str, float]) -> str: ...
def frames_page(report: str, old: Any, new: Any) -> str: ...
def matching_blocks(a: list[int], b: list[int], kinds: bytes) -> list[_Match]: ...
def matching_blocks_of_text(a: str, b: str, autojunk: bool) -> list[_Match]: ...
def longest_match(
    a: list[int], b: list[int], kinds: bytes, old: tuple[int, int], new: tuple[int, int]
) -> _Match: ...
def arrow_text_iou(
    batch: pa.RecordBatch, *, threads: int | None, levenshtein: bool, max_bytes: int
) -> pa.RecordBatch: ...
def arrow_commits(
    batch: pa.RecordBatch, *, threads: int | None, max_bytes: int
) -> tuple[pa.RecordBatch, pa.RecordBatch]: ...
