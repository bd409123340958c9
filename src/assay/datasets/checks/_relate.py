"""Whether two queries that ask the same were judged the same."""

from typing import Literal

from assay.datasets.checks._evidence import Evidence

__all__ = ["Relation", "relate"]

Relation = Literal["same", "different", "contradicting"]


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
