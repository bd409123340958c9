"""Approximate dense search in 50,000 vectors, beside exact search and faiss alone."""

from statistics import median
from typing import Any

from performance._measure import ONE_THREAD, measure, progress, script
from performance._result import Result, Row
from performance._settings import DOCUMENTS, QUERIES, Settings

__all__ = ["dense"]

VECTORS, DIMENSION = 50_000, 384
SHOWN = ("hnsw, ef_search 64", "ivf, probes 16")  # beside faiss alone


def dense(settings: Settings) -> Result:
    """Build each index once, and search it with rising effort."""
    scale = settings.queries * settings.documents / (QUERIES * DOCUMENTS)
    count = max(2_000, round(VECTORS * scale))
    progress(f"dense: {count:,} vectors of {DIMENSION} dimensions")
    command = script("dense_assay", count, DIMENSION, settings.repeats)
    found: dict[str, Any] = measure(command, ONE_THREAD).json()
    result = Result(f"Near vectors: {count:,} of {DIMENSION} dimensions, 200 queries, one core")
    exact = _p50(found["s"]["exact"])
    for name in (name for name in found["s"] if name != "exact"):
        told = f"{name} (recall {found['recall'][name]:.1%})"
        row = Row(told, _p50(found["s"][name]), "exact", exact, ratio="times")
        result.rows.append(row)
    for name in SHOWN:
        alone = Row(name, _p50(found["s"][name]), "faiss", _p50(found["faiss"][name]))
        result.rows.append(alone)
    result.notes.append(
        "CPU time of the thread for a query, its vector to the rows of the best 10; the median of "
        f"200 queries, each the median of {settings.repeats}. Vectors and queries lie around 1,000 "
        "centres; int8, m 32, ef_construction 100. faiss: the same index without the exact scores "
        "of what it proposes. Recall is the share of the exact best 10."
    )
    return result


def _p50(seconds: list[float]) -> float:
    return median(seconds)
