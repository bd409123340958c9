"""The rankings of all queries one after the other, and what may be left out of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assay.engines.absolute_scores import absolute
from assay.records import Bools, Floats, FoundRows, Ints

__all__ = ["Ranking"]


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

    def above(self, value: float, kind: str, best: Sequence[float | None]) -> "Ranking":
        """Keep what the stage threshold keeps, of scores of a kind with the best of each query."""
        if len(set(best)) == 1:
            return self.where(absolute(FoundRows(self.places, self.scores, kind, best[0])) >= value)
        spans = [slice(*span) for span in pairwise(self.offsets.tolist())]
        each = zip(spans, best, strict=True)
        lists = [FoundRows(self.places[at], self.scores[at], kind, top) for at, top in each]
        return self.where(np.concatenate([absolute(found) for found in lists]) >= value)

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
