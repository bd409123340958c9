"""Exocortex's JSON: model, environment, retrieval, indexing, search and storage, also partial."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors.read._assemble import assemble, ending
from assay.reports.ancestors.read._fields import Fields
from assay.reports.ancestors.read._layout import AncestorLayout

__all__ = ["EXOCORTEX"]

NAME = "Exocortex"
PARTS = ("retrieval", "performance", "storage")
RETRIEVAL = {"mrr10": "mrr@10", "recall10": "recall@10", "ndcg10": "ndcg@10"}
INDEXING = {
    "totalFiles": ("files", 1.0),
    "totalTokens": ("tokens", 1.0),
    "durationMs": ("seconds", 1e-3),
    "filesPerSecond": ("files_per_second", 1.0),
    "tokensPerSecond": ("tokens_per_second", 1.0),
    "peakMemoryMB": ("peak_memory_mb", 2**20 / 1e6),  # theirs are 2^20 bytes, ours 10^6
}
SEARCH = {"p50Ms": "p50", "p95Ms": "p95", "p99Ms": "p99", "avgMs": "mean"}
STORAGE = {"indexSizeBytes": "index_bytes", "bytesPerDocument": "bytes_per_document"}
AROUND = {"platform": "platform", "pythonVersion": "python"}
COUNTED = {"memory": "memory_mb", "cpuCores": "cores"}
NOTHING = f"expected {', '.join(PARTS)} in it"


def _is_exocortex(value: Mapping[str, Any]) -> bool:
    results = value.get("results")
    parted = isinstance(results, Mapping) and any(part in results for part in PARTS)
    return "modelId" in value or parted


def _read(told: Sequence[Fields]) -> Report:
    runs = [_run(one, f"run {at}") for at, one in enumerate(told, 1)]
    return assemble(NAME, told, runs, environment=_environment(told[0].part("environment")))


def _run(told: Fields, unnamed: str) -> Run:
    results = told.part("results")
    if not any(part in results for part in PARTS):
        raise told.error("results", "no results", hint=NOTHING)
    performance = results.part("performance")
    model = told.text("modelId")
    return Run(
        told.text("run") or model or unnamed,
        "",
        {"model": model} if model else {},
        scores=_scores(results.part("retrieval")),
        latency_ms=_amounts(performance.part("search"), {k: (v, 1.0) for k, v in SEARCH.items()}),
        indexing=_amounts(performance.part("indexing"), INDEXING),
        storage=_amounts(results.part("storage"), {k: (v, 1.0) for k, v in STORAGE.items()}),
        collections=_datasets(told),
        **ending(told),
    )


def _scores(told: Fields) -> dict[str, float]:
    found = {metric: told.score(key) for key, metric in RETRIEVAL.items()}
    return {metric: score for metric, score in found.items() if score is not None}


def _amounts(told: Fields, keys: Mapping[str, tuple[str, float]]) -> dict[str, Any]:
    found = {ours: told.amount(key, factor=factor) for key, (ours, factor) in keys.items()}
    return {name: amount for name, amount in found.items() if amount is not None}


def _datasets(told: Fields) -> dict[str, dict[str, float]]:
    """Return the scores of each dataset; a single one is the whole run."""
    rows = told.rows("datasets")
    return {row.text("name"): _scores(row) for row in rows} if len(rows) > 1 else {}


def _environment(told: Fields) -> dict[str, Any]:
    """Return what times depend on; the version of Node is that of a package."""
    found: dict[str, Any] = {ours: told.text(key) for key, ours in AROUND.items() if key in told}
    found |= {ours: told.amount(key) for key, ours in COUNTED.items() if key in told}
    node = told.text("nodeVersion")
    return found | ({"packages": {"node": node}} if node else {})


EXOCORTEX = AncestorLayout(NAME, _is_exocortex, _read)
