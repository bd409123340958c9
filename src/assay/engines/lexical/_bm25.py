"""BM25 in one field of the postings: how often a chunk holds a term, against the field's length."""

from collections.abc import Sequence
from functools import partial, reduce

import numpy as np

from assay.engines.lexical._postings import FieldPostings
from assay.engines.words.synonyms import Group
from assay.records import Floats, Ints

__all__ = ["FieldBm25"]


class FieldBm25:
    """What terms gain in a field before their rarity and weight count, from 0 to k1 + 1.

    An occurrence counts the less the more there are, and the longer the field is (Robertson and
    Zaragoza 2009, The Probabilistic Relevance Framework, section 3.4)::

        (k1 + 1) count / (count + k1 (1 - b + b length / mean length))
    """

    def __init__(self, postings: FieldPostings, *, k1: float, b: float) -> None:
        self._postings, self._most = postings, k1 + 1
        self._shift, self._scale = k1 * (1 - b), k1 * b / (postings.mean_length or 1.0)

    def frequency(self, term: str) -> int:
        """Count the chunks that hold a term."""
        return self._postings.frequency(term)

    def all_gains(self, group: Group) -> tuple[Ints, Floats]:
        """Return the places of all chunks that hold one of some synonyms, and what each gains."""
        if (token := _only(group)) is None:
            places = np.unique(np.concatenate([self._holding(tokens) for tokens in group]))
            return places, self.gains(group, places)
        found = self._postings.find(token)
        places = self._postings.places[found]
        return places, self._gained(self._postings.counts[found], places)

    def gains(self, group: Group, places: Ints) -> Floats:
        """Return what the chunks in some places gain: by the best of some synonyms, or nothing.

        Of a synonym of several tokens, which a chunk must hold all of, that is their mean.
        """
        if (token := _only(group)) is not None:
            return self._gains(token, places)
        best = np.zeros(len(places))
        for tokens in group:
            each = np.stack([self._gains(token, places) for token in tokens])
            best = np.maximum(best, np.where((each > 0).all(axis=0), each.mean(axis=0), 0.0))
        return best

    def _holding(self, tokens: Sequence[str]) -> Ints:
        """Return the places of the chunks that hold all of some tokens."""
        lists = (self._postings.places[self._postings.find(token)] for token in tokens)
        return reduce(partial(np.intersect1d, assume_unique=True), lists)

    def _gains(self, token: str, places: Ints) -> Floats:
        found = self._postings.find(token)
        held, counts = self._postings.places[found], self._postings.counts[found]
        if not len(held):
            return np.zeros(len(places))
        at = np.minimum(np.searchsorted(held, places.astype(held.dtype)), len(held) - 1)
        return np.where(held[at] == places, self._gained(counts[at], places), 0.0)

    def _gained(self, counts: Ints, places: Ints) -> Floats:
        lengths = self._postings.lengths[places]
        gained: Floats = self._most * counts / (counts + (lengths * self._scale + self._shift))
        return gained


def _only(group: Group) -> str | None:
    """Return the one token of most groups."""
    return group[0][0] if len(group) == 1 and len(group[0]) == 1 else None
