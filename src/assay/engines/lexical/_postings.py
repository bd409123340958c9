"""Postings of one field: which chunks hold each term, how often, and how long the field is."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from assay.engines.lexical._array_file import Array
from assay.records import Ints

__all__ = ["FieldPostings", "PendingField", "Triples", "merged"]

PARTS = ("terms", "ends", "starts", "places", "counts", "lengths")
BLOCK = 1 << 22  # tokens that are sorted at once
BITS = 32  # of a place in a key
KNOWN = 1 << 12  # terms whose place is remembered


class Triples(NamedTuple):
    """Postings as columns: the number of the term, the place of the chunk, and how often."""

    terms: Ints
    places: Ints
    counts: Ints

    def moved(self, places: Ints) -> "Triples":
        """Give each chunk another place; those whose place is negative are dropped."""
        found = places[self.places]
        kept = found >= 0
        return Triples(self.terms[kept], found[kept], self.counts[kept])


class FieldPostings:
    """What was written of a field. A place is that of a chunk among all rows, ascending.

    The terms are UTF-8 in order, each to where it ends; the postings of each begin where it starts:
    ascending ``places``, and how often each of them holds the term (``counts``).
    """

    def __init__(self, arrays: Mapping[str, Array], field: str) -> None:
        terms, ends, starts, self.places, self.counts, self.lengths = (
            arrays[f"{field}.{part}"] for part in PARTS
        )
        self._terms, self._ends, self._starts = terms.data, ends.data, starts
        self.mean_length = float(self.lengths.sum(dtype=np.int64)) / max(1, len(self.lengths))
        self.find = lru_cache(maxsize=KNOWN)(self._find)  # a search asks several times
        sizes = (len(ends), int(ends[-1]), int(starts[-1]), len(self.counts))
        if sizes != (len(starts), len(terms), len(self.places), len(self.places)):
            raise ValueError(f"the postings of {field} are not whole")

    def _find(self, term: str) -> slice:
        """Return where the postings of a term are; an empty slice if no chunk holds it."""
        key, number = _bytes(term), len(self._ends) - 1
        at = bisect_left(range(number), key, key=self._term)
        if at == number or self._term(at) != key:
            return slice(0, 0)
        return slice(int(self._starts[at]), int(self._starts[at + 1]))

    def frequency(self, term: str) -> int:
        """Count the chunks that hold a term."""
        found = self.find(term)
        return int(found.stop - found.start)

    def terms(self) -> list[bytes]:
        """Return all terms, in their order."""
        whole = bytes(self._terms)
        return [whole[start:end] for start, end in pairwise(self._ends.tolist())]

    def triples(self) -> Triples:
        """Return all postings."""
        numbers = np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))
        return Triples(numbers, self.places.astype(np.int64), self.counts.astype(np.int64))

    def _term(self, at: int) -> bytes:
        return bytes(self._terms[self._ends[at] : self._ends[at + 1]])


class PendingField:
    """Tokens of a field that are not written yet, chunk after chunk."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # a new term gets the next number
        self._tokens, self._lengths = array("I"), array("I")

    def add(self, words: str) -> None:
        """Take the tokens of the next chunk, joined by spaces."""
        before = len(self._tokens)
        self._tokens.extend(map(self._numbers.__getitem__, words.split()))
        self._lengths.append(len(self._tokens) - before)

    @property
    def lengths(self) -> Ints:
        """How many tokens each chunk has."""
        return np.array(self._lengths, np.int64)

    def terms(self) -> list[bytes]:
        """Return all terms, in the order in which they came."""
        return [*map(_bytes, self._numbers)]

    def triples(self) -> Triples:
        """Count how often each chunk holds each term, block by block."""
        places = np.repeat(np.arange(len(self._lengths)), self.lengths)
        found = [np.empty((2, 0), np.int64)]
        for at in range(0, len(self._tokens), BLOCK):
            terms = np.array(self._tokens[at : at + BLOCK], np.int64)
            found.append(np.stack(_summed((terms << BITS) | places[at : at + BLOCK])))
        keys, counts = np.concatenate(found, axis=1)
        return Triples(keys >> BITS, keys & ((1 << BITS) - 1), counts)


def merged(parts: Sequence[tuple[list[bytes], Triples]], lengths: Ints) -> dict[str, Array]:
    """Join postings with terms of their own numbers, as `FieldPostings` reads them."""
    known = sorted({term for terms, _ in parts for term in terms})
    number = {term: at for at, term in enumerate(known)}
    keys, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for terms, found in parts:
        numbers = np.array([number[term] for term in terms], np.int64)
        keys.append((numbers[found.terms] << BITS) | found.places)
        counts.append(found.counts)
    summed, times = _summed(np.concatenate(keys), np.concatenate(counts))
    held = np.bincount(summed >> BITS, minlength=len(known))
    left = [known[at] for at in np.flatnonzero(held)]  # the others were in chunks that are gone
    whole = b"".join(left)
    return {
        "terms": np.frombuffer(whole, np.uint8),
        "ends": _from_zero([len(term) for term in left]),
        "starts": _from_zero(held[held > 0]),
        "places": (summed & ((1 << BITS) - 1)).astype(np.uint32),
        "counts": times.astype(np.min_scalar_type(int(times.max(initial=0)))),
        "lengths": lengths.astype(np.uint32),
    }


def _summed(keys: Ints, counts: Ints | None = None) -> tuple[Ints, Ints]:
    """Sort keys, and add up the counts of equal ones, each 1 unless it is given."""
    order = None if counts is None else np.argsort(keys, kind="stable")
    keys = np.sort(keys) if order is None else keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    if counts is None:
        return keys[first], np.diff(first, append=len(keys))
    return keys[first], np.add.reduceat(counts[order], first) if len(first) else counts[:0]


def _from_zero(sizes: Sequence[int] | Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, np.int64))]).astype(np.int64)


def _bytes(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")
