"""File types of the relevant documents: what each run scores and finds of them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.benchmarks._query_file_types import file_type
from assay.benchmarks.analysis._scored import Scored, scored
from assay.metrics import parse
from assay.records import Report, Run

__all__ = ["file_types"]

SHOWN = 10  # documents of each query that a report has

Wanted = Mapping[str, Mapping[str, set[str]]]  # relevant documents, by file type and query


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
        for name, wanted in _wanted(report, scores).items()
    ]
    return sorted(found, key=lambda one: (-one["queries"], one["file_type"]))


def _wanted(report: Report, scores: Scored) -> dict[str, dict[str, set[str]]]:
    found: dict[str, dict[str, set[str]]] = {}
    for query in scores.queries:
        known = report.queries.get(query, {})
        told, judged = set(known.get("file_types") or ()), known.get("judged") or {}
        for document, grade in judged.items():
            if grade > 0 and (name := file_type(document)) in told:
                found.setdefault(name, {}).setdefault(query, set()).add(document)
    return found


def _recall(run: Run, wanted: Mapping[str, set[str]], k: int) -> float:
    found = Counter(
        document in right
        for query, right in wanted.items()
        for document in dict.fromkeys(run.rankings.get(query, ())[:k])
    )
    return found[True] / sum(map(len, wanted.values()))
