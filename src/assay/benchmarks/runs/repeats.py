"""A run that was built several times -> what builds vary by, apart from what queries vary by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.runs.collect import ResultReader
from assay.benchmarks.runs.measure import latency
from assay.benchmarks.runs.reading import with_tokens
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.sum_up import score_answers
from assay.errors import UsageError
from assay.records import Benchmark, Floats
from assay.records.costs import COSTS
from assay.statistics.variance_components import variance_components

__all__ = ["sum_up_repeats", "with_repeats"]

FIGURES = (  # that differ from build to build
    "latency_p50_ms",
    "latency_p95_ms",
    "index_seconds",
    "peak_memory_mb",
    "files_per_second",
    "tokens_per_second",
)


def with_repeats(
    benchmark: Benchmark, collections: OpenCollections, reader: ResultReader, tried: RunResult
) -> RunResult:
    """Add how a run varies over its builds; its own figures stay those of the first."""
    builds = reader.layout.settings.repeats
    if builds < 2 or tried.evaluation is None:
        return tried
    each = [reader.collect(tried.run.name, number=at) for at in range(builds)]
    scored = [
        score_answers(
            benchmark,
            collections.truth,
            tried.run.name,
            with_tokens(benchmark, collections, one.measured),
        )
        for one in each
        if one.measured.found
    ]
    if len(scored) < len(each):
        note = f"only {len(scored)} of {len(each)} builds could be measured"
        return replace(tried, run=replace(tried.run, notes=(*tried.run.notes, note)))
    scores = {
        name: np.stack([one.per_query[name] for one in scored], axis=1)
        for name in benchmark.metrics
    }
    parts: dict[str, Sequence[Mapping[str, Any]]] = {
        "latency_ms": [latency(one.measured) for one in each],
        "indexing": [one.done.indexing for one in each],
    }
    costs = {name: COSTS[name] for name in FIGURES}
    figures = {name: _values(parts[one.part], one.key) for name, one in costs.items()}
    known = {name: values for name, values in figures.items() if values}
    repeats = sum_up_repeats(scores, known)
    notes = (*tried.run.notes, *_differ(repeats, benchmark.primary))
    return replace(tried, run=replace(tried.run, repeats=repeats, notes=notes))


def _values(each: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    found = [float(one[key]) for one in each if one.get(key) is not None]
    return found if len(found) == len(each) else []


def _differ(repeats: Mapping[str, Any], primary: str) -> Iterator[str]:
    """Say that builds differ, where scores show it; they are those of the first build."""
    spread = repeats["scores"][primary]["sd_build"]
    if spread:
        yield f"{primary} varies between builds (sd {spread:.4f}); scores are of the first build"


def sum_up_repeats(
    scores: Mapping[str, Floats], figures: Mapping[str, Sequence[float]]
) -> dict[str, Any]:
    """Return by metric how scores vary, and of each figure its mean and sd over the builds.

    ``scores`` have a row for each query and a column for each build, by metric; ``figures`` have a
    value for each build, e.g. latency_p50_ms, latency_p95_ms and index_seconds.
    """
    counts = {np.shape(columns)[-1] for columns in scores.values()}
    counts |= {len(values) for values in figures.values()}
    if len(counts) > 1:
        several = " and ".join(map(str, sorted(counts)))
        raise UsageError(f"builds have different numbers of values: {several}")
    return {
        "builds": counts.pop() if counts else 0,
        "scores": {metric: variance_components(columns) for metric, columns in scores.items()},
        "figures": {name: _over_builds(values) for name, values in figures.items() if len(values)},
    }


def _over_builds(values: Sequence[float]) -> dict[str, Any]:
    column = np.asarray(values, np.float64)
    spread = float(column.std(ddof=1)) if len(column) > 1 else None
    return {"mean": float(column.mean()), "sd": spread, "values": column.tolist()}
