"""What one reference found: the keys in their order, later ones narrowing what is in doubt."""

from dataclasses import dataclass

from assay.datasets._resolving_near import Near
from assay.datasets._resolving_wanted import (
    SHOWN,
    Wanted,
    given,
    hash_of,
    part_of,
    spellings,
)
from assay.records import Reason, Reference

__all__ = ["Decided", "decide", "named"]


@dataclass(frozen=True, slots=True)
class Decided:
    """Where a reference leads, whoever gives it."""

    documents: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    key: str = ""
    reason: Reason = ""
    candidates: tuple[str, ...] = ()


def decide(reference: Reference, collection: str, tables: Wanted, near: Near) -> Decided:
    """Try the given keys in order; one document is an answer, several only to a part or symbol."""
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
        return _nothing(reference, near)
    if len(found) > 1 and not _many(reference, first):
        return Decided(key=first, reason="ambiguous", candidates=tuple(found)[:SHOWN])
    return Decided(tuple(found), tuple(id_ for id_, whole in found.items() if not whole), first)


def named(reference: Reference) -> str:
    """Return the path, or what comes closest to one, by which a reference calls its document."""
    keys = given(reference)
    order = ("path", "file_name", "uri", "document_id")
    name = next((keys[key] for key in order if key in keys), "")
    return name.partition("://")[2].lstrip("/") if "://" in name else name.removeprefix("./")


def _look_up(
    reference: Reference, key: str, value: str, collection: str, tables: Wanted
) -> dict[str, bool]:
    """Return the documents that a key finds, and of each whether it was named as a whole."""
    if reference.match == "substring" and key in ("path", "file_name", "symbol"):
        return tables.parts[key][part_of(key, value)]
    exact = tables.exact.get(key, {})
    ways = (exact.get(way, []) for way in spellings(key, value, collection))
    return dict.fromkeys(next(filter(None, ways), []), True)


def _many(reference: Reference, key: str) -> bool:
    """Tell whether several documents are one expected item rather than a doubt."""
    return key == "symbol" or (reference.match == "substring" and key in ("path", "file_name"))


def _nothing(reference: Reference, near: Near) -> Decided:
    keys = given(reference)
    broken = "content_hash" in keys and not hash_of(keys["content_hash"])
    name = named(reference)
    candidates = near.best(name) if name else ()
    return Decided(reason="invalid" if broken or not keys else "not_found", candidates=candidates)
