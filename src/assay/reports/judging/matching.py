"""The lines of a document that match a query, the best first."""

import math
import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["matching"]

WORD = re.compile(r"[^\W_]+")
PARTS = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+|[^\W\d_A-Za-z]+")
LONG = 4  # letters from which the beginning of a word stands for its forms
READ = 20_000  # lines that are looked at


def matching(query: str, lines: Sequence[str]) -> tuple[int, ...]:
    """Number the lines that share a word with the query, from 1 on, the best first.

    A rare word counts more than one that stands everywhere (its inverse document frequency, with
    lines for documents); a line counts with its neighbours, since a sentence has several.

    >>> matching("retry a request", ["import time", "def retry():", "send the request again"])
    (2, 3, 1)
    """
    wanted = _words(query)
    found = [_words(line) & wanted for line in lines[:READ]]
    counts = Counter(word for words in found for word in words)
    worth = {word: math.log(1 + len(found) / count) for word, count in counts.items()}
    own = [sum(worth[word] for word in sorted(words)) for words in found]
    around = [
        own[at] + 0.25 * sum(own[near] for near in (at - 1, at + 1) if 0 <= near < len(own))
        for at in range(len(own))
    ]
    order = sorted(range(len(own)), key=lambda at: (-around[at], at))
    return tuple(at + 1 for at in order if around[at] > 0)


def _words(text: str) -> set[str]:
    """Take words, and the parts of names in code, down to the beginnings that their forms share."""
    parts = (part for word in WORD.findall(text) for part in PARTS.findall(word) or [word])
    return {_stem(part.casefold()) for part in parts}


def _stem(word: str) -> str:
    return word if len(word) <= LONG else word[: max(LONG, len(word) - 3)]
