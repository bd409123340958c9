"""What a stage that retrieves may return, and why it did not find a document."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.records import Floats, FoundRows, Ints, Loss, SearchInput

__all__ = ["retrieved", "unretrieved"]


def retrieved(asked: SearchInput, depth: int, search: Callable[[int], FoundRows]) -> FoundRows:
    """Search for the best ``depth`` rows of those that a query may return.

    As many more are asked for as are excluded, so that these cost no place.
    """
    if not asked.excluded:
        return search(depth)
    found = search(depth + len(asked.excluded))
    kept = np.flatnonzero(~np.isin(found.rows, asked.excluded))[:depth]
    return replace(found, rows=found.rows[kept], scores=found.scores[kept])


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
