"""sia-code's JSON: a summary of all configurations, or the results of one, by repository.

Where sia-code and Assay define a field differently, the field has Assay's number, and ``notes``
says so.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors._run_fields import RunFields

__all__ = ["sia_code"]

K = 5  # files that sia-code looks at
INSIDE = re.compile(r"(::.*|:\d+-\d+(#\d+-\d+)?)$")  # after the file
RECALL, PRECISION = f"recall@{K}", f"precision@{K}"
RANKS = ("mrr", f"mrr@{K}", "mrr@10")  # any of these has the rank of the first right file
DIFFERENT = {
    RECALL: "share of the relevant documents of a query; sia-code has one each, and counts hits",
    "queries_failed": "failed queries score 0 here; sia-code leaves them out of its means",
}
NO_RANK = "mrr was not measured: add it to `metrics`"


def sia_code(report: Report, *, date: str, run: str | None = None) -> dict[str, Any]:
    """Fill sia-code's shape; ``date`` is ISO 8601 in UTC, ``run`` chooses one configuration."""
    chosen = [one for one in report.runs if run in (None, one.name)]
    if len(chosen) == 1 and (run is not None or len(report.runs) == 1):
        return _one(report, chosen[0], date)
    notes: dict[str, str] = {}
    configurations = []
    for one in chosen:
        fill = RunFields(one)
        configurations.append({"name": one.name, **_figures(report, one, fill)})
        notes |= {f"configurations.{one.name}.{key}": why for key, why in fill.notes.items()}
    return {**_head(report, date), "configurations": configurations, "notes": notes | DIFFERENT}


def _head(report: Report, date: str) -> dict[str, Any]:
    return {
        "benchmark": str(report.benchmark.get("name") or ""),
        "timestamp": date,
        "total_queries": int(report.dataset.get("queries") or 0),
    }


def _one(report: Report, run: Run, date: str) -> dict[str, Any]:
    fill = RunFields(run)
    told = {
        **_head(report, date),
        "name": run.name,
        **_figures(report, run, fill),
        "repositories": {name: _repository(one) for name, one in run.collections.items()},
        "results": [_result(report, run, key) for key in run.per_query],
    }
    fill.say_partial(RECALL)
    for field, remark in DIFFERENT.items():
        fill.say(field, remark)
    return {**told, "notes": fill.notes}


def _figures(report: Report, run: Run, fill: RunFields) -> dict[str, Any]:
    asked = len(run.per_query) or int(report.dataset.get("queries") or 0)
    return {
        RECALL: fill.score(RECALL, RECALL),
        "mrr": fill.known("mrr", _mean_reciprocal(report, run), NO_RANK),
        "queries_processed": asked - run.errors,
        "queries_failed": run.errors,
    }


def _mean_reciprocal(report: Report, run: Run) -> float | None:
    """Average over queries; each repository counts the same, as in the recall."""
    groups: dict[str, list[float | None]] = {}
    for key in run.per_query:
        repository = report.queries.get(key, {}).get("collection", "") if run.collections else ""
        groups.setdefault(repository, []).append(_reciprocal(run, key))
    means = [sum(filter(None, some)) / len(some) for some in groups.values() if None not in some]
    return sum(means) / len(means) if means and len(means) == len(groups) else None


def _reciprocal(run: Run, key: str) -> float | None:
    """Return 1 / rank of the first relevant document, 0 below the files that are looked at."""
    scores = {**run.others.get(key, {}), **run.per_query[key]}
    value = next((scores[name] for name in RANKS if name in scores), None)
    return None if value is None else value if value >= 1 / K else 0.0


def _repository(one: Mapping[str, Any]) -> dict[str, Any]:
    """Tell of a repository what is known of it; sizes are those of its index."""
    names = {RECALL: RECALL, "queries": "queries", "queries_failed": "errors"}
    names |= {name: name for name in ("files", "chunks", "seconds", "index_bytes")}
    return {theirs: one[ours] for theirs, ours in names.items() if one.get(ours) is not None}


def _result(report: Report, run: Run, key: str) -> dict[str, Any]:
    told = report.queries.get(key, {})
    first = _reciprocal(run, key)
    return {
        "query_id": key,
        "repo": told.get("collection", ""),
        "hit": bool(first),
        "rank": round(1 / first) if first else 0,
        "files": _files(report, run.rankings.get(key, ()))[:K],
        "error": run.failed.get(key),
    }


def _files(report: Report, results: Sequence[str]) -> list[str]:
    """Name the files of results, each once; without chunks or symbols these are the results."""
    if report.benchmark.get("unit", "document") == "document":
        return list(results)
    return [*dict.fromkeys(INSIDE.sub("", one) for one in results)]
