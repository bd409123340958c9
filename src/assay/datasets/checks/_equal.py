"""Queries that ask the same, and whether their judgments agree."""

from typing import Literal

from assay.datasets.checks._evidence import Evidence
from assay.datasets.checks._words import question
from assay.records import Dataset

__all__ = ["Relation", "equal_queries", "relate"]

Relation = Literal["same", "different", "contradicting"]


def equal_queries(dataset: Dataset) -> dict[tuple[str, tuple[str, ...]], list[int]]:
    """Put queries of one collection with one normalised text together; empty texts are left out."""
    found: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for number, query in enumerate(dataset.queries):
        tokens = question(query.text)
        if tokens:
            found.setdefault((query.collection, tokens), []).append(number)
    return found


def relate(evidence: Evidence, one: int, other: int) -> Relation:
    """Say whether two queries were judged alike, differently, or against each other."""
    ours, theirs = _grades(evidence, one), _grades(evidence, other)
    if ours == theirs:
        return "same"
    if any(theirs.get(what, grades) != grades for what, grades in ours.items()):
        return "contradicting"
    return "different"


def _grades(evidence: Evidence, number: int) -> dict[object, set[int]]:
    found: dict[object, set[int]] = {}
    for what, judgment in evidence.grades(number):
        found.setdefault(what, set()).add(judgment.grade)
    return found
