"""Which queries a check is about: those of a category, a difficulty, a collection or a field."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.benchmarks.queries.predicted_difficulty import difficulty_bands
from assay.errors import InputError
from assay.records import Report
from assay.text.near_miss import did_you_mean

__all__ = ["group_queries"]

NO_FIELDS = "run files have no fields of queries: compare reports of `assay run`"
OWN = ("category", "difficulty", "collection", "cluster")


def group_queries(report: Report, group: tuple[str, str], queries: Sequence[str]) -> list[str]:
    """Return the queries whose field has a value, in their order; refuse unknown names.

    Where the dataset names no difficulty, it is predicted from the rankings: the easiest third is
    easy. It is not measured by scores, which would fall by chance alone in what was easy before.
    """
    field, value = group
    values = _values(report, field)
    if not values:
        known = [name for name in OWN if _values(report, name)]
        known += [str(name) for name in report.benchmark.get("breakdowns") or ()]
        hint = did_you_mean(field, known) if known else NO_FIELDS
        raise InputError(f'the queries have no field "{field}"', hint=hint)
    chosen = [query for query in queries if value in values.get(query, ())]
    if not chosen:
        every = sorted({one for some in values.values() for one in some})
        hint = did_you_mean(value, every, otherwise=f"known values: {', '.join(every[:20])}")
        raise InputError(f'no query has {field} "{value}"', hint=hint)
    return chosen


def _values(report: Report, field: str) -> dict[str, tuple[str, ...]]:
    found = {query: _of_query(one, field) for query, one in report.queries.items()}
    known = {query: values for query, values in found.items() if values}
    if known or field != "difficulty":
        return known
    predicted = {
        query: float(one["predicted"])
        for query, one in report.queries.items()
        if one.get("predicted") is not None
    }
    bands = difficulty_bands(predicted)
    return {query: (level,) for level, some in bands.items() for query in some}


def _of_query(one: Mapping[str, Any], field: str) -> tuple[str, ...]:
    if field in OWN:
        return (str(one[field]),) if one.get(field) else ()
    return tuple(str(value) for value in (one.get("breakdowns") or {}).get(field) or ())
