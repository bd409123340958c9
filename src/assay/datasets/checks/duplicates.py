"""Duplicates: queries that are asked twice, in the same or nearly the same words."""

from collections.abc import Iterator
from typing import Any

from assay.datasets.checks._alike import near_pairs
from assay.datasets.checks._equal import equal_queries, relate
from assay.datasets.checks._evidence import Evidence, check
from assay.records import Finding

__all__ = ["duplicates"]

Pair = tuple[int, int, str, float]


@check(rank=50)
def duplicates(evidence: Evidence) -> Finding:
    """Find queries with the same words, in any order, or nearly the same."""
    groups = equal_queries(evidence.dataset)
    sets: dict[tuple[str, frozenset[str]], list[int]] = {}
    for (collection, tokens), members in groups.items():
        sets.setdefault((collection, frozenset(tokens)), []).append(members[0])
    pairs = [*_exact(groups), *_reordered(sets), *_near(sets, evidence.settings.near)]
    rows = tuple(_row(evidence, *pair) for pair in sorted(pairs))
    kinds = [kind for *_, kind, _ in pairs]
    counts = {kind: kinds.count(kind) for kind in ("exact", "reordered", "near")}
    parts = ", ".join(f"{number:,} {kind}" for kind, number in counts.items() if number)
    return Finding(
        said=f"pairs of queries in the same or nearly the same words: {parts}." if rows else "",
        brief=f"{len(rows):,} duplicate{'s' if len(rows) > 1 else ''}" if rows else "",
        rows=rows,
        shown=("query", "other", "kind", "judgments", "text"),
    )


def _exact(groups: dict[tuple[str, tuple[str, ...]], list[int]]) -> Iterator[Pair]:
    """Pair each repetition with the first."""
    for first, *others in groups.values():
        yield from ((first, other, "exact", 1.0) for other in others)


def _reordered(sets: dict[tuple[str, frozenset[str]], list[int]]) -> Iterator[Pair]:
    for first, *others in sets.values():
        yield from ((first, other, "reordered", 1.0) for other in others)


def _near(sets: dict[tuple[str, frozenset[str]], list[int]], threshold: float) -> Iterator[Pair]:
    """Compare the queries of each collection."""
    collections: dict[str, list[tuple[frozenset[str], int]]] = {}
    for (collection, words), members in sets.items():
        collections.setdefault(collection, []).append((words, members[0]))
    for queries in collections.values():
        numbers = [number for _, number in queries]
        for one, other, similarity in near_pairs([w for w, _ in queries], threshold=threshold):
            first, second = sorted((numbers[one], numbers[other]))
            yield first, second, "near", similarity


def _row(evidence: Evidence, one: int, other: int, kind: str, similarity: float) -> dict[str, Any]:
    first, second = evidence.dataset.queries[one], evidence.dataset.queries[other]
    return {
        "query": first.key,
        "other": second.key,
        "kind": kind,
        "similarity": similarity,
        "judgments": relate(evidence, one, other),
        "text": first.text,
        "other_text": second.text,
    }
