"""A dataset, and where its references lead -> judgments that rankings can be scored with."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.datasets.resolve.matching_notes import matching_notes
from assay.errors import InputError
from assay.records import (
    Dataset,
    Floats,
    Ints,
    Judgment,
    Judgments,
    Lookup,
    Reference,
    Resolution,
    ResolvedReference,
    encode,
)
from assay.records.expected_item import item_of
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["FILE", "PARTIAL", "SYMBOL", "as_judgments"]

SYMBOL, FILE, PARTIAL = 1.0, 0.7, 0.4  # how well a match meets an expected item (Akashic)
WEIGHED = (
    f"match weights (fraction of the grade): symbol {SYMBOL:g}, file {FILE:g}, partial {PARTIAL:g}"
)
MISSED, IGNORED = ("counts as missed", "count as missed"), ("is ignored", "are ignored")
LOST = ""  # stands for the best document of an item, where it was not found

_Item = dict[str, tuple[int, float]]  # document -> its grade, and how well it meets the item
_Key = tuple[str, object]
_Judged = Sequence[tuple[Judgment, ResolvedReference]]


def as_judgments(
    dataset: Dataset,
    resolution: Resolution | None = None,
    *,
    unresolved: Literal["missed", "drop"] = "missed",
    weights: bool | None = None,
) -> Judgments:
    """Return the judgments of a dataset in terms of documents.

    Without a ``resolution`` references are taken for the ids of documents. ``unresolved`` ones stay
    in every denominator as missed, unless they are to be dropped. ``weights`` lets a file be worth
    0.7 of its grade, and one that only a part of a name matched 0.4; a symbol is worth all of it
    (by default as the dataset says: ``match_weights`` in its metadata).

    >>> from assay.records import Query
    >>> judged = (Judgment(Reference("a"), 3), Judgment(Reference("b"), 1))
    >>> as_judgments(Dataset("d", (Query("q", "text", judged),))).documents.tolist()
    [b'a', b'b']
    """
    if unresolved not in ("missed", "drop"):
        problem = f"unresolved: invalid value {quote_value(unresolved)}"
        raise InputError(problem, hint="expected 'missed' or 'drop'")
    rows = _rows(dataset, resolution)
    weights = dataset.metadata.get("match_weights") is True if weights is None else weights
    if not weights and (plain := _plain(dataset, rows)):
        return plain
    following = iter(rows)
    queries = [
        [(judgment, next(following)) for judgment in query.judgments] for query in dataset.queries
    ]
    items = [_items(judged, weights=weights) for judged in queries]
    lost = sum(item.keys() == {LOST} for some in items for item in some)
    if unresolved == "drop":
        items = [_without_lost(some) for some in items]
    notes = (*_notes(lost, sum(map(_repeats, queries)), unresolved), *matching_notes(rows))
    notes = (*notes, WEIGHED) if weights else notes
    return _columns(dataset, items, weights=weights, notes=notes)


def _rows(dataset: Dataset, resolution: Resolution | None) -> Sequence[ResolvedReference]:
    """Return what each judgment's reference leads to, in the order of the dataset."""
    judged = [(query.key, one.reference) for query in dataset.queries for one in query.judgments]
    if resolution is None:
        return [_taken(query, reference) for query, reference in judged]
    if judged != [(row.query, row.reference) for row in resolution.rows]:
        hint = "resolve this dataset again"
        raise InputError(
            "the resolution was made for another dataset", where=dataset.name, hint=hint
        )
    return resolution.rows


def _taken(query: str, reference: Reference) -> ResolvedReference:
    """Take the text of a reference for the id of a document."""
    if key := reference.id_key:
        return ResolvedReference(query, reference, (str(getattr(reference, key)),), key)
    return ResolvedReference(query, reference, reason="not_found")


def _plain(dataset: Dataset, rows: Sequence[ResolvedReference]) -> Judgments | None:
    """Return plain judgments if every reference names one document, and none is named twice."""
    judged = [judgment for query in dataset.queries for judgment in query.judgments]
    if any(judgment.group for judgment in judged) or not all(map(_is_one, rows)):
        return None
    documents = encode(row.documents[0] for row in rows)
    sizes = [len(query.judgments) for query in dataset.queries]
    offsets: Ints = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    if Lookup.of(offsets, documents).repeats:
        return None
    grades: Ints = np.array([judgment.grade for judgment in judged], np.int64)
    return Judgments(
        queries=tuple(query.key for query in dataset.queries),
        offsets=offsets,
        documents=documents,
        grades=grades,
        scale=_scale(dataset, grades),
        name=dataset.name,
        notes=matching_notes(rows),
        factor=dataset.factor,
        traffic=dataset.traffic,
    )


def _is_one(row: ResolvedReference) -> bool:
    """Tell whether a reference names one document and nothing else."""
    named = not row.by_part and row.key != "symbol"
    return named and len(row.documents) == 1


