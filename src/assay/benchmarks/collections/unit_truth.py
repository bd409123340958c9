"""Judgments in terms of what runs return: the chunks or the symbols that meet each of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import OpenCollections, joined
from assay.benchmarks.collections.places import Passage, PlacedJudgments, label_of
from assay.benchmarks.collections.truth import with_empty_noted
from assay.datasets.resolve.as_judgments import FILE, PARTIAL, SYMBOL
from assay.datasets.resolve.matching_notes import matching_notes
from assay.records import Judgment, Judgments, ResolvedReference, decode
from assay.records.chunk import chunk_id, symbol_id
from assay.records.expected_item import item_of
from assay.text.count_noun import count_noun

__all__ = ["ChunkTable", "ChunkTables", "in_places", "in_units"]

DOCUMENTS = ("judged", "judgments", "items")  # what is known of a query in terms of documents


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """Lists the chunks of a document: the name of each, and its first and last byte.

    If it is not ``whole``, there are others: of a store only what it returned is known.
    """

    of_document: Callable[[str], Iterable[tuple[str, int, int]]]
    whole: bool = True


ChunkTables = Mapping[tuple[str, str], ChunkTable]
"""The chunks of all that was searched, by the name of the collection and of what was searched."""

_Members = Callable[[Passage], Iterable[str]]
_Judged = list[tuple[Judgment, ResolvedReference, Sequence[Passage]]]


class _Item(NamedTuple):
    """An expected item: the units that meet it, as shares of its grade, and what to call it."""

    units: dict[str, float]
    grade: int
    label: str


def in_units(collections: OpenCollections, tables: ChunkTables) -> OpenCollections:
    """Return the collections with judgments of the units that runs return.

    ``tables`` have the chunks of what was searched; of several, a judgment is met by the chunks of
    any. Documents need no change.
    """
    if collections.unit == "document":
        return collections
    members = [_members(one, collections.unit, tables) for one in collections.each]
    items = _all_items(collections, members)
    found = {key: [one for one in some if one.units] for key, some in items.items()}
    _, resolution = joined(collections.each, [one.resolution for one in collections.placed])
    truth = replace(
        collections.truth,
        resolution=resolution,
        judgments=_judgments(collections, items),
        resolved=_judgments(collections, found) if _lacks(collections) else None,
        labels=tuple(one.label for some in items.values() for one in some),
        lost_places=_lost_places(collections),
    )
    return replace(collections, truth=truth)


def in_places(
    facts: Mapping[str, Mapping[str, Any]],
    collections: OpenCollections,
    shown: Sequence[Mapping[str, Sequence[str]]],
) -> dict[str, dict[str, Any]]:
    """Say what each query expects within documents, and the grades of the units that are shown.

    What is ``expected`` is named by lines or symbols: it is the same whatever was searched.
    """
    labels, grades = _expected(collections), _grades(collections.truth.judgments)
    found: dict[str, dict[str, Any]] = {}
    for key, told in facts.items():
        units = dict.fromkeys(name for each in shown for name in each.get(key, ()))
        mine = grades.get(key, {})
        judged = {name: mine[name] for name in units if name in mine}
        kept = {name: value for name, value in told.items() if name not in DOCUMENTS}
        found[key] = {**kept, "judged": judged, "expected": labels.get(key, {})}
    return found


def _grades(judgments: Judgments) -> dict[str, dict[str, int]]:
    """Return the largest grade of each unit, by query."""
    found: dict[str, dict[str, int]] = {query: {} for query in judgments.queries}
    names, grades = decode(judgments.documents), judgments.grades.tolist()
    for number, name, grade in zip(judgments.query.tolist(), names, grades, strict=True):
        if name and grade >= 0:
            mine = found[judgments.queries[number]]
            mine[name] = max(grade, mine.get(name, 0))
    return found


def _expected(collections: OpenCollections) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for collection, placed in zip(collections.each, collections.placed, strict=True):
        for key, judged in _by_query(collection, placed):
            mine = found.setdefault(key, {})
            for judgment, row, _ in judged:
                found_in = [label_of(judgment, document) for document in row.documents]
                for label in found_in or [_label(judgment, row)]:
                    mine[label] = max(judgment.grade, mine.get(label, 0))
    return found


def _members(collection: OpenCollection, unit: str, tables: ChunkTables) -> _Members:
    if unit == "symbol":
        return _symbols
    return _chunks([table for (name, _), table in tables.items() if name == collection.name])


def _symbols(place: Passage) -> Iterator[str]:
    return (symbol_id(place.document, name) for name in place.symbols)


def _chunks(tables: Sequence[ChunkTable]) -> _Members:
    def met(place: Passage) -> Iterator[str]:
        found = [
            name
            for table in tables
            for name, start, end in table.of_document(place.document)
            if place.overlaps(start, end)
        ]
        if not found and not all(table.whole for table in tables):
            found = [chunk_id(place.document, place.start, place.end)]  # nobody returned it
        yield from found

    return met


def _lacks(collections: OpenCollections) -> bool:
    each = [one.resolution for one in collections.placed]
    return any(one.resolved < one.total for one in each)


def _all_items(collections: OpenCollections, members: Sequence[_Members]) -> dict[str, list[_Item]]:
    """List the expected items of all queries: each judgment is one, or each group of them."""
    weighed = collections.dataset.metadata.get("match_weights") is True
    items: dict[str, list[_Item]] = {query.key: [] for query in collections.dataset.queries}
    parts = zip(collections.each, collections.placed, members, strict=True)
    for collection, placed, met in parts:
        for key, judged in _by_query(collection, placed):
            items[key] = [*_items(judged, met, weighed=weighed)]
    return items


def _judgments(collections: OpenCollections, items: Mapping[str, Sequence[_Item]]) -> Judgments:
    dataset = collections.dataset
    pairs = {key: [(one.units, one.grade) for one in some] for key, some in items.items()}
    made = with_empty_noted(Judgments.of_items(pairs, scale=dataset.scale))
    notes = (*made.notes, *_notes(collections))
    return replace(
        made, name=dataset.name, factor=dataset.factor, traffic=dataset.traffic, notes=notes
    )


def _by_query(collection: OpenCollection, placed: PlacedJudgments) -> Iterator[tuple[str, _Judged]]:
    following = zip(placed.resolution.rows, placed.places, strict=True)
    for query in placed.dataset.queries:
        its = [(judgment, *next(following)) for judgment in query.judgments]
        yield collection.key(query.key), its


def _items(judged: _Judged, met: _Members, *, weighed: bool) -> Iterator[_Item]:
    """Collect the units that meet each expected item, as shares of its highest grade."""
    groups: dict[object, _Judged] = {}
    for at, one in enumerate(judged):
        groups.setdefault(item_of(one[0], at), []).append(one)
    for its in groups.values():
        grade = max(judgment.grade for judgment, *_ in its)
        units: dict[str, float] = {}
        for judgment, row, places in its:
            for place in places:
                share = _weight(judgment, row, place) if weighed else 1.0
                share *= judgment.grade / grade if grade > 0 else 1.0
                for name in met(place):
                    units[name] = max(share, units.get(name, 0.0))
        if units or grade > 0:  # what is not relevant cannot be missed
            yield _Item(units, grade, _label(*its[0][:2]))


def _label(judgment: Judgment, row: ResolvedReference) -> str:
    given = (getattr(judgment.reference, key) for key in ("path", "document_id", "uri"))
    named = row.documents[0] if row.documents else next(filter(None, given), "")
    return label_of(judgment, named) if named else str(judgment.reference)


def _weight(judgment: Judgment, row: ResolvedReference, place: Passage) -> float:
    if place.document in row.partial:
        return PARTIAL
    return SYMBOL if judgment.reference.symbol else FILE


def _rows(collections: OpenCollections) -> Iterator[tuple[Judgment, ResolvedReference]]:
    for placed in collections.placed:
        judged = (one for query in placed.dataset.queries for one in query.judgments)
        yield from zip(judged, placed.resolution.rows, strict=True)


def _lost_places(collections: OpenCollections) -> dict[int, str]:
    """Name the places that are not in their document, by the row of all resolutions together."""
    return {
        at: f"{judgment.reference}{_beside(judgment)}"
        for at, (judgment, row) in enumerate(_rows(collections))
        if row.reason and row.key
    }


def _beside(judgment: Judgment) -> str:
    lines = judgment.lines
    return f", lines {lines[0]}-{lines[1]}" if lines else ""


def _notes(collections: OpenCollections) -> Iterator[str]:
    """Count the references that lead nowhere: to no document, or to no place in it."""
    yield from matching_notes([row for _, row in _rows(collections)])
    gone = [row for _, row in _rows(collections) if row.reason and not row.spared]
    within = sum(bool(row.key) for row in gone)
    if within < len(gone):
        some = count_noun(len(gone) - within, "reference counts", "references count")
        yield f"{some} as missed: no document found"
    if within:
        some = count_noun(within, "reference counts", "references count")
        none = (
            "symbol, or none in these lines" if collections.unit == "symbol" else "lines or symbol"
        )
        example = next(iter(_lost_places(collections).values()), "")
        names = f"e.g. {example} (`assay dataset resolve` suggests names)"
        yield f"{some} as missed: the document has no such {none}, {names}"
