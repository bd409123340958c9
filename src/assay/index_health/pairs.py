"""Vectors of texts that belong together: queries with their answers, or chunks that follow."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from assay.index_health.answers import Judged
from assay.index_health.look import Look, have_direction
from assay.records import Dataset, Track, Vectors

__all__ = ["Pairs", "answered", "neighbours"]

QUERIES = 200  # of a dataset that are embedded
NONE: Vectors = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Vectors of texts that belong together, row by row, and where they come from.

    ``queries`` are the vectors of the queries, where there are some.
    """

    one: Vectors = field(default_factory=lambda: NONE)
    other: Vectors = field(default_factory=lambda: NONE)
    origin: str = ""
    queries: Vectors | None = None

    @property
    def kind(self) -> str:
        """What a pair is made of."""
        return "neighbours" if self.queries is None else "query and answer"


def neighbours(look: Look) -> Pairs:
    """Pair chunks with the next of their document: mostly they are about the same."""
    rows, packed = look.directed
    codes = look.codes(rows)
    follows = np.flatnonzero((codes[1:] == codes[:-1]) & (rows[1:] == rows[:-1] + 1))
    places = follows[look.some(len(follows))]
    one, other = look.unpacked(packed[places]), look.unpacked(packed[places + 1])
    return Pairs(one, other, "neighbouring chunks of a document")


def answered(look: Look, dataset: Dataset, judged: Judged, *, track: Track) -> Pairs:
    """Pair queries with the nearest chunk of each document that is relevant to them."""
    relevant = judged.relevant
    keys = [key for key in relevant if look.embedder]
    chosen = [keys[place] for place in look.some(len(keys), QUERIES).tolist()]
    if look.embedder is None or not chosen:
        return Pairs()
    texts = {query.key: query.text for query in dataset.queries}
    vectors = look.embedder.embed([texts[key] for key in chosen], query=True, track=track)
    directed = have_direction(vectors)
    queries = vectors[directed]
    found = [
        (query, nearest)
        for key, query in zip(compress(chosen, directed), queries, strict=True)
        for nearest in _nearest(look, query, relevant[key])
    ]
    origin = f"{len(queries):,} queries of {dataset.name} with the nearest chunk of each answer"
    if not found:
        return Pairs(queries=queries)
    one, other = (np.stack(side) for side in zip(*found, strict=True))
    return Pairs(one, other, origin, queries)


def _nearest(look: Look, query: Vectors, documents: list[str]) -> Iterator[Vectors]:
    """Yield, of each document that has vectors, the one that is nearest to a query."""
    rows, packed = look.directed
    for name in documents:
        own = look.snapshot.rows_of(name)  # those of one document are consecutive
        start, end = np.searchsorted(rows, [own[0], own[-1] + 1]) if own else (0, 0)
        if start < end:
            vectors = look.unpacked(packed[start:end])
            yield vectors[int(np.argmax(vectors @ query))]
