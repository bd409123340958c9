"""File types of the relevant documents: what each run scores and finds of them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.benchmarks.analysis._query_groups import by_file_type
from assay.benchmarks.analysis._scored import scored
from assay.metrics import parse
from assay.records import Report, Run

__all__ = ["file_types"]

SHOWN = 10  # documents of each query that a report has


def file_types(report: Report, *, seed: int) -> list[dict[str, Any]]:
    """Score the queries that want a document of each type, the type of most queries first.

    ``recall`` is the share of the type's relevant documents that are among the first ``k``, over
    all queries; k is that of the primary metric, as far as a report has rankings.
    """
    scores = scored(report)
    k = min(parse(scores.primary).k or SHOWN, SHOWN) if scores.runs else SHOWN
    found = [
        {
            "file_type": name,
            "queries": len(wanted),
            "judgments": sum(map(len, wanted.values())),
            "k": k,
            "scores": scores.by_run(wanted),
            "recall": {run.name: _recall(run, wanted, k) for run in scores.runs},
        }
        for name, wanted in by_file_type(report, scores).items()
    ]
    return sorted(found, key=lambda one: (-one["queries"], one["file_type"]))


def _recall(run: Run, wanted: Mapping[str, set[str]], k: int) -> float:
    found = Counter(
        document in right
        for query, right in wanted.items()
        for document in dict.fromkeys(run.rankings.get(query, ())[:k])
    )
    return found[True] / sum(map(len, wanted.values()))
