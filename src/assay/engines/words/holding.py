"""How much of a query's words texts hold, where no index knows how rare a word is."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec

import numpy as np

from assay.engines.words.stop_words import meaning
from assay.engines.words.tokens import LONGEST, Tokens, tokens_of
from assay.records import Floats

__all__ = ["holding", "word_shares"]

_NONE: frozenset[str] = frozenset()


def holding(text: str) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of a query's distinct words that each of some texts holds.

    Words are stemmed where tantivy is there, which has the stemmer.

    >>> holding("where are the retries")(["def retry(times):", "pass"])
    array([1., 0.])
    """
    tokens = tokens_of(find_spec("tantivy") is not None)
    return word_shares(dict.fromkeys(meaning(text, tokens), 1.0), tokens)


def word_shares(weights: Mapping[str, float], tokens: Tokens) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of the weights that each of some texts holds."""
    whole, matching = sum(weights.values()) or 1.0, _MatchCache(weights, tokens)

    def share(text: str) -> float:
        held = _NONE.union(*map(matching.__getitem__, tokens.words(text)))
        return sum(map(weights.__getitem__, held)) / whole

    return lambda texts: np.array([share(text) for text in texts], np.float64)


class _MatchCache(dict[str, frozenset[str]]):
    """Remembers which words of a query a word of a text matches: most match none."""

    def __init__(self, weights: Mapping[str, float], tokens: Tokens) -> None:
        super().__init__()
        self._weights, self._tokens = weights, tokens

    def __missing__(self, word: str) -> frozenset[str]:
        found = frozenset(self._weights.keys() & self._tokens[word].split()) or _NONE
        if len(word) <= LONGEST:
            self[word] = found
        return found
