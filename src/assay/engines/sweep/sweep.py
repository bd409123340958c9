"""Sweep: replay any number of fusions, thresholds and depths over what parts answered once.

A replay gives the bits that the stages fuse, threshold, collapse and cut would give, query by
query, and does all queries at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from assay.engines.sweep._collapse import collapse_chunks, way
from assay.engines.sweep._matrix_cache import keep_freed_memory
from assay.engines.sweep._part_answers import PartAnswers, check_heard, listen
from assay.engines.sweep._shared import SharedMatrices
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
        raise InputError("no queries recorded", where="sweep", hint="record at least one query")
    check_heard(heard, depth)
    codes_of = documents.__getitem__ if isinstance(documents, np.ndarray) else documents
    return Recording(tuple(heard), view_of(heard, depth, codes_of), shallower=shallower)


class Recording:
    """What was recorded of all queries, and the matrices that replays share."""

    def __init__(self, heard: tuple[PartAnswers, ...], view: View, *, shallower: bool) -> None:
        self._heard = heard
        self._parts = len(heard[0].lists)
        self._depth = view.depth
        self._shallower = shallower
        self._shared = SharedMatrices(heard, view)
        keep_freed_memory()

    @property
    def depth(self) -> int:
        """How many rows each part was asked for."""
        return self._depth

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
        by_document = collapse == "max" and fusion is not None and view.side_by_side
        if fusion is None:
            ranking = self._shared.ranking(view)
        else:
            fills = self._fills(fusion, asked=fill)
            columns = self._shared.columns(view, fusion, fill=fills, by_document=by_document)
            # A threshold keeps the first ones, so that the cut may come before it.
            most = top_k if collapse is None or by_document else None
            ranking = columns.rank(self._weights(fusion), most=most)
        if threshold is not None:
            ranking = ranking.above(threshold, kind, best)
        if collapse is not None and not by_document:
            ranking = collapse_chunks(view, ranking, collapse)
        ranking = ranking.first(top_k)
        best = best if collapse in (None, "max") else (None,) * len(best)
        rows: Ints = ranking.rows.take(ranking.places)
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
        return self._shared.view(depth)

    def _fills(self, fusion: Fusion, *, asked: bool | None) -> bool:
        """Tell whether scores that lists lack are filled in."""
        known = bool(self._heard[0].complete)
        if asked:
            check_fill(fusion, known=known)
        return fusion.scored and known and asked is not False

    def _weights(self, fusion: Fusion) -> Sequence[float]:
        weights = dict(fusion.settings)["weights"] or (1.0,) * self._parts
        return cast("Sequence[float]", weights)
