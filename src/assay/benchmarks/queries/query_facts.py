"""What is known of each query: how hard it is given and predicted, its leaks, files and cluster."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assay.benchmarks.queries.clusters import cluster_queries
from assay.benchmarks.queries.predicted_difficulty import predict_difficulty
from assay.errors import InputError
from assay.records import Dataset, Judgments, Query, Rankings, decode
from assay.records.dataset import KEYS
from assay.records.fingerprint import fingerprint_of
from assay.records.model import Vectors

__all__ = ["about_queries", "file_type", "file_types_of", "query_facts"]

Told = Mapping[str, Mapping[str, Any]]
NO_TYPE = "none"
REFERENCE = (*KEYS, "symbol", "match")  # what a judgment can refer by
MOST = 0.5  # share of a corpus's relevant documents that have an extension, if they are files
EXTENSION = re.compile(r"[^./\\]\.([a-z][a-z0-9_+-]{0,9})$", re.IGNORECASE)


def query_facts(
    dataset: Dataset,
    asked: Told,
    *,
    leaked: Sequence[str] = (),
    breakdowns: Told | None = None,
    rankings: Sequence[Rankings] = (),
    vectors: Mapping[str, Vectors] | None = None,
    seed: int = 0,
) -> dict[str, dict[str, Any]]:
    """Add to what is ``asked`` all that is known of each query; what is not known is not there.

    ``rankings`` are those of the runs that answered; ``vectors`` are the queries', where a model
    made them; ``breakdowns`` are the values of the fields that scores are broken down by.
    """
    found = {key: dict(one) for key, one in asked.items()}
    facts: dict[str, Mapping[str, Any]] = {
        "difficulty": {one.key: one.difficulty for one in dataset.queries if one.difficulty},
        "predicted": _predicted(dataset, rankings),
        "leaked": dict.fromkeys(leaked, True),
        "file_types": _file_types(dataset.queries, asked),
        "breakdowns": breakdowns or {},
        "cluster": cluster_queries(_texts(dataset), vectors=vectors or {}, seed=seed),
    }
    for name, known in facts.items():
        for key, value in known.items():
            if key in found:
                found[key][name] = value
    return found


def _texts(dataset: Dataset) -> dict[str, str]:
    return {query.key: query.text for query in dataset.queries}


def _predicted(dataset: Dataset, rankings: Sequence[Rankings]) -> dict[str, float]:
    """Rank the queries of each dataset separately: scores over two corpora have no common scale."""
    several = bool(dataset.metadata.get("collections"))
    asked: dict[str, list[str]] = {}
    for query in dataset.queries:
        asked.setdefault(query.collection if several else "", []).append(query.key)
    found = (predict_difficulty(rankings, queries) for queries in asked.values())
    return {key: place for one in found for key, place in one.items()}


def _file_types(queries: Sequence[Query], asked: Told) -> dict[str, list[str]]:
    """Examine the relevant documents of each collection separately: it has its own corpus."""
    corpora: dict[str, dict[str, list[str]]] = {}
    for query in queries:
        judged = asked.get(query.key, {}).get("judged") or {}
        right = [document for document, grade in judged.items() if grade > 0]
        corpora.setdefault(query.collection, {})[query.key] = right
    return {key: types for one in corpora.values() for key, types in file_types_of(one).items()}


def about_queries(
    dataset: Dataset, judgments: Judgments, *, collections: Mapping[str, str] | None = None
) -> dict[str, dict[str, Any]]:
    """Tell the text, category, collection and weight of each query, and the grades of documents.

    ``judgments`` counts what was judged: some of it may be in no document, or twice in one. Where a
    relevant item is met by several documents, or two by one, ``items`` has the documents of each;
    ``symbols`` are those that the query expects. ``digest`` sums up its text and judgments as the
    dataset has them: it stays if a document that they name leaves the corpus.
    ``collections`` names the collection of each query, where a benchmark has several datasets.
    """
    graded, counts, items = _graded(judgments), _counts(judgments), _items(judgments)
    named, traffic = collections or {}, dataset.traffic
    found = {}
    for query in dataset.queries:
        told: dict[str, Any] = {"text": query.text}
        for key, value in (
            ("category", query.category),
            ("collection", named.get(query.key) or query.collection),
        ):
            told |= {key: value} if value else {}
        told |= {"weight": query.weight} if traffic else {}
        told |= {"filters": filters} if (filters := _filters(query)) else {}
        told |= {"judged": graded.get(query.key, {}), "judgments": counts[query.key]}
        told |= {"items": items[query.key]} if query.key in items else {}
        symbols = [one.reference.symbol for one in query.judgments if one.reference.symbol]
        told |= {"symbols": [*dict.fromkeys(symbols)]} if symbols else {}
        found[query.key] = told | {"digest": _digest(query)}
    return found


def _digest(query: Query) -> str:
    judged = sorted(
        (*(getattr(one.reference, key) for key in REFERENCE), one.grade, one.lines or (), one.group)
        for one in query.judgments
    )
    return fingerprint_of("query", query.text, _filters(query), judged)[:16]


def _filters(query: Query) -> str:
    """Write the filters of a query as in a command; those of outside systems as they are."""
    try:
        return str(query.filters)
    except InputError:
        return json.dumps(query.extra["filters"], ensure_ascii=False, default=str)


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


def file_type(document: str) -> str:
    """Return the extension in small letters, without its dot; that of a hidden file is none.

    >>> file_type("src/Main.PY"), file_type("Makefile"), file_type(".gitignore")
    ('py', 'none', 'none')
    """
    name = document.partition("?")[0].partition("#")[0] if "://" in document else document
    found = EXTENSION.search(name)
    return found.group(1).lower() if found else NO_TYPE


def file_types_of(relevant: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Name the types of each query's relevant documents, within one corpus.

    Nothing where less than half of all relevant documents have an extension: they are no files,
    and a dot in one of their ids means something else.
    """
    types = {query: [*map(file_type, documents)] for query, documents in relevant.items()}
    every = [one for found in types.values() for one in found]
    if not every or sum(one != NO_TYPE for one in every) < MOST * len(every):
        return {}
    return {query: sorted(set(found)) for query, found in types.items() if found}
