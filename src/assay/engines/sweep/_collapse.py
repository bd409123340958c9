"""One result for the chunks of a document, in the rankings of all queries at once."""

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np

from assay import catalogue
from assay.engines import collapses
from assay.engines.sweep._order import keys_of, ordered, place_bits
from assay.engines.sweep._ranking import Ranking
from assay.engines.sweep._view import Lines, View
from assay.records import Floats, Ints

__all__ = ["best_chunks", "collapsed", "way"]

_How = Callable[[Floats, Ints, Ints], Floats]


@cache
def way(how: str) -> _How:
    """Find the way in which a document's score follows from its chunks'."""
    return cast("_How", catalogue.find(collapses, how))


def collapsed(view: View, ranking: Ranking, how: str) -> Ranking:
    """Keep the best place of each document, and let it stand for the document."""
    documents = cast("Ints", view.documents).ravel()[ranking.places]
    firsts = _firsts(documents)
    places, scores = ranking.places[firsts], ranking.scores[firsts]
    offsets = np.searchsorted(firsts, ranking.offsets)
    if how == "max":  # the best chunks are in order as they are
        return Ranking(offsets, places, scores)
    numbers = np.empty(int(documents.max(initial=-1)) + 1, np.int64)
    numbers[documents[firsts]] = np.arange(len(firsts))
    matrix = np.full(view.shape, -np.inf)
    matrix.ravel()[places] = way(how)(ranking.scores, numbers[documents], firsts)
    return ordered(keys_of(matrix), Lines(np.diff(offsets), view.shape[1]), matrix)


def best_chunks(view: View, scores: Floats) -> Ranking:
    """Rank documents by their best chunks, where the chunks of a document stand side by side."""
    groups, keys = view.groups, keys_of(scores)
    best: Ints = keys.ravel()[groups.starts]
    if len(groups.shared):
        best[groups.shared] = _best_keys(view, keys, scores)
    matrix = np.full(groups.lines.used.shape, np.iinfo(np.int64).max)
    matrix[groups.lines.used] = best
    return ordered(matrix, groups.lines, scores)


def _best_keys(view: View, keys: Ints, scores: Floats) -> Ints:
    """Return the key of the best chunk of each document that has several."""
    layers, bits = view.groups.layers, place_bits(view.shape[1])
    best: Ints = keys.ravel()[layers[0]]
    tops: Floats = scores.ravel()[layers[0]]
    for layer in layers[1:]:
        some = slice(len(layer))
        np.minimum(best[some], keys.ravel()[layer], out=best[some])
        np.maximum(tops[some], scores.ravel()[layer], out=tops[some])
    lines = view.groups.lines.begins(view.shape[1])[view.groups.shared]
    # Where two chunks differ in the last bits alone, the key may tell the wrong one.
    for at in np.flatnonzero(scores.ravel()[(best & bits) + lines] != tops):
        chunks = np.array([layer[at] for layer in layers if at < len(layer)])
        first = chunks[scores.ravel()[chunks].argmax()] - lines[at]
        best[at] = (best[at] & ~bits) | first
    return best


def _firsts(documents: Ints) -> Ints:
    """Return where each document stands first."""
    at = np.arange(len(documents))
    first = np.empty(int(documents.max(initial=-1)) + 1, np.int64)
    first[documents[::-1]] = at[::-1]  # of several, the last one written stays
    return np.flatnonzero(first[documents] == at)
