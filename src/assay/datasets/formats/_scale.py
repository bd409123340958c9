"""The scale of a dataset whose file does not give it."""

from collections.abc import Iterable

from assay.records import Query

__all__ = ["largest_grade"]


def largest_grade(queries: Iterable[Query]) -> int:
    """Return the largest grade that was given, at least 1."""
    grades = (judgment.grade for query in queries for judgment in query.judgments)
    return max(1, max(grades, default=1))
