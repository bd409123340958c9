"""Queries and judgments -> what a report keeps of each query, to be shown and compared later."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.records import Dataset, Judgments, decode

__all__ = ["about_queries"]


def about_queries(
    dataset: Dataset, judgments: Judgments, *, collections: Mapping[str, str] | None = None
) -> dict[str, dict[str, Any]]:
    """Tell the text, category and collection of each query, and the grade of each judged document.

    ``judgments`` counts what was judged: some of it may be in no document, or twice in one. Where a
    relevant item is met by several documents, or two by one, ``items`` has the documents of each;
    ``symbols`` are those that the query expects.
    ``collections`` names the collection of each query, where a benchmark has several datasets.
    """
    graded, counts, items = _graded(judgments), _counts(judgments), _items(judgments)
    named = collections or {}
    found = {}
    for query in dataset.queries:
        told: dict[str, Any] = {"text": query.text}
        for key, value in (
            ("category", query.category),
            ("collection", named.get(query.key) or query.collection),
        ):
            told |= {key: value} if value else {}
        told |= {"judged": graded.get(query.key, {}), "judgments": counts[query.key]}
        told |= {"items": items[query.key]} if query.key in items else {}
        symbols = [one.reference.symbol for one in query.judgments if one.reference.symbol]
        told |= {"symbols": [*dict.fromkeys(symbols)]} if symbols else {}
        found[query.key] = told
    return found


def _graded(judgments: Judgments) -> dict[str, dict[str, int]]:
    """Return the largest grade of each document; pooled but unjudged, or missing, is none."""
    found: dict[str, dict[str, int]] = {query: {} for query in judgments.queries}
    documents, grades = decode(judgments.documents), judgments.grades.tolist()
    for number, document, grade in zip(judgments.query.tolist(), documents, grades, strict=True):
        if document and grade >= 0:
            row = found[judgments.queries[number]]
            row[document] = max(grade, row.get(document, 0))
    return found


def _items(judgments: Judgments) -> dict[str, list[list[str]]]:
    """Return the documents of each relevant item, for queries in which both are not the same."""
    if judgments.items is None:
        return {}
    found: dict[str, dict[int, list[str]]] = {}
    rows = zip(
        judgments.query.tolist(),
        judgments.items.tolist(),
        decode(judgments.documents),
        judgments.grades.tolist(),
        strict=True,
    )
    for number, item, document, grade in rows:
        if document and grade > 0:
            mine = found.setdefault(judgments.queries[number], {})
            mine.setdefault(item, []).append(document)
    each = {query: [*items.values()] for query, items in found.items()}
    return {query: items for query, items in each.items() if _is_shared(items)}


def _is_shared(items: Sequence[Sequence[str]]) -> bool:
    documents = [document for item in items for document in item]
    return len(documents) > len(items) or len({*documents}) < len(documents)


def _counts(judgments: Judgments) -> Counter[str]:
    """Count the judgments of each query; an item that several documents meet is one."""
    items = np.arange(len(judgments.grades)) if judgments.items is None else judgments.items
    kept = judgments.grades >= 0
    pairs = set(zip(judgments.query[kept].tolist(), items[kept].tolist(), strict=True))
    return Counter(judgments.queries[number] for number, _ in pairs)
