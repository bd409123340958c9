"""MMR: choose documents that are relevant and unlike those chosen before.

J. Carbonell and J. Goldstein, "The use of MMR, diversity-based reranking for reordering documents
and producing summaries", SIGIR 1998.
"""

import numpy as np

from assay.engines.redundancy import redundancy
from assay.engines.vectors.unit_vectors import unit_vectors
from assay.records import Floats, Ints, MmrSettings, Vectors

__all__ = ["mmr"]

LEAST = -1.0  # of all cosines: what the first choice resembles
DIGITS = 12  # of a cosine: equal rows get equal cosines, however a product is summed up


def mmr(
    scores: Floats,
    vectors: Vectors | Floats,
    *,
    settings: MmrSettings,
    k: int | None = None,
) -> tuple[Ints, Floats]:
    """Reorder the top ``k`` (None: as in the settings) of a ranking.

    Scores and rows of vectors are those of the ranking, best first. Returned are the places in the
    new order, the chosen first and all others as they were, and what each choice was worth, which
    never rises: lambda score - (1 - lambda) largest cosine to those chosen before, the scores
    brought to 0..1 over the pool by min-max. Of equals the earlier is chosen. Where the settings
    want no diversification, nothing is chosen: the order is as it was, and there are no worths.
    """
    count = len(scores)
    k = min(settings.k if k is None else k, count)
    if not _wanted(vectors[:k], k, settings):
        return np.arange(count), np.empty(0)
    pool = min(max(settings.pool or 5 * k, k), count)
    chosen, worths = _choose(
        _scaled(scores[:pool]), unit_vectors(vectors[:pool]), settings.relevance, k
    )
    others = np.ones(count, bool)
    others[chosen] = False
    return np.concatenate([chosen, np.flatnonzero(others)]), worths


def _wanted(first: Vectors | Floats, k: int, settings: MmrSettings) -> bool:
    if settings.always:
        return k > 0
    return k > settings.min_k and (redundancy(first) or 0.0) > settings.min_redundancy


def _scaled(scores: Floats) -> Floats:
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def _choose(scores: Floats, rows: Floats, relevance: float, k: int) -> tuple[Ints, Floats]:
    """Choose greedily, with the largest cosine to any choice kept for each of the others."""
    chosen, worths = np.empty(k, np.int64), np.empty(k)
    closest = np.full(len(scores), LEAST)
    left = np.zeros(len(scores))  # minus infinity once chosen
    for at in range(k):
        worth = relevance * scores - (1 - relevance) * closest + left
        best = int(worth.argmax())
        chosen[at], worths[at] = best, worth[best]
        left[best] = -np.inf
        cosines = np.round(rows @ rows[best], DIGITS).clip(-1, 1)
        np.maximum(closest, cosines, out=closest)
    return chosen, worths
