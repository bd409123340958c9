"""File types of the relevant documents: what each run scores and finds of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.benchmarks.analysis._comparable_runs import comparable_runs
from assay.benchmarks.analysis._query_groups import by_file_type
from assay.metrics import parse
from assay.records import Report, Run
from assay.records.report import RESULTS_KEPT

__all__ = ["file_types"]


def file_types(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Score the queries that want a document of each type, the type of most queries first.

    ``recall`` is the share of the type's relevant documents that are among the first ``k``, over
    all queries; k is that of the primary metric, as far as a report has rankings. Documents that
    meet the same expected item count as one, which any of them finds.
    """
    scores = comparable_runs(report)
    k = min(parse(scores.primary).k or RESULTS_KEPT, RESULTS_KEPT) if scores.runs else RESULTS_KEPT
    found = [
        {
            "file_type": name,
            "queries": len(wanted),
            "judgments": sum(map(len, items.values())),
            "k": k,
            "scores": scores.by_run(wanted),
            "recall": {run.name: _recall(run, items, k) for run in scores.runs},
        }
        for name, wanted in by_file_type(report, scores).items()
        for items in [_items(report, wanted)]
    ]
    return sorted(found, key=lambda one: (-one["queries"], one["file_type"]))


def _items(
    report: Report, wanted: Mapping[str, Collection[str]]
) -> dict[str, list[Collection[str]]]:
    """Return for each query the documents of each item that some of the wanted ones meet."""
    told = {query: report.queries[query].get("items") for query in wanted}
    return {
        query: [one for one in told[query] or [[name] for name in names] if {*names} & {*one}]
        for query, names in wanted.items()
    }


def _recall(run: Run, items: Mapping[str, Sequence[Collection[str]]], k: int) -> float:
    found = [
        not shown.isdisjoint(item)
        for query, each in items.items()
        for shown in [{*run.rankings.get(query, ())[:k]}]
        for item in each
    ]
    return sum(found) / len(found)
