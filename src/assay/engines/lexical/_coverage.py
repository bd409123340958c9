"""How much each word of a query weighs in the share of it that a chunk holds."""

from collections.abc import Iterable, Mapping, Sequence

from assay.engines.lexical._terms import QueryTerms, Term, rarity

__all__ = ["considered", "masses"]

STEPS = 1024  # in a unit of rarity: engines add float32, in which sums of whole steps are exact


def considered(asked: QueryTerms, known: Sequence[Term], searched: Sequence[Term]) -> list[str]:
    """Return the words that count for coverage: all that are searched, and all unknown ones.

    Words of a long query that are known but not searched are ignored, so that a query that occurs
    verbatim in a chunk is fully covered.
    """
    left = {term.text for term in known} - {term.text for term in searched}
    return [word for word in asked.words if word not in left]


def masses(words: Iterable[str], found: Mapping[str, int], total: int) -> dict[str, float]:
    """Weigh words by their rarity, given how many bodies hold each."""
    return {
        word: max(1, round(STEPS * rarity(found.get(word, 0), total))) / STEPS for word in words
    }
