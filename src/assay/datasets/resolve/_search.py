"""One pass over the documents, in batches, that fills the tables of what is wanted."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from urllib.parse import unquote

from assay.columns.files.path_names import composed, folded, is_absolute, is_path, tails
from assay.datasets.resolve._find_parts import find_parts
from assay.datasets.resolve._lookup_tables import SHOWN, LookupTables, safe
from assay.datasets.resolve._near_misses import NearMisses
from assay.records import Define, Document

__all__ = ["search"]

SMALLEST, LARGEST = 1 << 13, 1 << 18  # documents in a batch
PER_PART = 4  # documents in a batch for each part: the automaton is built for each batch

_names_of = attrgetter("id", "uri", "path", "file_name", "content_hash")


@dataclass(frozen=True, slots=True)
class _Batch:
    """What is kept of some documents until they are looked up: names in columns, never texts.

    ``symbols`` are pairs of a document's place in the batch and a symbol that it defines.
    """

    ids: Sequence[str]
    uris: Sequence[str]
    paths: Sequence[str]
    file_names: Sequence[str]
    hashes: Sequence[str]
    symbols: Sequence[tuple[int, str]]


def search(
    documents: Iterable[Document], tables: LookupTables, near: NearMisses, *, define: Define | None
) -> int:
    """Enter into the tables what each document answers to; return the number of documents."""
    asked = "symbol" in tables.exact or "symbol" in tables.parts
    number = 0
    for batch in _batches(iter(documents), _size(tables), define if asked else None):
        number += len(batch.ids)
        for key, table in tables.exact.items():
            _search_exact(table, tables.all_of.get(key, set()), _values(batch, key), batch.ids)
        for key, parts in tables.parts.items():
            _search_parts(parts, batch, key)
        if tables.loose:
            _search_loose(tables, batch)
        near.enter(
            batch.ids, (path or id_ for path, id_ in zip(batch.paths, batch.ids, strict=True))
        )
    return number


def _size(tables: LookupTables) -> int:
    parts = max((len(parts) for parts in tables.parts.values()), default=0)
    return min(max(SMALLEST, PER_PART * parts), LARGEST)


def _batches(documents: Iterator[Document], size: int, define: Define | None) -> Iterator[_Batch]:
    symbols: list[tuple[int, str]] = []
    taken = islice(documents, size)
    while rows := list(map(_names_of, _defining(taken, define, symbols) if define else taken)):
        ids, uris, paths, given, hashes = zip(*rows, strict=True)
        names = [
            name or path[path.rfind("/") + 1 :] for name, path in zip(given, paths, strict=True)
        ]
        yield _Batch(ids, uris, paths, names, hashes, symbols)
        symbols = []
        taken = islice(documents, size)


def _defining(
    documents: Iterable[Document], define: Define, symbols: list[tuple[int, str]]
) -> Iterator[Document]:
    """Note the symbols of each document while its text is at hand."""
    for at, document in enumerate(documents):
        symbols += [(at, symbol) for symbol in dict.fromkeys(define(document))]
        yield document


def _search_exact(
    table: dict[str, list[str]],
    all_of: set[str],
    values: Iterable[tuple[int, str]],
    ids: Sequence[str],
) -> None:
    """Look up what each document is called by one key."""
    for at, value in [pair for pair in values if pair[1] in table]:
        found = table[value]
        if value in all_of or (len(found) < SHOWN and ids[at] not in found):
            found.append(ids[at])


def _values(batch: _Batch, key: str) -> Iterable[tuple[int, str]]:
    """Return what each document of a batch, by its place, is called by a key."""
    if key == "path":
        return _paths(batch)
    if key == "symbol":
        return _symbols(batch)
    if key == "content_hash":
        return enumerate(map(str.lower, batch.hashes))
    return enumerate({"document_id": batch.ids, "uri": batch.uris}.get(key, batch.file_names))


def _paths(batch: _Batch) -> Iterator[tuple[int, str]]:
    """A reference's path may stand in the document's path or, as it once did, in its uri."""
    yield from enumerate(batch.paths)
    for at, uri in enumerate(batch.uris):
        if uri:
            path = uri.removeprefix("file://")
            yield at, path
            if "%" in path:
                yield at, unquote(path)


def _search_loose(tables: LookupTables, batch: _Batch) -> None:
    """Look up the paths of documents whatever their separators, case and absolute prefix."""
    for at, name in _path_names(batch):
        low = composed(name).lower()
        if low[max(low.rfind("/"), low.rfind("\\")) + 1 :] in tables.last:
            path = folded(name)
            for way in (path, *(tails(path) if is_absolute(path) else ())):
                if (found := tables.loose.get(way)) is not None:
                    found.setdefault(batch.ids[at], name)
            for ending in tails(path) if tables.endings else ():
                if (found := tables.endings.get(ending)) is not None:
                    found.setdefault(batch.ids[at], name)
        if tables.stems:
            _search_stems(tables, batch.ids[at], name, low)


def _search_stems(tables: LookupTables, id_: str, name: str, low: str) -> None:
    """Look up the path of a document, and its last part, without the ending of the file."""
    path = low.replace("\\", "/")
    stem, dot, ending = path.rpartition(".")
    if dot and stem and "/" not in ending:
        for way in dict.fromkeys((stem.removeprefix("./"), stem[stem.rfind("/") + 1 :])):
            if (found := tables.stems.get(way)) is not None:
                found.setdefault(id_, name)


def _path_names(batch: _Batch) -> Iterator[tuple[int, str]]:
    """Return the path of each document, or its uri, and its id where that is a path, too."""
    for at, (id_, uri, path) in enumerate(zip(batch.ids, batch.uris, batch.paths, strict=True)):
        if path or uri.startswith("file://"):
            yield at, path or unquote(uri)
        if id_ != path and is_path(id_):
            yield at, id_


def _symbols(batch: _Batch) -> Iterator[tuple[int, str]]:
    """A symbol answers to its full name and to the last part of it."""
    for at, symbol in batch.symbols:
        yield at, symbol
        if "." in symbol:
            yield at, symbol[symbol.rfind(".") + 1 :]


def _search_parts(parts: dict[str, dict[str, bool]], batch: _Batch, key: str) -> None:
    """Enter the documents in whose texts the parts occur."""
    places, texts = _texts(batch, key)
    for row, part in find_parts(parts, texts):
        found, id_ = parts[part], batch.ids[places[row]]
        found[id_] = found.get(id_, False) or _is_whole(part, texts[row], key)


def _texts(batch: _Batch, key: str) -> tuple[Sequence[int], list[str]]:
    """Return the texts in which a part may stand, and the place of the document of each."""
    if key == "symbol":
        return [at for at, _ in batch.symbols], [safe(name.lower()) for _, name in batch.symbols]
    texts = batch.paths if key == "path" else batch.file_names
    return range(len(texts)), list(map(safe, texts))


def _is_whole(part: str, text: str, key: str) -> bool:
    """Tell whether a part is all of a name, with or without what it belongs to before it."""
    return part == text or text.endswith(("." if key == "symbol" else "/") + part)
