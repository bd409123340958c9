"""How much of a query's words a text holds; to choose a place in a document, not to rank it."""

import re
from functools import lru_cache

__all__ = ["share_of_words"]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
STEM = 5  # letters that words of one family share


def share_of_words(query: str, text: str) -> float:
    """Return the share of the query's distinct words that begin like a word of the text.

    >>> share_of_words("where are retries", "def retry(times):")
    0.3333333333333333
    """
    wanted = _words(query)
    return len(wanted & _words(text)) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    parts = (part for word in _WORD.findall(text) for part in _PART.findall(word))
    return frozenset(part.lower()[:STEM].removesuffix("ies").removesuffix("y") for part in parts)
