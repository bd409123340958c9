"""Blend: add up scores by weight on scales that no query changes."""

from collections.abc import Sequence

import numpy as np

from assay.engines._absolute import HALF
from assay.engines.fusions._columns import spread
from assay.engines.fusions._shape import Fusion, check_lists, check_weights, weighted
from assay.records import Floats, Found, Ints

__all__ = ["blend"]


def blend(*, weights: Sequence[float] = (0.4, 0.6)) -> Fusion:
    """Add up each list's share of the largest score that this query could have reached there.

    Scaling by theoretical bounds, which Bruch, Gai and Ingber, "An Analysis of Fusion Functions for
    Hybrid Retrieval" (2023), call TMM: a cosine stays as it is, BM25 is divided by what a document
    with every word of the query could score at most (where that is unknown: s / (s + 10)). A list
    in which nothing fits well therefore says little. A document that a list lacks has 0 there,
    except that any document has a cosine: then it has the smallest of those that were found.
    """
    given = check_weights(weights, "blend")

    def fuse(found: Sequence[Found]) -> Found:
        check_lists(found, given, "blend")
        return weighted(found, given, _column, kind="blend", best=sum(given))

    return Fusion("blend", "blend", (("weights", given),), fuse)


def _column(found: Found, rows: Ints) -> Floats:
    if found.kind == "cosine":
        return spread(found, found.scores, rows, float(found.scores.min(initial=1.0)))
    scaled = found.scores / found.best if found.best else _saturated(found.scores)
    return spread(found, scaled, rows, 0.0)


def _saturated(scores: Floats) -> Floats:
    return np.divide(scores, scores + HALF)
