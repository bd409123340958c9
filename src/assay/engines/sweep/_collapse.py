"""One result for the chunks of a document, in the rankings of all queries at once."""

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np

from assay import catalogue
from assay.engines import collapses
from assay.engines.sweep._layout import Layout
from assay.engines.sweep._order import order_cells
from assay.engines.sweep._ranking import Ranking
from assay.engines.sweep._view import View
from assay.records import Floats, Ints

__all__ = ["choose_chunks", "collapse_chunks", "way"]

_How = Callable[[Floats, Ints, Ints], Floats]


@cache
def way(how: str) -> _How:
    """Find the way in which a document's score follows from its chunks'."""
    return cast("_How", catalogue.find(collapses, how))


def collapse_chunks(view: View, ranking: Ranking, how: str) -> Ranking:
    """Keep the best place of each document, which represents the document."""
    documents = cast("Ints", view.documents).ravel()[ranking.places]
    firsts = _firsts(documents)
    if how == "max":  # the best chunks are in order as they are
        return ranking.take(firsts, np.searchsorted(firsts, ranking.offsets))
    numbers = np.empty(int(documents.max(initial=-1)) + 1, np.int64)
    numbers[documents[firsts]] = np.arange(len(firsts))
    merged = np.full(view.rows.size, -np.inf)
    merged[ranking.places[firsts]] = way(how)(ranking.scores, numbers[documents], firsts)
    ranking = order_cells(merged, view.by_chunk.rows, view.by_chunk.lines)
    return ranking.where(ranking.scores > -np.inf)


def choose_chunks(layout: Layout, scores: Floats) -> tuple[Floats, Ints]:
    """Return the score and the row of the best chunk for each cell that is ranked."""
    ranked = slice(layout.lines.used.size)
    best, rows = scores[ranked], layout.rows[ranked]
    if not layout.layers:
        return best, rows
    tops, chosen = best.take(layout.several), rows.take(layout.several)
    for layer in layout.layers:
        found = scores[layer]
        some = slice(len(found))
        # Of equal chunks the first one stays, which has the smaller row.
        chosen[some] = np.where(found > tops[some], layout.rows[layer], chosen[some])
        np.maximum(found, tops[some], out=tops[some])
    rows = rows.copy()
    best[layout.several], rows[layout.several] = tops, chosen
    return best, rows


def _firsts(documents: Ints) -> Ints:
    """Return where each document stands first."""
    at = np.arange(len(documents))
    first = np.empty(int(documents.max(initial=-1)) + 1, np.int64)
    first[documents[::-1]] = at[::-1]  # of several, the last one written stays
    return np.flatnonzero(first[documents] == at)
