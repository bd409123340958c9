"""Grades of a dataset: on its scale, and changed one at a time."""

from collections.abc import Sequence
from dataclasses import replace

from assay.errors import InputError, NotFoundError
from assay.records.dataset import Judgment, Query, Reference
from assay.text.quote import quote, quote_value

__all__ = ["change_grade", "refuse_grades"]


def change_grade(query: Query, reference: Reference, grade: int | None) -> tuple[Judgment, ...]:
    """Return the judgments of a query, with another grade for a reference."""
    at = [place for place, one in enumerate(query.judgments) if one.reference == reference]
    where = f"query {quote(query.key)}"
    if len(at) > 1:
        hint = "edit the whole query instead"
        raise InputError(f"{reference} has {len(at)} judgments", where=where, hint=hint)
    if not at and grade is None:
        hint = "read the query again to see its judgments"
        raise NotFoundError(f"no judgment of {reference}", where=where, hint=hint)
    if not at:
        return (*query.judgments, Judgment(reference, grade or 0))
    old = query.judgments[at[0]]
    new = () if grade is None else (replace(old, grade=grade),)
    return (*query.judgments[: at[0]], *new, *query.judgments[at[0] + 1 :])


def refuse_grades(queries: Sequence[Query], scale: int) -> None:
    """Refuse grades that are not whole, or above the scale."""
    for query in queries:
        for one in query.judgments:
            if isinstance(one.grade, bool) or not isinstance(one.grade, int) or one.grade > scale:
                problem = (
                    f"grade {quote_value(one.grade, 40)} of {one.reference} is outside the scale"
                )
                hint = f"expected a whole number up to {scale}"
                raise InputError(problem, where=f"query {quote(query.key)}", hint=hint)
