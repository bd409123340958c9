"""What a dataset looks for: a table of wanted values per key, filled while documents pass by.

The tables grow with the references and not with the corpus, however large it is.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.records import KEYS, Reference

__all__ = ["SHOWN", "Wanted", "given", "hash_of", "part_of", "safe", "spellings", "wanted"]

SHOWN = 10  # candidates of an ambiguous reference that are kept
BY_PART = ("path", "file_name")  # keys of which a part will do where the match is "substring"
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class Wanted:
    """Values that references give, by key, and the ids of the documents that have them.

    ``exact`` is key -> value -> ids; of the values in ``all_of`` every document is kept, of others
    only as many as are shown. ``parts`` is key -> part -> id -> whether the part is all of it.
    """

    exact: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    all_of: dict[str, set[str]] = field(default_factory=dict)
    parts: dict[str, dict[str, dict[str, bool]]] = field(default_factory=dict)


def wanted(references: Iterable[tuple[Reference, str]]) -> Wanted:
    """Enter every (reference, collection) into the tables."""
    tables = Wanted()
    for reference, collection in references:
        keys = given(reference)
        for key, value in keys.items():
            if reference.match == "substring" and key in (*BY_PART, "symbol"):
                tables.parts.setdefault(key, {}).setdefault(part_of(key, value), {})
            else:
                # Only where a later key may narrow, or a symbol be defined twice, all must be kept.
                _enter(tables, key, value, collection, keep_all=len(keys) > 1 or key == "symbol")
    return tables


def given(reference: Reference) -> dict[str, str]:
    """Return the keys that a reference gives, in the order in which they are tried.

    A symbol beside another key says where in the document; it finds none itself.
    """
    keys = {key: str(getattr(reference, key) or "") for key in KEYS}
    keys = {key: value for key, value in keys.items() if value.strip()}
    symbol = str(reference.symbol or "")
    return keys or ({"symbol": symbol} if symbol.strip() else {})


def spellings(key: str, value: str, collection: str = "") -> tuple[str, ...]:
    """Return how a value may stand in the corpus, the likeliest first.

    A path may be written as a file:// uri, with ./ or backslashes, and without its collection.
    """
    if key == "content_hash":
        return (hash_of(value),)
    if key != "path":
        return (value,)
    path = value.removeprefix("file://")
    ways = [path, path.replace("\\", "/").removeprefix("./")]
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


def _enter(tables: Wanted, key: str, value: str, collection: str, *, keep_all: bool) -> None:
    for spelling in spellings(key, value, collection):
        if spelling:
            tables.exact.setdefault(key, {}).setdefault(spelling, [])
            if keep_all:
                tables.all_of.setdefault(key, set()).add(spelling)
