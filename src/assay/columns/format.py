"""A file format: how to recognise it and how to read it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from assay import catalogue
from assay.columns.source import Source
from assay.columns.triples import Triples

__all__ = ["Format", "recognise"]


@dataclass(frozen=True, slots=True)
class Format:
    """Reads a source into triples; ``matches`` looks at its first bytes.

    ``rank`` orders the question: formats with a signature are asked first, the one that takes any
    text last.
    """

    summary: str
    matches: Callable[[bytes], bool]
    read: Callable[[Source], Triples]
    rank: int


def recognise(room: ModuleType, source: Source, *, name: str | None = None) -> Format:
    """Return the named format, or the first that knows the source's first bytes."""
    if name is not None:
        return cast("Format", catalogue.find(room, name))
    own = [cast("Format", catalogue.find(room, each)) for each in catalogue.files(room)]
    head = source.head()
    return next(each for each in sorted(own, key=lambda f: f.rank) if each.matches(head))
