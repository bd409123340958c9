"""Exocortex's JSON: model, environment, retrieval, indexing, search, storage and datasets.

One run is one object, as Exocortex has it; several are in ``reports``. Units are those of
Exocortex: milliseconds, bytes, and memory in MiB.
"""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors._run_fields import UNREPORTED, RunFields

__all__ = ["exocortex"]

RETRIEVAL = {"mrr10": "mrr@10", "recall10": "recall@10", "ndcg10": "ndcg@10"}
INDEXING = {
    "totalFiles": ("files", 1.0),
    "totalTokens": ("tokens", 1.0),
    "durationMs": ("seconds", 1000.0),
    "filesPerSecond": ("files_per_second", 1.0),
    "tokensPerSecond": ("tokens_per_second", 1.0),
    "peakMemoryMB": ("peak_memory_mb", 1e6 / 2**20),  # ours are 10^6 bytes, theirs 2^20
}
SEARCH = {"p50Ms": "p50", "p95Ms": "p95", "p99Ms": "p99", "avgMs": "mean"}
STORAGE = {"indexSizeBytes": "index_bytes", "bytesPerDocument": "bytes_per_document"}
DIFFERENT = {
    "timestamp": "when this file was written",
    "environment.nodeVersion": "Assay runs on Python: see pythonVersion",
    "results.performance.indexing.peakMemoryMB": "peak resident memory of the indexing process; "
    "Exocortex reports memory at the end minus memory at the start",
    "results.performance.search": "percentiles are interpolated; Exocortex reports single samples",
    "results.storage.indexSizeBytes": "bytes on disk that a search needs, without the stored text",
    "results.storage.compressionRatio": "there is no other variant to compare with",
}


def exocortex(report: Report, *, date: str, run: str | None = None) -> dict[str, Any]:
    """Fill Exocortex's shape; ``date`` is ISO 8601 in UTC, ``run`` chooses one of several."""
    told = [_one(report, one, date) for one in report.runs if run in (None, one.name)]
    if len(told) == 1 and (run is not None or len(report.runs) == 1):
        return told[0]
    return {"reports": told}


def _one(report: Report, run: Run, date: str) -> dict[str, Any]:
    fill = RunFields(run)
    no_model = "this search has no embedding model"
    told = {
        "modelId": fill.known("modelId", run.configuration.get("model"), no_model),
        "run": run.name,
        "timestamp": f"{date}Z",
        "environment": _environment(report, fill),
        "results": {
            "retrieval": {
                name: fill.score(f"results.retrieval.{name}", metric)
                for name, metric in RETRIEVAL.items()
            },
            "performance": {"indexing": _indexing(run, fill), "search": _search(fill)},
            "storage": _storage(fill),
        },
        "datasets": _datasets(report, run, fill),
    }
    fill.say_partial("results.retrieval")
    for field, remark in DIFFERENT.items():
        fill.say(field, remark)
    return {**told, "notes": fill.notes}


def _environment(report: Report, fill: RunFields) -> dict[str, Any]:
    around = report.environment
    named = {"platform": "platform", "memory": "memory_mb", "cpuCores": "cores"}
    known = {
        field: fill.known(f"environment.{field}", around.get(name), UNREPORTED)
        for field, name in named.items()
    }
    python = around.get("python")
    return {
        "platform": known["platform"],
        "nodeVersion": None,
        "pythonVersion": python,
        "memory": known["memory"],
        "cpuCores": known["cpuCores"],
    }


def _indexing(run: Run, fill: RunFields) -> dict[str, Any]:
    where = "results.performance.indexing"
    if run.indexing.get("seconds_complete") is False:
        remark = (
            "without the time to embed vectors that were given, or cached (--fresh includes these)"
        )
        fill.say(f"{where}.durationMs", remark)
    return {
        field: fill.measured(f"{where}.{field}", "indexing", name, factor=factor)
        for field, (name, factor) in INDEXING.items()
    }


def _search(fill: RunFields) -> dict[str, Any]:
    where = "results.performance.search"
    return {
        field: fill.measured(f"{where}.{field}", "latency_ms", name)
        for field, name in SEARCH.items()
    }


def _storage(fill: RunFields) -> dict[str, Any]:
    where = "results.storage"
    known = {
        field: fill.measured(f"{where}.{field}", "storage", name) for field, name in STORAGE.items()
    }
    return {**known, "compressionRatio": None}


def _datasets(report: Report, run: Run, fill: RunFields) -> list[dict[str, Any]]:
    """Give each dataset its scores; a benchmark of one has those of the whole run."""
    name = str(report.dataset.get("name") or report.benchmark["name"])
    parts: Mapping[str, Mapping[str, Any]] = run.collections or {name: run.scores}
    return [
        {
            "name": part,
            **{
                field: fill.score(f"datasets.{part}.{field}", RETRIEVAL[field], scores)
                for field in ("mrr10", "recall10")
            },
        }
        for part, scores in parts.items()
    ]
