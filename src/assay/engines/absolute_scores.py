"""Scores on a scale of 0 to 1 that no query changes, so that a threshold means one thing.

A cosine stays as it is, RRF is divided by the largest value that it could reach, and BM25 becomes
s / (s + 10). Scores that were rescaled per query (blend, min-max, z-score) have no such map: they
no longer tell whether a hit is good, only whether it is better than others.
"""

from assay.errors import InputError
from assay.records import Floats, FoundRows

__all__ = ["HALF", "absolute", "check_absolute"]

HALF = 10.0  # the BM25 score that becomes one half
_SHARE_OF_BEST = ("rrf",)
_AS_IT_IS = ("cosine",)
_SATURATING = ("bm25",)


def absolute(found: FoundRows) -> Floats:
    """Map scores to 0..1 by a monotone function that no query changes."""
    check_absolute(found.kind)
    if found.kind in _SATURATING:
        return found.scores / (found.scores + HALF)
    if found.kind in _SHARE_OF_BEST:
        return found.scores / (found.best or 1.0)
    return found.scores


def check_absolute(kind: str) -> None:
    """Refuse a kind of score that no fixed map brings to 0..1."""
    if kind not in (*_SHARE_OF_BEST, *_AS_IT_IS, *_SATURATING):
        raise InputError(
            f"cannot be applied to {kind or 'unknown'} scores: their scale depends on the query",
            where="threshold",
            hint="use fusion: rrf, search: lexical or search: dense, or remove the threshold",
        )
