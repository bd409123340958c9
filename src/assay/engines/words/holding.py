"""How much of a query's words texts hold, where no index knows how rare a word is."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType

import numpy as np

from assay.engines.words.languages import NO_LANGUAGE
from assay.engines.words.stop_words import meaning
from assay.engines.words.synonyms import Group
from assay.engines.words.tokens import Tokens, tokens_of
from assay.records import Floats

__all__ = ["holding", "word_shares"]


def holding(text: str) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of a query's distinct words that each of some texts holds.

    Words are stemmed where tantivy is there, which has the stemmer.

    >>> holding("where are the retries")(["def retry(times):", "pass"])
    array([1., 0.])
    """
    tokens = tokens_of() if find_spec("tantivy") else tokens_of(NO_LANGUAGE)
    return word_shares(dict.fromkeys(meaning(text, tokens), 1.0), tokens)


def word_shares(
    weights: Mapping[str, float],
    tokens: Tokens,
    groups: Mapping[str, Group] = MappingProxyType({}),
) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of the weights that each of some texts holds.

    A text holds one of the ``groups`` if it holds all tokens of a synonym.
    """
    whole = sum(weights.values()) or 1.0

    def share(text: str) -> float:
        held = tokens.distinct(text)
        there = (
            weight
            for word, weight in weights.items()
            if (any(map(held.issuperset, groups[word])) if word in groups else word in held)
        )
        return sum(there) / whole

    return lambda texts: np.array([share(text) for text in texts], np.float64)
