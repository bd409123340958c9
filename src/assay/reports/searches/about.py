"""What a person should know of an index that was brought up to date, in sentences."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from assay.text.count_noun import count_noun

__all__ = ["about", "skipped_as"]

WORDS = {
    "binary": ("binary file", "binary files"),
    "link": ("link", "links"),
    "too_large": ("file that is too large", "files that are too large"),
    "unreadable": ("file that cannot be read", "files that cannot be read"),
}


class _IndexCounts(Protocol):
    @property
    def read(self) -> int: ...

    @property
    def repaired(self) -> bool: ...

    @property
    def skipped(self) -> Mapping[str, int]: ...


def about(indexed: _IndexCounts, *, always: bool = False) -> Iterator[str]:
    """Say what was repaired and, if files were read or ``always``, what was skipped."""
    if indexed.repaired:
        yield "the index of words was damaged, and is built anew from the stored texts"
    if indexed.skipped and (always or indexed.read):
        yield f"skipped {', '.join(_words(*each) for each in indexed.skipped.items())}"


def skipped_as(reason: str) -> str:
    """Say why one file was skipped.

    >>> skipped_as("too_large"), skipped_as("link")
    ('it is a file that is too large', 'it is a link')
    """
    return f"it is a {WORDS[reason][0]}" if reason in WORDS else reason


def _words(reason: str, number: int) -> str:
    """Count what was left out for a reason; one that is not known here stands as it is."""
    return count_noun(number, *WORDS.get(reason, (f"({reason})", f"({reason})")))
