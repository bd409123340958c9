"""Queries -> clusters of those that ask about the same, named by their terms."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.benchmarks._query_kmeans import partition
from assay.benchmarks._query_terms import distinguishing, terms_of, weigh_terms
from assay.records import Floats, Ints
from assay.records.model import Vectors

__all__ = ["cluster_queries"]

FEWEST = 20  # queries: of fewer a table is read as fast
TERMS = 3  # that name a cluster


def cluster_queries(
    texts: Mapping[str, str], *, vectors: Mapping[str, Vectors], seed: int = 0
) -> dict[str, str]:
    """Name the cluster of each query; no cluster where there are fewer than 20 queries.

    Queries are alike by their ``vectors``, or by the words of their texts where not all have one.
    """
    if len(texts) < FEWEST:
        return {}
    terms = [terms_of(text) for text in texts.values()]
    found = partition(_rows(texts, terms, vectors), seed=seed)
    if found is None:
        return {}
    names = _names(terms, found)
    return {key: names[number] for key, number in zip(texts, found.tolist(), strict=True)}


def _rows(
    texts: Mapping[str, str], terms: Sequence[Sequence[str]], vectors: Mapping[str, Vectors]
) -> Floats:
    if not all(key in vectors for key in texts):
        return weigh_terms(terms)
    rows = np.array([vectors[key] for key in texts], np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float64)


def _names(terms: Sequence[Sequence[str]], found: Ints) -> dict[int, str]:
    """Name each cluster by its terms, by more of them where two would have the same name."""
    names: dict[int, str] = {}
    for number in sorted(set(found.tolist())):
        best = distinguishing(terms, (found == number).tolist(), TERMS + len(names))
        shown = TERMS
        while ", ".join(best[:shown]) in names.values() and shown < len(best):
            shown += 1
        name = ", ".join(best[:shown])
        names[number] = name if name and name not in names.values() else f"cluster {number + 1}"
    return names
