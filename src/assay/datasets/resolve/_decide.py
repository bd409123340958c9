"""What one reference found: the keys in their order, later ones narrowing what is in doubt."""

from dataclasses import dataclass

from assay.columns.files.path_names import folded, is_absolute, slashed, tails
from assay.datasets.resolve._lookup_tables import (
    SHOWN,
    LookupTables,
    given,
    hash_of,
    part_of,
    parts_of,
    path_keys,
    spellings,
    wholes_of,
)
from assay.datasets.resolve._near_misses import NearMisses
from assay.records import Reason, Reference

__all__ = ["Decision", "decide", "named"]

EQUAL = ("document_id", "path")  # what a text is compared with before it is taken for a part
NAMES = ("path", "file_name")  # that systems write in different ways
PATHS = ("document_id", "uri", "path")


@dataclass(frozen=True, slots=True)
class Decision:
    """Where a reference leads, whoever gives it.

    ``by_part`` says that a part of a name was looked for, and ``respelled`` that the corpus writes
    the path in another way. ``root`` is the folder that an absolute path has to be seen from.
    """

    documents: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    key: str = ""
    reason: Reason = ""
    candidates: tuple[str, ...] = ()
    by_part: bool = False
    respelled: bool = False
    root: str = ""


def decide(
    reference: Reference, collection: str, tables: LookupTables, near: NearMisses, *, root: str = ""
) -> Decision:
    """Try the given keys in order; one document is an answer, several only to a part or symbol.

    What no key finds is looked for as a path of another platform; of several such, the one below
    ``root`` is meant.
    """
    found: dict[str, bool] = {}
    first = ""
    for key, value in given(reference).items():
        now = _look_up(reference, key, value, collection, tables)
        both = {id_: whole for id_, whole in found.items() if id_ in now}
        first = first or (key if now else "")
        found = both or found or now
        # What all meets a part or a symbol is one item: only a doubt is narrowed by later keys.
        if len(found) == 1 or _many(reference, first):
            break
    if not found:
        respelled = _respelled(reference, collection, tables, root)
        return respelled or _nothing(reference, collection, near)
    if len(found) > 1 and not _many(reference, first):
        return Decision(key=first, reason="ambiguous", candidates=tuple(found)[:SHOWN])
    return Decision(
        tuple(found),
        tuple(id_ for id_, whole in found.items() if not whole),
        first,
        by_part=_many(reference, first) and not _is_equal(reference, first, collection, tables),
        respelled=_is_respelled(reference, first, collection, tables),
    )


def named(reference: Reference) -> str:
    """Return the path, or what comes closest to one, by which a reference calls its document."""
    keys = given(reference)
    order = ("path", "file_name", "uri", "document_id")
    name = next((keys[key] for key in order if key in keys), "")
    return name.partition("://")[2].lstrip("/") if "://" in name else name.removeprefix("./")


def _look_up(
    reference: Reference, key: str, value: str, collection: str, tables: LookupTables
) -> dict[str, bool]:
    """Return the documents that a key finds, and of each whether it was named as a whole."""
    if reference.match == "substring" and key in ("path", "file_name", "symbol"):
        if key == "path" and (same := _equal(value, collection, tables)):
            return same
        parts = (tables.parts[key][part] for part in parts_of(key, value))
        found = next(filter(None, parts), {})
        return found or _whole(key, value, tables)
    by_key = _exact(key, value, collection, tables)
    return by_key or (_exact("document_id", value, collection, tables) if key == "path" else {})


def _whole(key: str, value: str, tables: LookupTables) -> dict[str, bool]:
    """Return the documents whose path or file name is all that a shortened text says."""
    named = (tables.parts[key][part] for part in wholes_of(key, value))
    wholes = ({id_: True for id_, whole in found.items() if whole} for found in named)
    return next(filter(None, wholes), {})


def _exact(key: str, value: str, collection: str, tables: LookupTables) -> dict[str, bool]:
    exact = tables.exact.get(key, {})
    ways = (exact.get(way, []) for way in spellings(key, value, collection))
    return dict.fromkeys(next(filter(None, ways), []), True)


