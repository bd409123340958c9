"""How much of a query's words texts hold, where no index knows how rare a word is."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec

from assay.engines.lexical._terms import meaning
from assay.engines.words._holding import holding as shares
from assay.engines.words.tokens import tokens_of
from assay.records import Floats

__all__ = ["holding"]


def holding(text: str) -> Callable[[Sequence[str]], Floats]:
    """Return what gives the share of a query's distinct words that each of some texts holds.

    Words are stemmed where tantivy is there, which has the stemmer.

    >>> holding("where are the retries")(["def retry(times):", "pass"])
    array([1., 0.])
    """
    tokens = tokens_of(find_spec("tantivy") is not None)
    return shares(dict.fromkeys(meaning(text, tokens), 1.0), tokens)
