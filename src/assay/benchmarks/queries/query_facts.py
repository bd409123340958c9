"""What is known of each query: how hard it is given and predicted, its leaks, files and cluster."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.benchmarks.queries._file_types import file_types_of
from assay.benchmarks.queries.clusters import cluster_queries
from assay.benchmarks.queries.predicted_difficulty import predict_difficulty
from assay.records import Dataset, Query, Rankings
from assay.records.model import Vectors

__all__ = ["query_facts"]

Told = Mapping[str, Mapping[str, Any]]


def query_facts(
    dataset: Dataset,
    asked: Told,
    *,
    leaked: Sequence[str] = (),
    rankings: Sequence[Rankings] = (),
    vectors: Mapping[str, Vectors] | None = None,
    seed: int = 0,
) -> dict[str, dict[str, Any]]:
    """Add to what is ``asked`` all that is known of each query; what is not known is not there.

    ``rankings`` are those of the runs that answered; ``vectors`` are the queries', where a model
    made them.
    """
    found = {key: dict(one) for key, one in asked.items()}
    facts: dict[str, Mapping[str, Any]] = {
        "difficulty": {one.key: one.difficulty for one in dataset.queries if one.difficulty},
        "predicted": _predicted(dataset, rankings),
        "leaked": dict.fromkeys(leaked, True),
        "file_types": _file_types(dataset.queries, asked),
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
    """Place the queries of each dataset by itself: scores over two corpora have no common scale."""
    several = bool(dataset.metadata.get("collections"))
    asked: dict[str, list[str]] = {}
    for query in dataset.queries:
        asked.setdefault(query.collection if several else "", []).append(query.key)
    found = (predict_difficulty(rankings, queries) for queries in asked.values())
    return {key: place for one in found for key, place in one.items()}


def _file_types(queries: Sequence[Query], asked: Told) -> dict[str, list[str]]:
    """Look at the relevant documents of each collection by itself: it has its own corpus."""
    corpora: dict[str, dict[str, list[str]]] = {}
    for query in queries:
        judged = asked.get(query.key, {}).get("judged") or {}
        right = [document for document, grade in judged.items() if grade > 0]
        corpora.setdefault(query.collection, {})[query.key] = right
    return {key: types for one in corpora.values() for key, types in file_types_of(one).items()}
