"""Query text -> its terms, each with its weight and the most that it can gain."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from assay.engines.lexical._tokens import dotted

__all__ = ["Term", "query_terms", "strongest"]


class Term(NamedTuple):
    """A term in a field; ``weight`` multiplies its score, ``best`` is the most it can gain."""

    field: str
    text: str
    weight: float
    best: float


def query_terms(
    text: str, tokens: Callable[[str], str], *, counts: bool
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return how often each term counts, and each name that some fields hold undivided."""
    words, whole = Counter(tokens(text).split()), Counter(dotted(text))
    if counts:
        return words, whole
    return dict.fromkeys(words, 1), dict.fromkeys(whole, 1)


def strongest(terms: list[Term], limit: int) -> list[Term]:
    """Keep the terms that can gain most, over all their fields, in the order of the query."""
    if len(terms) <= limit:
        return terms
    gains: defaultdict[str, float] = defaultdict(float)
    for term in terms:
        gains[term.text] += term.best
    kept = set(sorted(gains, key=gains.__getitem__, reverse=True)[:limit])
    return [term for term in terms if term.text in kept]
