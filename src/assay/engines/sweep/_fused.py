"""The fused scores of all places: columns times weights, added in the order of the lists."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.engines.fusions import Fusion
from assay.engines.fusions.blend import UNDECIDED
from assay.engines.sweep._columns import columns_of
from assay.engines.sweep._part_answers import PartAnswers
from assay.engines.sweep._ranking import Ranking
from assay.engines.sweep._view import View
from assay.records import Bools, Floats

__all__ = ["Columns", "listed", "prepared"]


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


def prepared(fusion: Fusion, view: View, heard: Sequence[PartAnswers], *, fill: bool) -> Columns:
    """Make the columns of a fusion, for whatever weights."""
    if not fusion.spreads:
        return Columns(columns_of(fusion, view, heard, fill=fill), None)
    decisive = np.array([[found.decisive for found in one.lists] for one in heard], np.bool_).T
    acts = _known_best(view, heard, decisive, fill=fill)
    # Where a list knows best, the blend looks at no coverage and only lets the others part equals.
    columns = columns_of(fusion, view, heard, fill=fill, uncovered=acts)
    return Columns(columns, np.where(acts & ~decisive, UNDECIDED, 1.0))


def _known_best(view: View, heard: Sequence[PartAnswers], decisive: Bools, *, fill: bool) -> Bools:
    """Tell for each query whether a list that is not empty knows best."""
    if fill:
        return decisive.any(axis=0) & (view.places > 0)
    held = np.array([[len(found.rows) > 0 for found in one.lists] for one in heard], np.bool_).T
    known: Bools = np.logical_or.reduce(decisive & held, axis=0)
    return known


def listed(view: View, heard: Sequence[PartAnswers]) -> Ranking:
    """Return the lists of the only part, cut to the depth of the view, as they are."""
    used, width = view.lines.used, view.shape[1]
    order = np.argsort(view.ranks[0], axis=1, kind="stable")
    scores = np.concatenate([one.lists[0].scores[: view.depth] for one in heard])
    return Ranking(view.lines.offsets, order[used] + view.lines.begins(width), scores)
