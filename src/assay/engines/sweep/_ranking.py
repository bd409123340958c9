"""The rankings of all queries one after the other, and what may be left out of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assay.engines.absolute_scores import absolute
from assay.engines.sweep._part_answers import PartAnswers
from assay.engines.sweep._view import View
from assay.records import Bools, Floats, FoundRows, Ints

__all__ = ["Ranking", "rank_part"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Places, best first; those of query i are at ``offsets[i]:offsets[i + 1]``.

    ``rows`` has the row of each place, also of those that are not ranked.
    """

    offsets: Ints
    places: Ints
    scores: Floats
    rows: Ints

    @property
    def nbytes(self) -> int:
        """Count the bytes of all arrays."""
        arrays = (self.offsets, self.places, self.scores, self.rows)
        return sum(int(array.nbytes) for array in arrays)

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
        at = np.flatnonzero(kept)
        return self.take(at, np.searchsorted(at, self.offsets))

    def first(self, most: int) -> "Ranking":
        """Keep the first ones of each query."""
        counts = self.offsets[1:] - self.offsets[:-1]
        if not len(counts) or counts.max() <= most:
            return self
        kept = np.minimum(counts, most)
        steps = np.arange(int(kept.max()))
        at = (self.offsets[:-1, None] + steps)[steps < kept[:, None]]
        return self.take(at, np.concatenate([[0], np.cumsum(kept)]))

    def take(self, at: Ints, offsets: Ints) -> "Ranking":
        """Keep what is ``at`` some positions."""
        return Ranking(offsets, self.places.take(at), self.scores.take(at), self.rows)


def rank_part(view: View, heard: Sequence[PartAnswers]) -> Ranking:
    """Return the lists of the only part, cut to the depth of the view, as they are."""
    lines = view.by_chunk.lines
    order = np.argsort(view.ranks[0], axis=1, kind="stable")
    order += np.arange(len(order))[:, None] * lines.width
    scores = np.concatenate([one.lists[0].scores[: view.depth] for one in heard])
    return Ranking(lines.offsets, lines.flat(order), scores, view.by_chunk.rows)
