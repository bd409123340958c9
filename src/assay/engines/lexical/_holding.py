"""How much of a query's words any text holds, also one that is not indexed by itself."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assay.engines.lexical._tokens import Tokens
from assay.records import Floats

__all__ = ["holding"]


def holding(weights: Mapping[str, float], tokens: Tokens) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of the weights that each of some texts holds."""
    whole = sum(weights.values()) or 1.0

    def shares(texts: Sequence[str]) -> Floats:
        held = (_held(weights, tokens, text) for text in texts)
        return np.array([sum(map(weights.__getitem__, words)) / whole for words in held], float)

    return shares


def _held(weights: Mapping[str, float], tokens: Tokens, text: str) -> set[str]:
    """Return the words with a weight that stand in a text."""
    distinct = set(tokens.words(text))
    return {token for word in distinct for token in tokens[word].split() if token in weights}
