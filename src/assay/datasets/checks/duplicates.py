"""Duplicates: queries that are asked twice, in the same or nearly the same words."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay.datasets.checks._alike import near_pairs
from assay.datasets.checks._evidence import Evidence, check
from assay.datasets.checks._relate import relate
from assay.records import Finding
from assay.text.count_noun import count_noun

__all__ = ["duplicates"]

Pair = tuple[int, int, str, float]


@check(rank=50)
def duplicates(evidence: Evidence) -> Finding:
    """Find queries with identical or nearly identical words, in any order."""
    groups = evidence.equal
    sets: dict[tuple[str, frozenset[str]], list[int]] = {}
    for (collection, tokens), members in groups.items():
        sets.setdefault((collection, frozenset(tokens)), []).append(members[0])
    near, cut = _near(sets, evidence.settings.near)
    pairs = sorted([*_exact(groups), *_reordered(sets), *near])
    repeated = len({other for _, other, *_ in pairs})
    return Finding(
        said=_said(pairs, cut),
        brief=count_noun(repeated, "duplicate") if pairs else "",
        rows=tuple(_row(evidence, *pair) for pair in pairs),
        shown=("query", "other", "kind", "judged", "text"),
    )


def _exact(groups: dict[tuple[str, tuple[str, ...]], list[int]]) -> Iterator[Pair]:
    """Pair each repetition with the first."""
    for first, *others in groups.values():
        yield from ((first, other, "exact", 1.0) for other in others)


def _reordered(sets: dict[tuple[str, frozenset[str]], list[int]]) -> Iterator[Pair]:
    for first, *others in sets.values():
        yield from ((first, other, "reordered", 1.0) for other in others)


def _near(
    sets: dict[tuple[str, frozenset[str]], list[int]], threshold: float
) -> tuple[list[Pair], int | None]:
    """Compare the queries of each collection; also say from which length on not all were."""
    collections: dict[str, list[tuple[frozenset[str], int]]] = {}
    for (collection, words), members in sets.items():
        collections.setdefault(collection, []).append((words, members[0]))
    pairs: list[Pair] = []
    cuts: list[int] = []
    for queries in collections.values():
        numbers = [number for _, number in queries]
        found, cut = near_pairs([words for words, _ in queries], threshold=threshold)
        for one, other, alike in found:
            first, second = sorted((numbers[one], numbers[other]))
            pairs.append((first, second, "near", alike))
        cuts += [] if cut is None else [cut]
    return pairs, min(cuts, default=None)


def _said(pairs: list[Pair], cut: int | None) -> str:
    kinds = Counter(kind for *_, kind, _ in pairs)
    said = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    said = f"pairs of queries with identical or similar words: {said}." if pairs else ""
    if cut is not None:
        said += f" Not all queries of {cut} or more words were compared: too many are similar."
    return said.strip()


def _row(evidence: Evidence, one: int, other: int, kind: str, similarity: float) -> dict[str, Any]:
    first, second = evidence.dataset.queries[one], evidence.dataset.queries[other]
    return {
        "query": first.key,
        "other": second.key,
        "kind": kind,
        "similarity": similarity,
        "judged": relate(evidence, one, other),
        "text": first.text,
        "other_text": second.text,
    }
