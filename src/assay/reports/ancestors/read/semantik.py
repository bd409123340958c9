"""Semantik's JSON: the export of a benchmark's runs, or of one run its results query by query."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors.read._assemble import assemble, settle
from assay.reports.ancestors.read._fields import Fields
from assay.reports.ancestors.read._layout import AncestorLayout
from assay.reports.ancestors.read._query_times import query_times

__all__ = ["SEMANTIK"]

NAME = "Semantik"
AT_K, WHOLE = ("ndcg", "precision", "recall"), ("mrr", "ap")
AT_PRIMARY = {"precision_at_k": "precision", "recall_at_k": "recall", "ndcg_at_k": "ndcg"}
USUAL_K = 10
STATUSES = {"completed": "completed", "failed": "failed", "cancelled": "cancelled"}
ASSUMED = f"the file does not say its k, which is taken as {USUAL_K}, the default of Semantik"


def _is_semantik(value: Mapping[str, Any]) -> bool:
    about = {"benchmark_id", "primary_k", "k_values_for_metrics", "config_matrix"}
    if isinstance(value.get("runs"), list):
        return bool(about & value.keys()) and "schema_version" not in value
    rows = value.get("results")
    return "run_id" in value and isinstance(rows, list)


def _read(told: Sequence[Fields]) -> Report:
    first = told[0]
    k = first.count("primary_k") or first.part("config_matrix").count("primary_k")
    each = [one for part in told for one in (part.rows("runs") if "runs" in part else [part])]
    runs = [_run(one, k or USUAL_K, f"run {at}") for at, one in enumerate(each, 1)]
    assumed = k is None and any(_has_k(row) for one in each for row in _rows(one).values())
    return assemble(
        NAME,
        told,
        runs,
        name=first.text("name"),
        primary=f"ndcg@{k or USUAL_K}",
        queries={key: fact for one in each for key, fact in _facts(one).items()},
        notes=(ASSUMED,) if assumed else (),
    )


def _has_k(row: Fields) -> bool:
    return any(key in row for key in AT_PRIMARY)


def _run(told: Fields, k: int, unnamed: str) -> Run:
    config = told.part("config").value
    rows = _rows(told)
    _refuse_page(told, rows)
    means = _metrics(told.part("metrics_flat")) | _metrics(told.part("metrics"))
    scores, per_query = settle(means, {key: _query(row, k) for key, row in rows.items()})
    seconds = told.part("timing").amount("indexing_ms", factor=1e-3)
    return Run(
        told.text("name") or _name(config) or unnamed,
        told.text("config_hash"),
        dict(config),
        **_ended(told),
        scores=scores,
        per_query=per_query,
        latency_ms=_times(rows),
        indexing={} if seconds is None else {"seconds": seconds},
    )


def _ended(told: Fields) -> dict[str, Any]:
    status = told.text("status").lower() or "completed"
    if status not in STATUSES:
        hint = "export the results when all runs have ended"
        raise told.error("status", f'the run is "{status}"', hint=hint)
    return {"status": STATUSES[status], "error": told.text("error_message")}


def _rows(told: Fields) -> dict[str, Fields]:
    """Return the results of queries, where a run has them."""
    found: dict[str, Fields] = {}
    for row in told.rows("results"):
        key = row.text("query_key") or row.text("query_id")
        if not key or key in found:
            problem = f'the query "{key}" is there twice' if key else "a query without a key"
            raise row.error("query_key", problem, hint="give each query a key of its own")
        found[key] = row
    return found


def _refuse_page(told: Fields, rows: Mapping[str, Fields]) -> None:
    """Refuse one page of several: its mean is not that of the run."""
    total = told.count("total")
    if rows and total is not None and total > len(rows):
        problem = f"only {len(rows):,} of {total:,} queries are in the file"
        raise told.error("results", problem, hint="put the queries of all pages into one file")


def _metrics(told: Fields) -> dict[str, float]:
    """Read scores by name, or by name and k; names that are no metric of Semantik are left out."""
    found: dict[str, float | None] = {}
    for key, value in told.value.items():
        name, _, k = str(key).lower().partition("@")
        if name in WHOLE and not k:
            found[name] = told.score(key)
        elif name in AT_K and k.isdigit():
            found[f"{name}@{int(k)}"] = told.score(key)
        elif name in AT_K and not k and isinstance(value, Mapping):
            each = told.part(key)
            found |= {f"{name}@{int(at)}": each.score(at) for at in value if at.isdigit()}
    return {metric: score for metric, score in found.items() if score is not None}


def _query(row: Fields, k: int) -> dict[str, float]:
    found = {f"{name}@{k}": row.score(key) for key, name in AT_PRIMARY.items()}
    found["mrr"] = row.score("reciprocal_rank")
    known = {metric: score for metric, score in found.items() if score is not None}
    return known | _metrics(row.part("metrics"))


def _times(rows: Mapping[str, Fields]) -> dict[str, Any]:
    """Return the times of searches; it is unknown whether they include those of a reranker."""
    if any(row.amount("rerank_time_ms") for row in rows.values()):
        return {}
    return query_times({key: row.amount("search_time_ms") for key, row in rows.items()}, None)


def _facts(told: Fields) -> dict[str, dict[str, Any]]:
    texts = {key: row.text("query_text") for key, row in _rows(told).items()}
    return {key: {"text": text} for key, text in texts.items() if text}


def _name(config: Mapping[str, Any]) -> str:
    """Name a run by its settings, which are the same in the next benchmark.

    >>> _name({"search_mode": "hybrid", "use_reranker": True, "top_k": 100, "rrf_k": 60})
    'hybrid-rerank-top_k=100-rrf_k=60'
    """
    mode = str(config.get("search_mode") or "")
    fused = ["rrf_k"] if mode == "hybrid" else []
    flags = [mode, "rerank" if config.get("use_reranker") else ""]
    numbers = {name: config.get(name) for name in ("top_k", *fused, "score_threshold")}
    told = [f"{name}={value}" for name, value in numbers.items() if value is not None]
    return "-".join(filter(None, [*flags, *told]))


SEMANTIK = AncestorLayout(NAME, _is_semantik, _read)
