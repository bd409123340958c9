"""Judgments, and grades that were given since -> judgments that rankings can be scored with."""

from collections.abc import Container, Mapping
from dataclasses import replace

import numpy as np

from assay.records import Judgments, encode
from assay.records.judging import Pair

__all__ = ["graded", "of_queries", "with_grades"]


def graded(judgments: Judgments) -> dict[Pair, int]:
    """Return the largest grade of each document that is judged."""
    found: dict[Pair, int] = {}
    for pair, grade in _rows(judgments):
        if pair[1] and grade >= 0:
            found[pair] = max(grade, found.get(pair, 0))
    return found


def with_grades(judgments: Judgments, given: Mapping[Pair, int]) -> Judgments:
    """Add grades of documents that nobody had judged; what was only pooled gets its grade."""
    grades = judgments.grades.copy()
    left = dict(given)
    for at, (pair, grade) in enumerate(_rows(judgments)):
        if grade < 0 and pair in given:
            grades[at] = given[pair]
            left.pop(pair, None)
    number = {query: at for at, query in enumerate(judgments.queries)}
    rows = sorted((number[query], document, grade) for (query, document), grade in left.items())
    changed = replace(judgments, grades=grades)
    return _with_rows(changed, rows) if rows else changed


def of_queries(judgments: Judgments, wanted: Container[str]) -> Judgments:
    """Keep the rows of some queries."""
    kept = np.array([query in wanted for query in judgments.queries], bool)
    if kept.all():
        return judgments
    rows = kept[judgments.query]
    sizes = np.diff(judgments.offsets)[kept]
    return replace(
        judgments,
        queries=tuple(judgments.queries[at] for at in np.flatnonzero(kept).tolist()),
        offsets=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        documents=judgments.documents[rows],
        grades=judgments.grades[rows],
        items=None if judgments.items is None else judgments.items[rows],
        weights=None if judgments.weights is None else judgments.weights[rows],
    )


def _with_rows(judgments: Judgments, rows: list[tuple[int, str, int]]) -> Judgments:
    """Put rows behind those of their queries; each is an expected item of its own."""
    at = judgments.offsets[[row[0] + 1 for row in rows]]
    added = np.bincount([row[0] for row in rows], minlength=len(judgments.queries))
    documents, old = encode(row[1] for row in rows), judgments.documents
    width = f"S{max(documents.dtype.itemsize, old.dtype.itemsize)}"
    items, weights = judgments.items, judgments.weights
    if items is not None:
        items = np.insert(items, at, np.arange(len(rows)) + items.max(initial=-1) + 1)
    if weights is not None:
        weights = np.insert(weights, at, 1.0)
    return replace(
        judgments,
        offsets=judgments.offsets + np.concatenate(([0], np.cumsum(added))),
        documents=np.insert(old.astype(width), at, documents.astype(width)),
        grades=np.insert(judgments.grades, at, [row[2] for row in rows]),
        items=items,
        weights=weights,
    )


def _rows(judgments: Judgments) -> list[tuple[Pair, int]]:
    names = [name.decode() for name in judgments.documents.tolist()]
    queries = [judgments.queries[at] for at in judgments.query.tolist()]
    pairs = zip(queries, names, strict=True)
    return list(zip(pairs, judgments.grades.tolist(), strict=True))
