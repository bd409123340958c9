"""Put each query's documents in ranking order: score descending, then the tie rule."""

import numpy as np

from assay.columns import Triples
from assay.records import Floats, Ints, Names, Rankings, as_words

__all__ = ["order"]

CHUNK = 1 << 16  # rows that are looked at together: they fit the processor's cache


def order(triples: Triples, *, name: str, ties: str = "docid") -> Rankings:
    """Order rows by score; equal scores by id descending, or as the file has them (``order``)."""
    documents, scores = triples.documents, triples.values
    rising, equal = _neighbours(scores, triples.offsets)
    if len(rising):
        moved = _by_score(triples, rising)
        documents, scores = documents[moved], scores[moved]
        _, equal = _neighbours(scores, triples.offsets)
    if len(equal) and ties != "order":
        documents = _by_id(documents, equal)
    return Rankings(
        name, triples.queries, triples.offsets, documents, scores, ties, len(equal), triples.notes
    )


def _neighbours(scores: Floats, offsets: Ints) -> tuple[Ints, Ints]:
    """Return the rows of a query whose next row scores more, and those whose next scores alike."""
    rising, equal = [], []
    for start in range(0, len(scores) - 1, CHUNK):
        here, after = scores[start : start + CHUNK], scores[start + 1 : start + 1 + CHUNK]
        here = here[: len(after)]
        rising.append(np.flatnonzero(after > here) + start)
        equal.append(np.flatnonzero(after == here) + start)
    return _inside(rising, offsets), _inside(equal, offsets)


def _inside(parts: list[Ints], offsets: Ints) -> Ints:
    """Leave out the rows that are the last of their query."""
    rows = np.concatenate(parts or [np.empty(0, np.int64)])
    at = np.searchsorted(offsets, rows + 1)
    inside: Ints = rows[offsets[at] != rows + 1]
    return inside


def _by_score(triples: Triples, rising: Ints) -> Ints:
    """Sort the rows of those queries that are not in order yet."""
    moved = np.arange(len(triples.values))
    for at in np.unique(np.searchsorted(triples.offsets, rising, side="right") - 1).tolist():
        start, end = int(triples.offsets[at]), int(triples.offsets[at + 1])
        moved[start:end] = start + np.argsort(-triples.values[start:end], kind="stable")
    return moved


def _by_id(documents: Names, equal: Ints) -> Names:
    """Put each run of equal scores in descending order of its ids, compared as UTF-8 bytes."""
    if not (documents[equal] < documents[equal + 1]).any():
        return documents
    follows = np.zeros(len(documents) + 1, bool)  # rows that tie with the row before them
    follows[equal + 1] = True
    rows = np.flatnonzero(follows[:-1] | follows[1:])
    group = np.cumsum(~follows[rows])
    documents = documents.copy()
    low = 0
    while low < len(rows):
        last = group[min(low + CHUNK, len(rows)) - 1]
        high = int(np.searchsorted(group, last, side="right"))
        part = rows[low:high]
        documents[part] = documents[part[_descending(documents[part], group[low:high])]]
        low = high
    return documents


def _descending(names: Names, group: Ints) -> Ints:
    """Order the names of each group from last to first."""
    words = as_words(names).byteswap()  # big-endian words compare like their bytes
    keys = [words[:, column] for column in reversed(range(words.shape[1]))]
    return np.lexsort((*keys, -group))[::-1]
