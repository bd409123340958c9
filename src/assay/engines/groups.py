"""Which chunks make a document."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.records import Floats, Ints

__all__ = ["Groups"]


@dataclass(frozen=True, eq=False)
class Groups:
    """All rows of an index, ascending, and the document of each; its rows are adjacent.

    Documents are numbered from 0 in the order of their rows. The first row of a document
    represents it.
    """

    rows: Ints
    codes: Ints

    @cached_property
    def _starts(self) -> Ints:
        """Where each document begins, and where the last one ends."""
        return np.searchsorted(self.codes, np.arange(self.codes[-1:].max(initial=-1) + 2))

    def first_of(self, rows: Ints) -> Ints:
        """Return the first row of the document of each row."""
        firsts: Ints = self.rows[self._starts[self._code(rows)]]
        return firsts

    def members(self, row: int) -> Ints:
        """Return all rows of the document of a row."""
        (code,) = self._code(np.array([row]))
        return self.rows[self._starts[code] : self._starts[code + 1]]

    def all_members(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the rows of several documents, one after the other, and where each begins."""
        codes = self._code(rows)
        starts, sizes = self._starts[codes], np.diff(self._starts)[codes]
        begins: Ints = np.cumsum(sizes) - sizes
        places = np.arange(sizes.sum()) + np.repeat(starts - begins, sizes)
        return self.rows[places], begins

    def best(self, scores: Floats, begins: Ints) -> Floats:
        """Return the best score of each document, given those of `all_members`."""
        best: Floats = np.maximum.reduceat(scores, begins) if len(begins) else np.empty(0)
        return best

    def _code(self, rows: Ints) -> Ints:
        codes: Ints = self.codes[np.searchsorted(self.rows, rows)]
        return codes
