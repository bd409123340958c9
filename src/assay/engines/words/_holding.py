"""How much of a query's words any text holds, also one that is not indexed by itself."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assay.engines.words.tokens import LONGEST, Tokens
from assay.records import Floats

__all__ = ["holding"]

_NONE: frozenset[str] = frozenset()


def holding(weights: Mapping[str, float], tokens: Tokens) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of the weights that each of some texts holds."""
    whole, matching = sum(weights.values()) or 1.0, _Matching(weights, tokens)

    def share(text: str) -> float:
        held = _NONE.union(*map(matching.__getitem__, tokens.words(text)))
        return sum(map(weights.__getitem__, held)) / whole

    return lambda texts: np.array([share(text) for text in texts], np.float64)


class _Matching(dict[str, frozenset[str]]):
    """Remembers which words of a query a word of a text matches: most match none."""

    def __init__(self, weights: Mapping[str, float], tokens: Tokens) -> None:
        super().__init__()
        self._weights, self._tokens = weights, tokens

    def __missing__(self, word: str) -> frozenset[str]:
        found = frozenset(self._weights.keys() & self._tokens[word].split()) or _NONE
        if len(word) <= LONGEST:
            self[word] = found
        return found
