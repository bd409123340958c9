"""A file format: how to recognise it and how to read it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from assay import catalogue
from assay.columns.files.source import Source
from assay.columns.triples import Triples

__all__ = ["Format", "read", "recognise"]


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


def recognise(package: ModuleType, head: bytes) -> str:
    """Name the first format that knows these first bytes."""
    own = {name: cast("Format", catalogue.find(package, name)) for name in catalogue.files(package)}
    return next(name for name in sorted(own, key=lambda n: own[n].rank) if own[name].matches(head))


def read(package: ModuleType, source: Source, *, name: str | None = None) -> Triples:
    """Read a source in the named format, or in the one that its first bytes tell."""
    chosen = name if name is not None else recognise(package, source.head())
    return cast("Format", catalogue.find(package, chosen)).read(source)
