"""The rankings of all queries one after the other, and what may be left out of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.engines._sweep_view import View
from assay.records import Bools, Floats, Found, Ints

__all__ = ["Ranking", "listed"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Places in a matrix, best first; those of query i are at ``offsets[i]:offsets[i + 1]``."""

    offsets: Ints
    places: Ints
    scores: Floats

    @property
    def nbytes(self) -> int:
        """Count the bytes of all arrays."""
        return int(self.offsets.nbytes + self.places.nbytes + self.scores.nbytes)

    def where(self, kept: Bools) -> "Ranking":
        """Keep some."""
        before = np.concatenate([[0], np.cumsum(kept)])
        return Ranking(before[self.offsets], self.places[kept], self.scores[kept])

    def first(self, most: int) -> "Ranking":
        """Keep the first ones of each query."""
        counts = np.diff(self.offsets)
        if not len(counts) or counts.max() <= most:
            return self
        kept = np.minimum(counts, most)
        steps = np.arange(int(kept.max()))
        at = (self.offsets[:-1, None] + steps)[steps < kept[:, None]]
        return Ranking(np.concatenate([[0], np.cumsum(kept)]), self.places[at], self.scores[at])


def listed(view: View, lists: Sequence[Found]) -> Ranking:
    """Return the lists of the only part, cut to the depth of the view, as they are."""
    order = np.argsort(view.ranks[0], axis=1, kind="stable") + view.begins
    scores = np.concatenate([found.scores[: view.depth] for found in lists])
    return Ranking(view.offsets, order[view.used], scores)
