"""The lines of a chunk that tell best why it was found."""

import re

__all__ = ["excerpt"]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+")
SHORTEST = 3  # letters of a word that counts; shorter ones stand everywhere


def excerpt(text: str, query: str, *, first_line: int = 1, most: int = 3) -> list[tuple[int, str]]:
    r"""Return up to ``most`` lines in a row, with their numbers: those that share most words.

    The first such lines win a tie, so that a chunk without any shared word shows its beginning.

    >>> excerpt("import os\n\ndef retry(times):\n    pass", "retries", most=1)
    [(3, 'def retry(times):')]
    """
    wanted = {_stem(word) for word in _words(query)}
    lines = [(number, line.rstrip()) for number, line in enumerate(text.split("\n"), first_line)]
    shown = [(number, line) for number, line in lines if line.strip()]
    weights = [len(wanted & {_stem(word) for word in _words(line)}) for _, line in shown]
    best = max(range(len(shown)), key=lambda at: (sum(weights[at : at + most]), -at), default=0)
    while best + 1 < len(shown) and not weights[best] and any(weights[best : best + most]):
        best += 1  # begin with a line that matches
    return shown[best : best + most]


def _words(text: str) -> list[str]:
    parts = [part for word in _WORD.findall(text) for part in _PART.findall(word)]
    return [part.lower() for part in parts if len(part) >= SHORTEST]


def _stem(word: str) -> str:
    """Cut the endings that English words differ by most often; only for showing."""
    for ending in ("ies", "ing", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word.removesuffix(ending)
    return word
