"""What a dataset looks for: a table of wanted values per key, filled while documents pass by.

The tables grow with the references and not with the corpus, however large it is.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assay.columns.files.path_names import (
    folded,
    forms,
    is_absolute,
    is_path,
    plain_path,
    slashed,
    tails,
)
from assay.records import KEYS, Reference

__all__ = [
    "SHOWN",
    "LookupTables",
    "given",
    "hash_of",
    "lookup_tables",
    "part_of",
    "parts_of",
    "path_keys",
    "safe",
    "spellings",
    "wholes_of",
]

SHOWN = 10  # candidates of an ambiguous reference that are kept
BY_PART = ("path", "file_name")  # keys of which a part will do where the match is "substring"
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class LookupTables:
    """Values that references give, by key, and the ids of the documents that have them.

    ``exact`` is key -> value -> ids; of the values in ``all_of`` every document is kept, of others
    only as many as are shown. ``parts`` is key -> part -> id -> whether the part is all of it.
    ``loose`` is folded path -> id -> how the corpus writes it; ``last`` are the file names in it.
    ``endings`` is the same for the last folders and the file name of a path, which a text may give,
    and ``stems`` for names that are given without the ending of the file.
    """

    exact: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    all_of: dict[str, set[str]] = field(default_factory=dict)
    parts: dict[str, dict[str, dict[str, bool]]] = field(default_factory=dict)
    loose: dict[str, dict[str, str]] = field(default_factory=dict)
    last: set[str] = field(default_factory=set)
    endings: dict[str, dict[str, str]] = field(default_factory=dict)
    stems: dict[str, dict[str, str]] = field(default_factory=dict)


def lookup_tables(references: Iterable[tuple[Reference, str]]) -> LookupTables:
    """Enter every (reference, collection) into the tables."""
    tables = LookupTables()
    for reference, collection in references:
        keys = given(reference)
        for key, value in keys.items():
            if reference.match == "substring" and key in (*BY_PART, "symbol"):
                _enter_part(tables, key, value, collection)
            else:
                # Only where a later key may narrow, or a symbol be defined twice, all must be kept.
                _enter(tables, key, value, collection, keep_all=len(keys) > 1 or key == "symbol")
        for value in path_keys(keys, collection):
            _enter_loose(tables, value)
    return tables


def given(reference: Reference) -> dict[str, str]:
    """Return the keys that a reference gives, in the order in which they are tried.

    A symbol beside another key says where in the document; it finds none itself.
    """
    keys = {key: str(getattr(reference, key) or "") for key in KEYS}
    keys = {key: value for key, value in keys.items() if value.strip()}
    symbol = str(reference.symbol or "")
    return keys or ({"symbol": symbol} if symbol.strip() else {})


def path_keys(keys: Mapping[str, str], collection: str = "") -> list[str]:
    """Return the values of a reference that are paths, with their collection before them, too."""
    values = [keys[key] for key in ("document_id", "uri") if key in keys and is_path(keys[key])]
    path = keys.get("path", "")
    values += [path] if path and "://" not in path.removeprefix("file://") else []
    homes = [f"{collection}/{slashed(value).lstrip('/')}" for value in values if collection]
    return [*dict.fromkeys((*values, *homes, *filter(None, map(plain_path, values))))]


def spellings(key: str, value: str, collection: str = "") -> tuple[str, ...]:
    """Return how a value may be written in the corpus, the likeliest first.

    A path may be written as a file:// uri, with ./ or backslashes, and without its collection;
    accents may be apart from their letters.
    """
    if key == "content_hash":
        return (hash_of(value),)
    if key != "path":
        short = plain_path(value) if key == "file_name" else ""
        return (*forms(value), *forms(short)) if key == "file_name" else (value,)
    path = value.removeprefix("file://")
    ways = [path, *forms(slashed(path))]
    homes = [f"{collection}/{way.lstrip('/')}" for way in ways] if collection else []
    return tuple(dict.fromkeys([ways[0], *homes[:1], *ways[1:], *homes[1:]]))


def hash_of(value: str) -> str:
    """Return the 64 hexadecimal digits of a SHA-256, or nothing where there are not 64."""
    digits = value.strip().lower().removeprefix("sha256:").strip()
    return digits if SHA256.fullmatch(digits) else ""


def safe(text: str) -> str:
    """Return a text that can be written as UTF-8; names of files need not be."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def part_of(key: str, value: str) -> str:
    """Return a part as it is looked for: symbols in lower case, since case does not matter."""
    return safe(value.lower() if key == "symbol" else value)


def parts_of(key: str, value: str) -> tuple[str, ...]:
    """Return how a part may be written in the corpus: as it is, else with forward slashes."""
    ways = (value, *forms(slashed(value) if key == "path" else value))
    return tuple(dict.fromkeys(part_of(key, way) for way in ways if way))


def wholes_of(key: str, value: str) -> tuple[str, ...]:
    """Return what a part with a section or lines must be all of: a path or the name of a file."""
    short = plain_path(value) if key in BY_PART else ""
    return tuple(part_of(key, way) for way in forms(short) if way)


def _enter_part(tables: LookupTables, key: str, value: str, collection: str) -> None:
    """Look for a part, and for a path or an id that is equal to it."""
    for part in (*parts_of(key, value), *wholes_of(key, value)):
        tables.parts.setdefault(key, {}).setdefault(part, {})
    if key == "path":
        _enter(tables, "path", value, collection, keep_all=True)
        tables.endings.setdefault(folded(value), {})


def _enter_loose(tables: LookupTables, value: str) -> None:
    path = folded(value)
    names = [path, *(tails(path) if is_absolute(path) else ())]
    for name in filter(None, names):
        tables.loose.setdefault(name, {})
    last = path[path.rfind("/") + 1 :]
    tables.last.add(last)
    if last and "." not in last:
        tables.stems.setdefault(path, {})


def _enter(tables: LookupTables, key: str, value: str, collection: str, *, keep_all: bool) -> None:
    for spelling in spellings(key, value, collection):
        if spelling:
            tables.exact.setdefault(key, {}).setdefault(spelling, [])
            if keep_all:
                tables.all_of.setdefault(key, set()).add(spelling)
    if key == "path":  # documents of some corpora have an id and no path
        _enter(tables, "document_id", value, collection, keep_all=keep_all)
