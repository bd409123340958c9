"""What a stage that retrieves may return, and why it did not find a document."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.engines.rank_rows import best_of
from assay.records import Bools, Floats, FoundRows, Ints, Loss, SearchInput

__all__ = ["ranking", "retrieved", "unretrieved"]

Search = Callable[[int], FoundRows]
"""Returns the best rows, as many as asked for."""
SearchAmong = Callable[[int, Ints], FoundRows]
"""Returns the best of some rows, as many as asked for."""
MORE = 4  # times as many are asked for, as long as filters leave too few


def retrieved(
    asked: SearchInput, depth: int, search: Search, among: SearchAmong | None = None
) -> FoundRows:
    """Search for the best ``depth`` rows of those that a query may return.

    As many more are asked for as are excluded, so that these cost no place. What filters let
    through is searched ``among`` these rows, or else in longer and longer lists.
    """
    if asked.allowed is not None:
        return _filtered(asked.allowed, depth, search, among)
    if not asked.excluded:
        return search(depth)
    found = search(depth + len(asked.excluded))
    return _kept(found, ~np.isin(found.rows, asked.excluded), depth)


def _filtered(allowed: Ints, depth: int, search: Search, among: SearchAmong | None) -> FoundRows:
    if among is not None:
        return among(depth, allowed)
    wanted, depth = depth * MORE, min(depth, len(allowed))
    while True:
        found = search(wanted)
        let_through = np.isin(found.rows, allowed)
        if len(found.rows) < wanted or np.count_nonzero(let_through) >= depth:
            return _kept(found, let_through, depth)
        wanted *= MORE


def _kept(found: FoundRows, which: Bools, depth: int) -> FoundRows:
    kept = np.flatnonzero(which)[:depth]
    return replace(found, rows=found.rows[kept], scores=found.scores[kept])


def ranking(
    asked: SearchInput, rank_of: Callable[[int], int | None], among: SearchAmong
) -> Callable[[int], int | None]:
    """Return what tells the rank of a row among those that a query may return."""
    if (allowed := asked.allowed) is None:
        return rank_of
    found = among(len(allowed), allowed)

    def place(row: int) -> int | None:
        at = best_of(found, np.array([row]))
        return None if at is None else at + 1

    return place


def unretrieved(
    stage: str, scores: Floats, rows: Ints, kept: FoundRows, rank_of: Callable[[int], int | None]
) -> Loss:
    """Tell the rank that the best of a document's rows has without any limit of depth."""
    first = int(np.lexsort((rows, -scores))[0])
    rank = rank_of(int(rows[first]))
    needed = float(kept.scores[-1]) if len(kept.scores) else None
    if rank is None:
        return Loss(stage, "does not match the query", None, None, needed)
    reason = _reason(rank, len(kept.rows))
    return Loss(stage, reason, rank, float(scores[first]), needed)


def _reason(rank: int, kept: int) -> str:
    if rank <= kept:
        return f"ranked {rank:,}, but the approximate index missed it"
    return f"ranked {rank:,}, below the cutoff of {kept:,}"
