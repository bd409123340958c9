"""A report -> the judgments that it was made with, in terms of documents."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from assay.records import Judgments, Report

__all__ = ["reported_judgments"]

Item = tuple[Mapping[str, float], int]  # the documents that meet it, and its grade


def reported_judgments(report: Report, *, scale: int) -> Judgments:
    """Return the judgments of a report, for those who have neither its dataset nor its corpus.

    The grade of an item that no document meets is not in a report: the highest of its query is
    assumed, or that of the ``scale``.
    """
    items = {key: [*_items(about, scale)] for key, about in report.queries.items()}
    found = Judgments.of_items(items, scale=scale)
    traffic = {key: float(one["weight"]) for key, one in report.queries.items() if "weight" in one}
    found = replace(found, traffic=traffic)
    documents = [document for some in items.values() for members, _ in some for document in members]
    plain = all(len(members) == 1 for some in items.values() for members, _ in some)
    repeats = len(documents) > sum(
        len({document for members, _ in some for document in members}) for some in items.values()
    )
    return replace(found, items=None, weights=None) if plain and not repeats else found


def _items(about: Mapping[str, Any], scale: int) -> Iterator[Item]:
    """Return what is expected of a query, and the documents that are not relevant."""
    judged: Mapping[str, int] = about.get("judged") or {}
    shared = about.get("items") or []
    items: list[Item] = [
        (dict.fromkeys(documents, 1.0), max(judged.get(one, 0) for one in documents))
        for documents in shared
    ]
    known = {document for documents in shared for document in documents}
    items += [({one: 1.0}, grade) for one, grade in judged.items() if one not in known]
    yield from items
    lost = int(about.get("judgments", len(items))) - len(items)
    highest = max(judged.values(), default=0) or scale
    yield from [({}, highest)] * max(0, lost)
