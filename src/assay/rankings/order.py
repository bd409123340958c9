"""Put each query's documents in ranking order: score descending, then the tie rule."""

import numpy as np

from assay.columns import Triples
from assay.errors import UsageError
from assay.records import Bools, Ints, Names, Rankings, as_words

__all__ = ["order"]

TIES = ("docid", "order", "expected")


def order(triples: Triples, *, name: str, ties: str = "docid") -> Rankings:
    """Order rows by score; equal scores by id descending, or as the file has them (``order``)."""
    if ties not in TIES:
        hint = f"choose from {', '.join(TIES)}"
        raise UsageError(f"no rule for ties is called {ties!r}", hint=hint)
    documents, scores = triples.documents, triples.values
    boundary = np.zeros(max(0, len(scores) - 1), bool)
    edges = triples.offsets[(triples.offsets > 0) & (triples.offsets < len(scores))]
    boundary[edges - 1] = True
    if (rising := (scores[1:] > scores[:-1]) & ~boundary).any():
        moved = _by_score(triples, rising)
        documents, scores = documents[moved], scores[moved]
    equal = (scores[1:] == scores[:-1]) & ~boundary
    tied = int(equal.sum())
    if tied and ties != "order":
        documents = _by_id(documents, equal)
    return Rankings(
        name, triples.queries, triples.offsets, documents, scores, ties, tied, triples.notes
    )


def _by_score(triples: Triples, rising: Bools) -> Ints:
    """Sort the rows of those queries that are not in order yet."""
    moved = np.arange(len(triples.values))
    rows = np.flatnonzero(rising)
    for at in np.unique(np.searchsorted(triples.offsets, rows, side="right") - 1).tolist():
        start, end = int(triples.offsets[at]), int(triples.offsets[at + 1])
        moved[start:end] = start + np.argsort(-triples.values[start:end], kind="stable")
    return moved


def _by_id(documents: Names, equal: Bools) -> Names:
    """Put each run of equal scores in descending order of its ids, compared as UTF-8 bytes."""
    at = np.flatnonzero(equal)
    if not (documents[at] < documents[at + 1]).any():
        return documents
    tied = np.zeros(len(documents), bool)
    tied[at] = tied[at + 1] = True
    rows = np.flatnonzero(tied)
    group = np.cumsum(np.concatenate(([True], ~equal)))[rows]
    words = as_words(documents[rows]).byteswap()  # big-endian words compare like their bytes
    keys = [words[:, column] for column in reversed(range(words.shape[1]))]
    ascending = np.lexsort((*keys, -group))
    documents = documents.copy()
    documents[rows] = documents[rows[ascending[::-1]]]
    return documents
