"""Sweep: replay any number of fusions, thresholds and depths over what parts answered once.

A replay gives the bits that the stages fuse, threshold, collapse and cut would give, query by
query, and does all queries at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from assay.engines.check_values import check_count
from assay.engines.fusions import Fusion
from assay.engines.rank_rows import nothing
from assay.engines.sweep._checks import (
    check_depth,
    check_documents,
    check_fill,
    check_fusion,
    check_threshold,
)
from assay.engines.sweep._collapse import best_chunks, collapsed, way
from assay.engines.sweep._fused import listed, prepared
from assay.engines.sweep._matrix_cache import MatrixCache, keep_freed_memory
from assay.engines.sweep._order import keys_of, ordered
from assay.engines.sweep._part_answers import PartAnswers, check_heard, listen
from assay.engines.sweep._ranking import Ranking
from assay.engines.sweep._view import View, view_of
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints

__all__ = ["PartAnswers", "Recording", "ReplayedRankings", "listen", "record"]


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedRankings:
    """The rankings of all queries: those of query i are at ``offsets[i]:offsets[i + 1]``.

    ``best`` is the largest score that each query could have reached, where that is known.
    """

    offsets: Ints
    rows: Ints
    scores: Floats
    kind: str
    best: tuple[float | None, ...]

    def found(self, query: int) -> FoundRows:
        """Return one ranking as the stages would."""
        start, end = int(self.offsets[query]), int(self.offsets[query + 1])
        return FoundRows(self.rows[start:end], self.scores[start:end], self.kind, self.best[query])


def record(
    heard: Sequence[PartAnswers],
    *,
    depth: int,
    documents: Ints | Callable[[Ints], Ints] | None = None,
    shallower: bool = True,
) -> "Recording":
    """Keep what the parts of a search answered to each query when asked for ``depth`` rows.

    ``documents`` says for each row which document it is of, as in the stage collapse; it may be
    left out where parts retrieve documents. ``shallower`` must be false where a part that is asked
    for fewer rows may return others than the first of these: an approximate index, or documents
    that were made of a number of chunks.
    """
    check_count(depth, where="depth")
    if not heard:
        raise InputError("nothing was recorded", where="sweep", hint="ask at least one query")
    check_heard(heard, depth)
    codes_of = documents.__getitem__ if isinstance(documents, np.ndarray) else documents
    return Recording(tuple(heard), view_of(heard, depth, codes_of), shallower=shallower)


class Recording:
    """What was recorded of all queries, and the matrices that replays share."""

    def __init__(self, heard: tuple[PartAnswers, ...], view: View, *, shallower: bool) -> None:
        self._heard = heard
        self._parts = len(heard[0].lists)
        self._deepest = view
        self._shallower = shallower
        self._views, self._columns, self._lists = MatrixCache(), MatrixCache(), MatrixCache()
        keep_freed_memory()

    @property
    def depth(self) -> int:
        """How many rows each part was asked for."""
        return self._deepest.depth

    def replay(
        self,
        *,
        top_k: int,
        fusion: Fusion | None = None,
        threshold: float | None = None,
        collapse: str | None = None,
        depth: int | None = None,
        fill: bool | None = None,
    ) -> ReplayedRankings:
        """Rank all queries as a search with these settings would.

        The list of a single part needs no ``fusion``. Where ``collapse`` is not named, results stay
        chunks. Scores that lists lack are filled in where the fusion looks at scores and they were
        recorded, unless ``fill`` says otherwise.
        """
        check_count(top_k, where="top_k")
        check_fusion(fusion, self._parts)
        kind, best = self._scale(fusion)
        if threshold is not None:
            check_threshold(threshold, kind)
        view = self._view(self.depth if depth is None else depth)
        if collapse is not None:
            way(collapse)
            check_documents(known=view.documents is not None)
        at_once = collapse == "max" and fusion is not None and view.side_by_side
        ranking = self._ranked(view, fusion, fill=fill, at_once=at_once)
        if threshold is not None:
            ranking = ranking.above(threshold, kind, best)
        if collapse is not None and not at_once:
            ranking = collapsed(view, ranking, collapse)
        ranking = ranking.first(top_k)
        best = best if collapse in (None, "max") else (None,) * len(best)
        rows: Ints = view.rows.ravel()[ranking.places]
        return ReplayedRankings(ranking.offsets, rows, ranking.scores, kind, best)

    def _scale(self, fusion: Fusion | None) -> tuple[str, tuple[float | None, ...]]:
        """Return the kind of the scores, and the largest that each query could have."""
        if fusion is None:
            lists = [one.lists[0] for one in self._heard]
            return lists[0].kind, tuple(found.best for found in lists)
        best = fusion([nothing("")] * self._parts).best  # refuses a wrong number of weights, too
        return fusion.kind, (best,) * len(self._heard)

    def _view(self, depth: int) -> View:
        """Lay out the lists cut to a depth."""
        check_depth(depth, self.depth, shallower=self._shallower)
        return self._views.get(depth, partial(self._deepest.at, depth))

    def _ranked(
        self, view: View, fusion: Fusion | None, *, fill: bool | None, at_once: bool
    ) -> Ranking:
        """Rank chunks, or ``at_once`` documents by their best chunks."""
        if fusion is None:
            return self._lists.get(view.depth, partial(listed, view, self._heard))
        scores = self._fused(view, fusion, fill=fill)
        if at_once:
            return best_chunks(view, scores)
        return ordered(keys_of(scores), view.lines, scores)

    def _fused(self, view: View, fusion: Fusion, *, fill: bool | None) -> Floats:
        known = bool(self._heard[0].complete)
        if fill:
            check_fill(fusion, known=known)
        filled = fusion.scored and known and fill is not False
        rest = tuple(pair for pair in fusion.settings if pair[0] != "weights")
        make = partial(prepared, fusion, view, self._heard, fill=filled)
        columns = self._columns.get((fusion.name, rest, view.depth, filled), make)
        weights = dict(fusion.settings)["weights"] or (1.0,) * self._parts
        return columns.fused(cast("Sequence[float]", weights), view.tail)
