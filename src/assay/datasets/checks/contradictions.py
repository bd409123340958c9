"""Contradictions: one document with two grades for the same question."""

from collections.abc import Iterator
from typing import Any

from assay.datasets.checks._evidence import Evidence, check
from assay.records import Finding, Judgment
from assay.text.count_noun import count_noun

__all__ = ["contradictions"]


@check(rank=20)
def contradictions(evidence: Evidence) -> Finding:
    """Find documents with different grades within a query, or for two identical queries."""
    rows = (*_within(evidence), *_between(evidence))
    some = count_noun(len(rows), "contradiction")
    return Finding(
        said="the same document has different grades for the same query." if rows else "",
        brief=some if rows else "",
        rows=rows,
        shown=("query", "other", "reference", "grades"),
        defects=len(rows),
    )


def _within(evidence: Evidence) -> Iterator[dict[str, Any]]:
    for number, query in enumerate(evidence.dataset.queries):
        if len(query.judgments) > 1:
            for judgments in _by_object(evidence, [number]).values():
                grades: dict[object, set[int]] = {}  # several lines of a document may differ
                for _, one in judgments:
                    grades.setdefault(one.lines, set()).add(one.grade)
                for some in (some for some in grades.values() if len(some) > 1):
                    yield _row(query.key, query.key, judgments[0][1], sorted(some))


def _between(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Compare each repetition of a query with the first that judged the same document."""
    queries = evidence.dataset.queries
    for numbers in evidence.equal.values():
        if len(numbers) == 1:
            continue
        for judgments in _by_object(evidence, numbers).values():
            best: dict[int, Judgment] = {}
            for number, judgment in judgments:
                if number not in best or judgment.grade > best[number].grade:
                    best[number] = judgment
            (first, ours), *others = best.items()
            for other, theirs in others:
                if theirs.grade != ours.grade:
                    keys = queries[first].key, queries[other].key
                    yield _row(*keys, ours, [ours.grade, theirs.grade])


def _by_object(evidence: Evidence, numbers: list[int]) -> dict[object, list[tuple[int, Judgment]]]:
    """Put together the judgments, of one or several queries, that are about the same thing."""
    found: dict[object, list[tuple[int, Judgment]]] = {}
    for number in numbers:
        for what, judgment in evidence.grades(number):
            found.setdefault(what, []).append((number, judgment))
    return found


def _row(query: str, other: str, judgment: Judgment, grades: list[int]) -> dict[str, Any]:
    reference = str(judgment.reference)
    return {"query": query, "other": other, "reference": reference, "grades": grades}
