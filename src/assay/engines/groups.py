"""Which chunks make a document."""

from dataclasses import dataclass

import numpy as np

from assay.records import Ints

__all__ = ["Groups"]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """All rows of an index, ascending, and the document of each; those of one stand in a row.

    The first row of a document stands for it.
    """

    rows: Ints
    codes: Ints

    def first_of(self, rows: Ints) -> Ints:
        """Return the first row of the document of each row."""
        starts = np.searchsorted(self.codes, self._code(rows))
        firsts: Ints = self.rows[starts]
        return firsts

    def members(self, row: int) -> Ints:
        """Return all rows of the document of a row."""
        (code,) = self._code(np.array([row]))
        start, end = np.searchsorted(self.codes, [code, code + 1])
        return self.rows[start:end]

    def _code(self, rows: Ints) -> Ints:
        codes: Ints = self.codes[np.searchsorted(self.rows, rows)]
        return codes
