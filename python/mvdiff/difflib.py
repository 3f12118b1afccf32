"""`difflib`, with a `SequenceMatcher` that gives the same answers faster.

    from mvdiff.difflib import SequenceMatcher

Everything else is the standard library's own. `install()` puts the matcher into the
standard module, so that `unified_diff`, `ndiff`, `HtmlDiff` and `get_close_matches` use
it, too; `uninstall()` takes it out.
"""

from __future__ import annotations

import difflib as _difflib
from collections.abc import Callable, Sequence
from difflib import *  # noqa: F403
from difflib import Match
from difflib import __all__ as _all
from typing import Any, Generic, TypeVar

from . import _mvdiff

__all__ = [*_all, "install", "uninstall"]

_Standard = _difflib.SequenceMatcher
T = TypeVar("T")

ORDINARY, POPULAR, JUNK = 0, 1, 2


class SequenceMatcher(_Standard, Generic[T]):
    """The standard `SequenceMatcher`: same arguments, attributes, matches and ties.

    Elements are numbered by hash and equality, once. Without junk and popular elements
    the matching takes nearly linear time; with them it is the standard algorithm,
    compiled. `b2j`, `bjunk` and `bpopular` are made when somebody asks for them.
    """

    def __init__(
        self,
        isjunk: Callable[[T], bool] | None = None,
        a: Sequence[T] = "",  # type: ignore[assignment]
        b: Sequence[T] = "",  # type: ignore[assignment]
        autojunk: bool = True,
    ):
        self.isjunk = isjunk
        self.a = self.b = None
        self.autojunk = autojunk
        self.set_seqs(a, b)

    def set_seq1(self, a: Sequence[T]) -> None:
        if a is self.a:
            return
        self.a = a
        self.matching_blocks = self.opcodes = None
        self._a: list[int] | None = None

    def set_seq2(self, b: Sequence[T]) -> None:
        if b is self.b:
            return
        self.b = b
        self.matching_blocks = self.opcodes = None
        self.fullbcount = None
        self._a = self._b = None
        self._index: tuple[dict[T, list[int]], set[T], set[T]] | None = None

    # --- numbers for elements ---

    def _number(self) -> tuple[list[int], list[int], bytes]:
        """Both sequences as numbers, and what each number of `b` is."""
        if self._b is None:
            numbers: dict[T, int] = {}
            number = numbers.setdefault
            self._b = [number(element, len(numbers)) for element in self.b]
            self._numbers = numbers
            self._kinds = self._sort_out(numbers)
        if self._a is None:
            # What only `a` has is one number: it matches nothing.
            get, unknown = self._numbers.get, len(self._numbers)
            self._a = [get(element, unknown) for element in self.a]
        return self._a, self._b, self._kinds

    def _sort_out(self, numbers: dict[T, int]) -> bytes:
        kinds = bytearray(len(numbers))
        if self.isjunk:
            for element, number in numbers.items():
                if self.isjunk(element):
                    kinds[number] = JUNK
        if self.autojunk and len(self._b) >= 200:
            most = len(self._b) // 100 + 1
            counts = [0] * len(numbers)
            for number in self._b:
                counts[number] += 1
            for number, count in enumerate(counts):
                if count > most and kinds[number] == ORDINARY:
                    kinds[number] = POPULAR
        return bytes(kinds)

    def _index_of_b(self) -> tuple[dict[T, list[int]], set[T], set[T]]:
        if self._index is None:
            _, _, kinds = self._number()
            places: dict[T, list[int]] = {}
            for place, element in enumerate(self.b):
                if kinds[self._numbers[element]] == ORDINARY:
                    places.setdefault(element, []).append(place)
            of_kind = lambda kind: {e for e, n in self._numbers.items() if kinds[n] == kind}  # noqa: E731
            self._index = places, of_kind(JUNK), of_kind(POPULAR)
        return self._index

    @property
    def b2j(self) -> dict[T, list[int]]:
        return self._index_of_b()[0]

    @property
    def bjunk(self) -> set[T]:
        return self._index_of_b()[1]

    @property
    def bpopular(self) -> set[T]:
        return self._index_of_b()[2]

    # --- matches ---

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        a, b, kinds = self._number()
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        return Match._make(_mvdiff.longest_match(a, b, kinds, (alo, ahi), (blo, bhi)))

    def get_matching_blocks(self) -> list[Match]:
        if self.matching_blocks is None:
            found = self._blocks_of_text()
            if found is None:
                found = _mvdiff.matching_blocks(*self._number())
            found.append((len(self.a), len(self.b), 0))
            self.matching_blocks = list(map(Match._make, found))
        return self.matching_blocks

    def _blocks_of_text(self) -> list[tuple[int, int, int]] | None:
        """Two strings are numbered on the other side."""
        if self.isjunk or type(self.a) is not str or type(self.b) is not str:
            return None
        try:
            return _mvdiff.matching_blocks_of_text(self.a, self.b, self.autojunk)
        except UnicodeEncodeError:
            # Lone surrogates, which are characters to Python alone.
            return None


def install() -> None:
    """Puts the matcher into the standard `difflib`."""
    _difflib.SequenceMatcher = SequenceMatcher  # type: ignore[misc]


def uninstall() -> None:
    """Takes it out again."""
    _difflib.SequenceMatcher = _Standard  # type: ignore[misc]


def __getattr__(name: str) -> Any:
    # IS_LINE_JUNK and others that the module has without listing them.
    return getattr(_difflib, name)