def _items(judged: _Judged, *, weights: bool) -> list[_Item]:
    """Collect the expected items of a query, each with all of its grade: the ideal counts that."""
    items: dict[_Key, _Item] = {}
    grades: dict[_Key, int] = {}
    for (judgment, row), (key, within) in zip(judged, _keys(judged), strict=True):
        item, grade = items.setdefault(key, {}), judgment.grade
        grades[key] = max(grade, grades.get(key, grade))
        for document, weight in _met(row, weights=weights):
            if within is None or document in within:
                item[document] = _better(item.get(document, (grade, weight)), (grade, weight))
    for key, item in items.items():
        # What is not relevant cannot be missed; else the best answer may be, beside lesser ones.
        if grades[key] > max((grade for grade, _ in item.values()), default=0):
            item[LOST] = (grades[key], 1.0)
    return [item for item in items.values() if item]


def _keys(judged: _Judged) -> list[tuple[_Key, tuple[str, ...] | None]]:
    """Name the item of each judgment; a symbol that an expected file defines has the file's.

    Beside it stand the documents of that file: a namesake elsewhere is not what was expected.
    """
    keys = [_key(judgment, row, at) for at, (judgment, row) in enumerate(judged)]
    files = [
        (key, row.documents)
        for key, (judgment, row) in zip(keys, judged, strict=True)
        if row.key != "symbol" and judgment.grade > 0
    ]
    homes = [_home(one, files) for one in judged]
    return [home or (key, None) for key, home in zip(keys, homes, strict=True)]


def _home(
    one: tuple[Judgment, ResolvedReference], files: Sequence[tuple[_Key, tuple[str, ...]]]
) -> tuple[_Key, tuple[str, ...]] | None:
    """Find the expected file that defines an expected symbol, if any does."""
    judgment, row = one
    if row.key != "symbol" or judgment.group or judgment.grade <= 0:
        return None
    return next((file for file in files if not set(file[1]).isdisjoint(row.documents)), None)


def _without_lost(items: list[_Item]) -> list[_Item]:
    left = [{name: met for name, met in item.items() if name != LOST} for item in items]
    return [item for item in left if item]


def _key(judgment: Judgment, row: ResolvedReference, at: int) -> _Key:
    """Name the item that a judgment shares with others: its group's, or its document's.

    A symbol or a part of a name is an item of its own.
    """
    item = item_of(judgment, at)
    if isinstance(item, tuple) and item[1]:
        return ("group", item[0])
    return ("document", row.documents[0]) if _is_one(row) else ("place", at)


def _met(row: ResolvedReference, *, weights: bool) -> list[tuple[str, float]]:
    """Return the documents that a reference found, and how well each meets it."""
    partial = frozenset(row.partial)
    full = SYMBOL if row.key == "symbol" else FILE
    found = [(document, PARTIAL if document in partial else full) for document in row.documents]
    return found if weights else [(document, 1.0) for document, _ in found]


def _better(one: tuple[int, float], other: tuple[int, float]) -> tuple[int, float]:
    """Let a document be worth the most that it was said to be, as a share of the largest grade."""
    grade, best = max(one[0], other[0]), max(one, other, key=_worth)
    return best if best[0] == grade else (grade, best[0] * best[1] / grade)


def _worth(met: tuple[int, float]) -> tuple[float, int]:
    return (met[0] * met[1], met[0])


def _repeats(judged: _Judged) -> int:
    """Count the references to a document that the query names already."""
    named = [_key(*one, at) for at, one in enumerate(judged)]
    keys = [key for key in named if key[0] == "document"]
    return len(keys) - len(set(keys))


def _notes(lost: int, repeats: int, unresolved: str) -> tuple[str, ...]:
    said = []
    if lost:
        one, many = MISSED if unresolved == "missed" else IGNORED
        items = count_noun(lost, f"expected item {one}", f"expected items {many}")
        said.append(f"{items}: no document found")
    if repeats:
        some = count_noun(repeats, "reference repeats", "references repeat")
        said.append(f"{some} a document of the same query: the higher grade is used")
    return tuple(said)


def _columns(
    dataset: Dataset, items: list[list[_Item]], *, weights: bool, notes: tuple[str, ...]
) -> Judgments:
    """Lay the items out in columns; where each is a document of its own, no more is needed."""
    rows = [(name, *met) for some in items for item in some for name, met in item.items()]
    grades: Ints = np.array([grade for _, grade, _ in rows], np.int64)
    sizes = [len(item) for some in items for item in some]
    number: Ints = np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64))
    shares: Floats = np.array([weight for *_, weight in rows], np.float64)
    plain = not weights and all(map(_are_plain, items))
    counts = [sum(map(len, some)) for some in items]
    return Judgments(
        queries=tuple(query.key for query in dataset.queries),
        offsets=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        documents=encode(name for name, *_ in rows),
        grades=grades,
        scale=_scale(dataset, grades),
        items=None if plain else number,
        weights=None if plain else shares,
        name=dataset.name,
        notes=notes,
        factor=dataset.factor,
        traffic=dataset.traffic,
    )


def _are_plain(items: list[_Item]) -> bool:
    """Tell whether every item of a query is one document, and no two the same."""
    names = [name for item in items for name in item]
    return len(names) == len(items) == len(set(names)) and LOST not in names


def _scale(dataset: Dataset, grades: Ints) -> int:
    return int(max(1, dataset.scale, grades.max(initial=0)))
