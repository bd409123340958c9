"""Repeats: a long sentence is in a page once, where it is read first."""

import re
from collections.abc import Callable

__all__ = ["drop_repeats", "split_sentences"]

LONG = 8  # words: sentences of no more may be there again
END = re.compile(r"(?<=[.!?]) (?=[^a-z\s])")


def split_sentences(text: str) -> list[str]:
    """Split at the ends of sentences.

    >>> split_sentences("It is 0.5. Type `assay run a.yaml` again.")
    ['It is 0.5.', 'Type `assay run a.yaml` again.']
    """
    return [one for one in END.split(text) if one]


def drop_repeats() -> Callable[[str], str]:
    """Return what takes out the long sentences of a text that were in one before it."""
    known: set[str] = set()

    def drop(text: str) -> str:
        found = split_sentences(text)
        kept = [one for one in found if _key(one) not in known]
        known.update(_key(one) for one in found if len(one.split()) > LONG)
        return " ".join(kept)

    return drop


def _key(sentence: str) -> str:
    """Return what makes a sentence the same: not its first letter, marks or the stop."""
    return sentence.replace("`", "").rstrip(".").casefold()
