"""One result for the chunks of a document, in the rankings of all queries at once."""

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np

from assay import catalogue
from assay.engines import collapses
from assay.engines._sweep_order import ordered
from assay.engines._sweep_ranking import Ranking
from assay.engines._sweep_view import View
from assay.records import Bools, Floats, Ints

__all__ = ["collapsed", "way"]

_How = Callable[[Floats, Ints, Ints], Floats]


@cache
def way(how: str) -> _How:
    """Find the way in which a document's score follows from its chunks'."""
    return cast("_How", catalogue.find(collapses, how))


def collapsed(view: View, ranking: Ranking, how: str) -> Ranking:
    """Keep the best place of each document, and let it stand for the document."""
    firsts, codes = _firsts(cast("Ints", view.documents).ravel()[ranking.places])
    places, scores = ranking.places[firsts], ranking.scores[firsts]
    offsets = np.searchsorted(firsts, ranking.offsets)
    if how == "max":  # the best chunks are in order as they are
        return Ranking(offsets, places, scores)
    matrix = np.full(view.shape, -np.inf)
    matrix.ravel()[places] = way(how)(ranking.scores, codes, firsts)
    order, merged = ordered(matrix, view.begins)
    held: Bools = np.arange(view.shape[1]) < np.diff(offsets)[:, None]
    return Ranking(offsets, order[held], merged[held])


def _firsts(documents: Ints) -> tuple[Ints, Ints]:
    """Return where each document stands first, and number the documents in that order."""
    at = np.arange(len(documents))
    first = np.empty(int(documents.max(initial=-1)) + 1, np.int64)
    first[documents[::-1]] = at[::-1]  # of several, the last one written stays
    firsts = np.flatnonzero(first[documents] == at)
    number = np.empty_like(first)
    number[documents[firsts]] = np.arange(len(firsts))
    return firsts, number[documents]
