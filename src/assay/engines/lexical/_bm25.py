"""BM25 in one field of the postings: how often a chunk holds a term, against the field's length."""

import numpy as np

from assay.engines.lexical._postings import FieldPostings
from assay.records import Floats, Ints

__all__ = ["FieldBm25"]


class FieldBm25:
    """What terms gain in a field before their rarity and weight count, from 0 to k1 + 1.

    An occurrence counts the less the more there are, and the longer the field is (Robertson and
    Zaragoza 2009, The Probabilistic Relevance Framework, equation 3.15)::

        (k1 + 1) count / (count + k1 (1 - b + b length / mean length))
    """

    def __init__(self, postings: FieldPostings, *, k1: float, b: float) -> None:
        self._postings, self._most = postings, k1 + 1
        self._shift, self._scale = k1 * (1 - b), k1 * b / (postings.mean_length or 1.0)

    def frequency(self, term: str) -> int:
        """Count the chunks that hold a term."""
        return self._postings.frequency(term)

    def all_gains(self, term: str) -> tuple[Ints, Floats]:
        """Return the places of all chunks that hold a term, and what each gains by it."""
        found = self._postings.find(term)
        places = self._postings.places[found]
        return places, self._gained(self._postings.counts[found], places)

    def gains(self, term: str, places: Ints) -> Floats:
        """Return what the chunks in some places gain by a term: 0 where they do not hold it."""
        found = self._postings.find(term)
        held, counts = self._postings.places[found], self._postings.counts[found]
        if not len(held):
            return np.zeros(len(places))
        at = np.minimum(np.searchsorted(held, places.astype(held.dtype)), len(held) - 1)
        return np.where(held[at] == places, self._gained(counts[at], places), 0.0)

    def _gained(self, counts: Ints, places: Ints) -> Floats:
        lengths = self._postings.lengths[places]
        gained: Floats = self._most * counts / (counts + (lengths * self._scale + self._shift))
        return gained
