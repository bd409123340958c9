"""How much each word of a query weighs in the share of it that a chunk holds."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from assay.engines.lexical._terms import QueryTerms, Term, count_chunks, rarity

__all__ = ["considered", "found_in", "masses"]

STEPS = 1024  # in a unit of rarity: engines add float32, in which sums of whole steps are exact


def considered(asked: QueryTerms, known: Sequence[Term], searched: Sequence[Term]) -> list[str]:
    """Return the words that count for coverage: all that are searched, and all unknown ones.

    Words of a long query that are known but not searched are ignored, so that a query that occurs
    verbatim in a chunk is fully covered.
    """
    left = {term.text for term in known} - {term.text for term in searched}
    return [word for word in asked.words if word not in left]


def found_in(
    words: Iterable[str], asked: QueryTerms, frequency: Callable[[str], int]
) -> dict[str, int]:
    """Count the chunks that hold each word, or at most hold one of its synonyms."""
    return {word: count_chunks(frequency, word, asked.groups.get(word, ())) for word in words}


def masses(words: Iterable[str], found: Mapping[str, int], total: int) -> dict[str, float]:
    """Weigh words by their rarity, given how many bodies hold each."""
    return {
        word: max(1, round(STEPS * rarity(found.get(word, 0), total))) / STEPS for word in words
    }
