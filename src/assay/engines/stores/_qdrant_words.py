"""Words as sparse vectors: each stored weight is BM25's without the rarity, which Qdrant adds.

score(q, d) = sum of idf(t) tf (k1 + 1) / (tf + k1 (1 - b + b |d| / mean |d|)), as in Robertson and
Zaragoza (2009), The Probabilistic Relevance Framework; idf is Qdrant's modifier of that name:
ln(1 + (N - n + 1/2) / (n + 1/2)) over the N points that have words.
"""

from collections import Counter

import numpy as np

from assay.engines.lexical._tokens import VERSION, tokens_of
from assay.records import Floats, Ints

__all__ = ["K1", "VERSION", "B", "Words"]

K1 = 1.2
B = 0.75


class Words:
    """Counts the tokens of texts; a token's number is the order in which it was first seen."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counted: list[tuple[Ints, Floats]] = []

    def add(self, text: str) -> None:
        """Count the tokens of the next text."""
        counts = Counter(tokens_of(stem=True)(text).split())
        numbers = [self._numbers.setdefault(token, len(self._numbers)) for token in counts]
        self._counted.append(
            (np.array(numbers, np.int64), np.array([*counts.values()], np.float64))
        )

    def weights(self) -> list[tuple[Ints, Floats]]:
        """Weigh the tokens of each text that was added, and forget the counts."""
        lengths = np.array([counts.sum() for _, counts in self._counted])
        mean = float(lengths[lengths > 0].mean()) if (lengths > 0).any() else 1.0
        weighed = [
            (numbers, counts * (K1 + 1) / (counts + K1 * (1 - B + B * length / mean)))
            for (numbers, counts), length in zip(self._counted, lengths, strict=True)
        ]
        self._counted.clear()
        return weighed

    def query(self, text: str) -> tuple[list[int], list[float]]:
        """Number and count those tokens of a query that some text has."""
        counts = Counter(tokens_of(stem=True)(text).split())
        known = {self._numbers[one]: n for one, n in counts.items() if one in self._numbers}
        return list(known), [float(count) for count in known.values()]
