"""Words as sparse vectors: each stored weight is BM25's without the rarity, which Qdrant adds.

score(q, d) = sum over t of idf(t) tf (k1 + 1) / (tf + k1 (1 - b + b |d| / mean |d|)): Robertson
and Zaragoza (2009), The Probabilistic Relevance Framework. idf is Qdrant's modifier of that name,
ln(1 + (N - n + 1/2) / (n + 1/2)) over the N points that have words. A word that a query has twice
counts twice.
"""

from collections import Counter
from typing import Any, ClassVar

import numpy as np

from assay.engines.words.tokens import VERSION, tokens_of
from assay.records import Floats, Ints

__all__ = ["Words"]

K1 = 1.2
B = 0.75


class Words:
    """Counts the tokens of texts; a token's number is the order in which it was first seen."""

    settings: ClassVar[tuple[object, ...]] = ("bm25", K1, B, "tokens", VERSION)

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counted: list[tuple[Ints, Floats]] = []

    def add(self, text: str) -> None:
        """Count the tokens of the next text."""
        counts = Counter(tokens_of()(text).split())
        numbers = [self._numbers.setdefault(token, len(self._numbers)) for token in counts]
        counted = np.array([*counts.values()], np.float64)
        self._counted.append((np.array(numbers, np.int64), counted))

    def weights(self) -> list[tuple[Ints, Floats]]:
        """Weigh the tokens of each text that was added, and forget the counts."""
        lengths = np.array([counts.sum() for _, counts in self._counted])
        mean = float(lengths[lengths > 0].mean()) if lengths.any() else 1.0
        weighed = [
            (numbers, counts * (K1 + 1) / (counts + K1 * (1 - B + B * length / mean)))
            for (numbers, counts), length in zip(self._counted, lengths, strict=True)
        ]
        self._counted.clear()
        return weighed

    def query(self, text: str) -> Any:  # noqa: ANN401
        """Turn those tokens of a query that some text has into a vector, or None if none has."""
        from qdrant_client import models

        counts = Counter(tokens_of()(text).split())
        known = {self._numbers[one]: n for one, n in counts.items() if one in self._numbers}
        if not known:
            return None
        return models.SparseVector(indices=[*known], values=[float(n) for n in known.values()])
