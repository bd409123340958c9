"""The fused scores of all places: columns times weights, added in the order of the lists."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.engines._sweep_columns import alone, columns_of
from assay.engines._sweep_heard import Heard
from assay.engines._sweep_view import View
from assay.engines.fusions import Fusion
from assay.engines.fusions.blend import UNDECIDED
from assay.records import Bools, Floats

__all__ = ["Columns", "prepared"]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A matrix for each list, and by how much each query cuts the list's weight, if any does."""

    each: tuple[Floats, ...]
    factors: Floats | None

    @property
    def nbytes(self) -> int:
        """Count the bytes of the matrices."""
        return sum(int(column.nbytes) for column in self.each)

    def fused(self, weights: Sequence[float], tail: Floats) -> Floats:
        """Add them up. The order of additions is that of a search, and so are the bits."""
        scores = self._weighed(0, weights[0])
        for part, weight in enumerate(weights[1:], 1):
            scores += self._weighed(part, weight)
        scores += tail
        return scores

    def _weighed(self, part: int, weight: float) -> Floats:
        if self.factors is None:
            return weight * self.each[part]
        weights: Floats = weight * self.factors[part]
        return weights[:, None] * self.each[part]


def prepared(fusion: Fusion, view: View, heard: Sequence[Heard], *, fill: bool) -> Columns:
    """Make the columns of a fusion, for whatever weights."""
    decisive = _decisive(heard)
    has_rows = [[bool(fill or len(found.rows)) for found in one.lists] for one in heard]
    some = (np.array(has_rows, np.bool_).T & decisive).any(axis=0) & (view.places > 0)
    if not (fusion.spreads and some.any()):
        return Columns(columns_of(alone(fusion), view, heard, fill=fill), None)
    # Where a list knows best, the blend looks at no coverage and only lets the others part equals.
    columns = columns_of(alone(fusion), view, heard, fill=fill, uncovered=some)
    return Columns(columns, np.where(some & ~decisive, UNDECIDED, 1.0))


def _decisive(heard: Sequence[Heard]) -> Bools:
    """Tell for each part and query whether it knows best."""
    return np.array([[found.decisive for found in one.lists] for one in heard], np.bool_).T
