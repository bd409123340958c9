"""A report -> its queries in groups: by category, what they ask about, file type and fields."""

from collections.abc import Mapping

from assay.benchmarks.analysis._comparable_runs import ComparableRuns
from assay.benchmarks.queries.query_facts import file_type
from assay.records import Report
from assay.records.dataset import NO_CATEGORY

__all__ = ["by_breakdown", "by_category", "by_cluster", "by_file_type"]

NO_VALUE = "no value"  # the name of queries without one, among the values of a field


def by_category(report: Report, scores: ComparableRuns) -> Mapping[str, list[str]]:
    """Group by the dataset's categories, if any query has one; those without are a group."""
    known = {key: str(one.get("category") or "") for key, one in report.queries.items()}
    if not any(known.get(query) for query in scores.queries):
        return {}
    return scores.grouped({query: known.get(query) or NO_CATEGORY for query in scores.queries})


def by_breakdown(report: Report, scores: ComparableRuns) -> dict[str, dict[str, list[str]]]:
    """Group by the values of each field that the benchmark names; a query may have several.

    Queries without a value are a group, of a field that any query has.
    """
    fields = report.benchmark.get("breakdowns") or ()
    found: dict[str, dict[str, list[str]]] = {str(field): {} for field in fields}
    for query in scores.queries:
        known = report.queries.get(query, {}).get("breakdowns") or {}
        for field, groups in found.items():
            for value in known.get(field) or (NO_VALUE,):
                groups.setdefault(str(value), []).append(query)
    return {field: groups for field, groups in found.items() if {*groups} - {NO_VALUE}}


def by_cluster(report: Report, scores: ComparableRuns) -> Mapping[str, list[str]]:
    """Group by what is asked about; queries that are in no cluster are left out."""
    named = {key: str(one.get("cluster") or "") for key, one in report.queries.items()}
    return scores.grouped(named)


def by_file_type(report: Report, scores: ComparableRuns) -> Mapping[str, Mapping[str, set[str]]]:
    """Find the relevant documents of each file type, by query; a query may want several types."""
    found: dict[str, dict[str, set[str]]] = {}
    for query in scores.queries:
        known = report.queries.get(query, {})
        told, judged = set(known.get("file_types") or ()), known.get("judged") or {}
        for document, grade in judged.items():
            if grade > 0 and (name := file_type(document)) in told:
                found.setdefault(name, {}).setdefault(query, set()).add(document)
    return found
