"""Coherence: rerank candidates on the graph of their nearest neighbours."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.engines.coherence.approximate import join
from assay.engines.coherence.check_settings import check_settings
from assay.engines.coherence.directions import direction, directions
from assay.engines.coherence.rank import CoherenceRanking, kept, rank
from assay.engines.coherence.study import study
from assay.engines.stages._step import Step
from assay.errors import InputError
from assay.records import (
    CoherenceSettings,
    FoundRows,
    Ints,
    MmrSettings,
    SearchInput,
    StructureStudy,
    Vectors,
)
from assay.records.fingerprint import fingerprint_settings

__all__ = ["coherence"]


def coherence(
    vectors: Callable[[Ints], Vectors],
    *,
    settings: CoherenceSettings | None = None,
    names: Callable[[Ints], Sequence[str]] | None = None,
    mmr: MmrSettings | None = None,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Step:
    """Rank all that was found by cosine; ``vectors`` gives the unit rows of rows of the index.

    A query that a gate or a fallback keeps goes on untouched; a gate that needs no solve spends
    none. ``names`` of the rows are for the account that ``study`` gives, ``mmr`` too: this stage
    diversifies nothing.
    """
    import scipy.sparse  # noqa: F401 - now, so that no first search is timed with it

    settings, mmr = settings or CoherenceSettings(), mmr or MmrSettings()
    check_settings(settings)

    def account(asked: SearchInput, found: Sequence[FoundRows]) -> StructureStudy:
        only = _cosines(found)
        return study(
            vectors(only.rows),
            _query(asked),
            names=names(only.rows) if names else (),
            settings=settings,
            mmr=mmr,
            cosines=only.scores,
        )

    return Step(
        name="coherence",
        identify=lambda: fingerprint_settings(stage="coherence", **settings.in_effect()),
        run=lambda asked, found: _run(asked, _cosines(found), vectors, settings, clock),
        needs_vector=True,
        study=account if names else None,
    )


def _run(
    asked: SearchInput,
    only: FoundRows,
    vectors: Callable[[Ints], Vectors],
    settings: CoherenceSettings,
    clock: Callable[[], int],
) -> FoundRows:
    began = clock()
    if any(kept(only.scores, settings)):
        return replace(only, took=_took(0.0, 0.0, (clock() - began) / 1e6))
    given, rows = _query(asked), directions(vectors(only.rows))
    query = direction(given, rows)
    joined = join(rows, settings)
    built = clock()
    ranked = rank(rows, query, only.scores, graph=joined.graph, settings=settings, clock=clock)
    build, rest = (built - began) / 1e6, (clock() - built) / 1e6
    return _ordered(only, ranked, _took(build, ranked.solve_ms, rest - ranked.solve_ms))


def _cosines(found: Sequence[FoundRows]) -> FoundRows:
    (only,) = found
    if only.kind != "cosine":
        raise InputError(
            f'requires cosine scores, got "{only.kind}"',
            where="coherence",
            hint="use search: dense without a reranker",
        )
    return only


def _query(asked: SearchInput) -> Vectors:
    if asked.vector is None:
        raise InputError(
            "requires the query vector",
            where="coherence",
            hint="search with the model that the index was built with",
        )
    return asked.vector


def _took(build: float, solve: float, rank_: float) -> dict[str, float]:
    return {"coherence_build": build, "coherence_solve": solve, "coherence_rank": rank_}


def _ordered(only: FoundRows, ranked: CoherenceRanking, took: dict[str, float]) -> FoundRows:
    if ranked.gate or ranked.fallback:
        return replace(only, took=took)
    order = ranked.order
    return FoundRows(only.rows[order], ranked.scores[order], "coherence", took=took)
