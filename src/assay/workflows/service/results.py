"""Parts of a stored report: its results without single queries, and the queries of a run."""

import json
from collections.abc import Mapping
from typing import Any

from assay.errors import ConflictError, NotFoundError
from assay.text.join_list import first_named
from assay.text.quote import quote_value
from assay.workspace.ledger.ledger import Ledger

__all__ = ["query_results", "stored_report", "summary_of"]

PER_QUERY = ("per_query", "rankings", "ranking_scores", "ranking_symbols", "others")


def stored_report(ledger: Ledger, benchmark: str) -> bytes:
    """Return the report of a benchmark as JSON; ConflictError while it has none."""
    status = ledger.find(benchmark)
    content = ledger.report(benchmark) if status.reported else None
    if content is None:
        hint = "wait until it is completed" if status.state != "pending" else "start it first"
        problem = f"the benchmark has no report yet: it is {status.state}"
        raise ConflictError(problem, where=benchmark, hint=hint)
    return content


def summary_of(content: bytes) -> dict[str, Any]:
    """Return a report without what it has of single queries."""
    report: dict[str, Any] = json.loads(content)
    report.pop("queries", None)
    for run in report["runs"]:
        for key in PER_QUERY:
            run.pop(key, None)
        (run.get("latency_ms") or {}).pop("queries", None)
    return report


def query_results(
    content: bytes, run: str, *, limit: int, after: int = 0
) -> tuple[list[dict[str, Any]], int]:
    """Return the queries of a run from a place on, and the place after them (0: none is left)."""
    report = json.loads(content)
    found = next((one for one in report["runs"] if run in (one["name"], *one["aliases"])), None)
    if found is None:
        names = [one["name"] for one in report["runs"]]
        hint = f"available: {first_named(names, 5)}"
        raise NotFoundError(f"unknown run {quote_value(run)}", where="run", hint=hint)
    keys = [*found["per_query"], *(key for key in found["failed"] if key not in found["per_query"])]
    shown = keys[after : after + limit]
    rest = after + limit
    rows = [_query(key, found, report.get("queries") or {}) for key in shown]
    return rows, rest if rest < len(keys) else 0


def _query(key: str, run: Mapping[str, Any], queries: Mapping[str, Any]) -> dict[str, Any]:
    about = queries.get(key) or {}
    ranking = (run.get("rankings") or {}).get(key, [])
    scores = (run.get("ranking_scores") or {}).get(key) or [None] * len(ranking)
    judged = about.get("judged") or {}
    return {
        "query": key,
        "text": about.get("text", ""),
        "scores": run["per_query"].get(key, {}),
        "latency_ms": ((run.get("latency_ms") or {}).get("queries") or {}).get(key),
        "error": run["failed"].get(key),
        "results": [
            {"document": document, "score": score, "grade": judged.get(document)}
            for document, score in zip(ranking, scores, strict=False)
        ],
    }
