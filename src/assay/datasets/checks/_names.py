"""The names by which people call a file: its path, its module, what it defines."""

import re
from collections.abc import Iterable, Iterator

from assay.datasets.checks._words import distinctive
from assay.records import Document, Reference

__all__ = ["called", "names_of"]

_CHUNK = re.compile(r"\w+(?:[./\\:-]+\w+)*")
_SEPARATED = re.compile(r"([./\\:-]+)")
LONGEST = 12  # parts of a name in a query; a longer one is no name that a person types
SILENT = {"__init__", "__main__", "index", "mod", "main"}  # stems that name nothing


def called(text: str) -> set[str]:
    """Return all that a text might call a file or a symbol by, in lower case.

    >>> sorted(called("why does json.decoder fail?"))
    ['decoder', 'does', 'fail', 'json', 'json.decoder', 'why']
    """
    found: set[str] = set()
    for chunk in _CHUNK.findall(text):
        parts = _SEPARATED.split(chunk.replace("\\", "/").casefold())
        for first in range(0, len(parts), 2):
            for last in range(first, min(len(parts), first + 2 * LONGEST), 2):
                found.add("".join(parts[first : last + 1]))
    return found


def names_of(one: Document | Reference, symbols: Iterable[str]) -> dict[str, str]:
    """Return the names of a document in lower case with their kinds, the most telling kind first.

    A name that is also a common word has the kind ``word``.
    """
    found: dict[str, str] = {}
    for kind, name in _names(one, symbols):
        if name and name not in SILENT:
            shown = kind if distinctive(name) else "word"
            if shown != "word" or kind in ("stem", "symbol"):
                found.setdefault(name.casefold(), shown)
    return found


def _names(one: Document | Reference, symbols: Iterable[str]) -> Iterator[tuple[str, str]]:
    path = (one.path or _local(one.uri)).replace("\\", "/").strip("/")
    files = [name for name in (path.rpartition("/")[2], one.file_name) if name]
    if path:
        yield from (("path", name) for name in _tails(path, "/"))
    yield from (("file_name", name) for name in files)
    if path:
        module = _without_suffix(path).replace("/", ".")
        yield from (("module", name) for name in _tails(module, "."))
    for symbol in symbols:
        yield from (("symbol", symbol), ("symbol", symbol.rpartition(".")[2]))
    yield from (("stem", _without_suffix(name)) for name in files)
    yield "document_id", one.id if isinstance(one, Document) else one.document_id


def _local(uri: str) -> str:
    return uri.partition("://")[2] or uri


def _tails(path: str, separator: str) -> list[str]:
    """Return a path and its ends of at least two parts: a/b/c, b/c."""
    parts = path.split(separator)
    return [separator.join(parts[at:]) for at in range(len(parts) - 1)]


def _without_suffix(path: str) -> str:
    """Take the suffix off a path, but never all of a name."""
    folder, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return f"{folder}{slash}{stem if dot and stem else name}"