def _equal(value: str, collection: str, tables: LookupTables) -> dict[str, bool]:
    """Return the document that a text is the id or the path of."""
    found = (_exact(key, value, collection, tables) for key in EQUAL)
    return next(filter(None, found), {})


def _is_equal(reference: Reference, key: str, collection: str, tables: LookupTables) -> bool:
    if reference.match != "substring" or key != "path":
        return key == "symbol" and reference.match == "exact"
    return bool(_equal(str(reference.path), collection, tables))


def _is_respelled(reference: Reference, key: str, collection: str, tables: LookupTables) -> bool:
    """Tell whether a path was found only with other separators or accents, or without ``./``."""
    if key not in NAMES:
        return False
    name = str(getattr(reference, key))
    written = name.removeprefix("file://") if key == "path" else name
    home = f"{collection}/{written.lstrip('/')}" if collection else written
    keys = EQUAL if key == "path" else (key,)
    if any(tables.exact.get(one, {}).get(way) for one in keys for way in (written, home)):
        return False
    if reference.match == "substring" and tables.parts[key].get(part_of(key, name)):
        return False
    return len(spellings(key, written)) > 1


def _respelled(
    reference: Reference, collection: str, tables: LookupTables, root: str
) -> Decision | None:
    """Find a path whatever its separators, case and absolute prefix; several are a doubt."""
    keys = given(reference)
    for value in path_keys(keys, collection):
        found = _loose(slashed(value), tables) or _ending(reference, value, tables)
        found = found or _stem(reference, value, tables)
        if len(found) > 1 and root:
            found = {id_: at for id_, at in found.items() if at == root} or found
        if found:
            key = next((key for key in PATHS if keys.get(key) == value), "path")
            if len(found) > 1:
                return Decision(key=key, reason="ambiguous", candidates=tuple(found)[:SHOWN])
            ((id_, at),) = found.items()
            return Decision((id_,), key=key, respelled=True, root=at)
    return None


def _loose(path: str, tables: LookupTables) -> dict[str, str]:
    """Return what a path may mean, and the absolute prefix of each: the same case comes first."""
    ways = {folded(path): ""}
    if is_absolute(path):
        ways |= {folded(tail): path[: -len(tail)] for tail in tails(path)}
    met = [
        (id_, name, prefix)
        for way, prefix in ways.items()
        for id_, name in tables.loose.get(way, {}).items()
        if not (prefix and is_absolute(slashed(name)))  # two roots, of which neither is known
    ]
    same = [one for one in met if _ends(path, slashed(one[1])) or _ends(slashed(one[1]), path)]
    return {id_: prefix for id_, _, prefix in same or met}


def _ending(reference: Reference, value: str, tables: LookupTables) -> dict[str, str]:
    """Return the documents whose paths end in a text, whatever the case."""
    if reference.match != "substring":
        return {}
    return dict.fromkeys(tables.endings.get(folded(value), ()), "")


def _stem(reference: Reference, value: str, tables: LookupTables) -> dict[str, str]:
    """Return the documents whose path or file name, without its ending, is a text."""
    if reference.match == "substring":
        return {}
    return dict.fromkeys(tables.stems.get(folded(value), ()), "")


def _ends(path: str, tail: str) -> bool:
    return path == tail or path.endswith(f"/{tail.lstrip('/')}")


def _many(reference: Reference, key: str) -> bool:
    """Tell whether several documents are one expected item rather than a doubt."""
    return key == "symbol" or (reference.match == "substring" and key in ("path", "file_name"))


def _nothing(reference: Reference, collection: str, near: NearMisses) -> Decision:
    keys = given(reference)
    broken = "content_hash" in keys and not hash_of(keys["content_hash"])
    name = named(reference)
    candidates = near.best(name) if name else ()
    if name and collection and not candidates:
        candidates = near.best(f"{collection}/{name}")
    return Decision(reason="invalid" if broken or not keys else "not_found", candidates=candidates)
