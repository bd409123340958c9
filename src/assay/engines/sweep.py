"""Sweep: replay any number of fusions, thresholds and depths over what parts answered once.

A replay gives the bits that the stages fuse, threshold, collapse and cut would give, query by
query, and does all queries at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from assay.engines._absolute import absolute, check_absolute
from assay.engines._checks import check_count, check_share
from assay.engines._ranked import nothing
from assay.engines._sweep_collapse import collapsed, way
from assay.engines._sweep_fused import Columns, prepared
from assay.engines._sweep_heard import Heard, check_heard, listen
from assay.engines._sweep_kept import Kept
from assay.engines._sweep_order import ordered
from assay.engines._sweep_ranking import Ranking, listed
from assay.engines._sweep_view import View, view_of
from assay.engines.fusions import Fusion
from assay.errors import InputError
from assay.records import Floats, Found, Ints

__all__ = ["Heard", "Recording", "Replayed", "listen", "record"]

KEPT_BYTES = 256_000_000  # of matrices that may serve the next replay


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """The rankings of all queries: those of query i are at ``offsets[i]:offsets[i + 1]``.

    ``best`` is the largest score that each query could have reached, where that is known.
    """

    offsets: Ints
    rows: Ints
    scores: Floats
    kind: str
    best: tuple[float | None, ...]

    def found(self, query: int) -> Found:
        """Return one ranking as the stages would."""
        start, end = int(self.offsets[query]), int(self.offsets[query + 1])
        return Found(self.rows[start:end], self.scores[start:end], self.kind, self.best[query])


def record(
    heard: Sequence[Heard],
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

    def __init__(self, heard: tuple[Heard, ...], view: View, *, shallower: bool) -> None:
        self._heard = heard
        self._deepest = view
        self._shallower = shallower
        self._kept = Kept(KEPT_BYTES)

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
    ) -> Replayed:
        """Rank all queries as a search with these settings would.

        Lists of one part need no ``fusion``. Where ``collapse`` is not named, results stay chunks.
        Scores that lists lack are filled in where the fusion looks at scores and they were
        recorded, unless ``fill`` says otherwise.
        """
        self._check(top_k=top_k, fusion=fusion, collapse=collapse)
        if threshold is not None:
            check_share(threshold, where="threshold")
            check_absolute(fusion.kind if fusion else self._heard[0].lists[0].kind)
        view = self._view(self.depth if depth is None else depth)
        ranking, kind, best = self._ranked(view, fusion, fill=fill)
        if threshold is not None:
            ranking = _above(threshold, ranking, kind, best)
        if collapse is not None:
            ranking = collapsed(view, ranking, collapse)
            best = best if collapse == "max" else (None,) * len(best)
        ranking = ranking.first(top_k)
        rows: Ints = view.rows.ravel()[ranking.places]
        return Replayed(ranking.offsets, rows, ranking.scores, kind, best)

    def _check(self, *, top_k: int, fusion: Fusion | None, collapse: str | None) -> None:
        check_count(top_k, where="top_k")
        if collapse is not None:
            way(collapse)
            if self._deepest.documents is None:
                raise InputError(
                    "the recording does not tell which document a row is of",
                    where="collapse",
                    hint="give documents when recording, or leave out collapse",
                )
        if fusion is None and self._parts > 1:
            raise InputError(
                f"the lists of {self._parts} parts are to be ranked without a fusion",
                where="fusion",
                hint="name one: rrf, min_max, z_score or blend",
            )

    @property
    def _parts(self) -> int:
        return len(self._heard[0].lists)

    def _view(self, depth: int) -> View:
        """Lay out the lists cut to a depth."""
        check_count(depth, where="depth")
        if depth > self.depth or (depth < self.depth and not self._shallower):
            can = f"1 to {self.depth}" if self._shallower else f"only {self.depth}"
            raise InputError(
                f"depth {depth} cannot be replayed from what was recorded at depth {self.depth}",
                where="depth",
                hint=f"replay {can}, or record at depth {depth}",
            )
        return self._kept.get(depth, partial(self._deepest.at, depth))

    def _ranked(
        self, view: View, fusion: Fusion | None, *, fill: bool | None
    ) -> tuple[Ranking, str, tuple[float | None, ...]]:
        if fusion is None:
            lists = [one.lists[0] for one in self._heard]
            make = partial(listed, view, lists)
            return self._kept.get(("list", view.depth), make), lists[0].kind, _bests(lists)
        best = fusion([nothing("")] * self._parts).best  # refuses a wrong number of weights, too
        weights = dict(fusion.settings)["weights"] or (1.0,) * self._parts
        columns = self._columns(view, fusion, fill=self._fills(fusion, fill=fill))
        order, scores = ordered(columns.fused(weights, view.tail), view.begins)  # type: ignore[arg-type]
        ranking = Ranking(view.offsets, order[view.used], scores[view.used])
        return ranking, fusion.kind, (best,) * len(self._heard)

    def _columns(self, view: View, fusion: Fusion, *, fill: bool) -> Columns:
        rest = tuple(pair for pair in fusion.settings if pair[0] != "weights")
        make = partial(prepared, fusion, view, self._heard, fill=fill)
        return self._kept.get((fusion.name, rest, view.depth, fill), make)

    def _fills(self, fusion: Fusion, *, fill: bool | None) -> bool:
        """Tell whether scores that lists lack are filled in, and refuse what cannot be."""
        known = bool(self._heard[0].complete)
        if fill and not (fusion.scored and known):
            raise InputError(
                "there are no scores to fill in",
                where="fusion",
                hint="record what each part says of all rows, and use min_max, z_score or blend",
            )
        return fusion.scored and known if fill is None else fill


def _bests(lists: Sequence[Found]) -> tuple[float | None, ...]:
    return tuple(found.best for found in lists)


def _above(value: float, ranking: Ranking, kind: str, best: tuple[float | None, ...]) -> Ranking:
    """Keep what the stage threshold keeps."""
    if len(set(best)) == 1:
        every = absolute(Found(ranking.places, ranking.scores, kind, best[0]))
        return ranking.where(every >= value)
    spans = pairwise(ranking.offsets.tolist())
    each = zip((slice(*span) for span in spans), best, strict=True)
    lists = [Found(ranking.places[at], ranking.scores[at], kind, top) for at, top in each]
    return ranking.where(np.concatenate([absolute(found) for found in lists]) >= value)
