"""A run that was built several times -> what builds vary by, apart from what queries vary by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.collections.open_collections import Sites
from assay.benchmarks.runs._sum_up_repeats import sum_up_repeats
from assay.benchmarks.runs.collect import gather
from assay.benchmarks.runs.measure import latency
from assay.benchmarks.runs.sum_up import Tried, score_answers
from assay.benchmarks.work.execute import Execution
from assay.records import Benchmark

__all__ = ["with_repeats"]


def with_repeats(benchmark: Benchmark, sites: Sites, work: Execution, tried: Tried) -> Tried:
    """Add how a run varies over its builds; its own figures stay those of the first."""
    if work.settings.builds < 2 or tried.evaluation is None:
        return tried
    each = [gather(work, tried.run.name, number=at) for at in range(work.settings.builds)]
    scored = [
        score_answers(benchmark, sites.truth, tried.run.name, one.measured)
        for one in each
        if one.measured.found
    ]
    if len(scored) < len(each):
        note = f"only {len(scored)} of its {len(each)} builds could be measured"
        return replace(tried, run=replace(tried.run, notes=(*tried.run.notes, note)))
    scores = {
        name: np.stack([one.per_query[name] for one in scored], axis=1)
        for name in benchmark.metrics
    }
    times = [latency(one.measured) for one in each]
    indexing = [one.done.indexing for one in each]
    figures = {
        "latency_p50_ms": _values(times, "p50"),
        "latency_p95_ms": _values(times, "p95"),
        "index_seconds": _values(indexing, "seconds"),
    }
    known = {name: values for name, values in figures.items() if values}
    repeats = sum_up_repeats(scores, known)
    notes = (*tried.run.notes, *_differ(repeats, benchmark.primary))
    return replace(tried, run=replace(tried.run, repeats=repeats, notes=notes))


def _values(each: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    found = [float(one[key]) for one in each if key in one]
    return found if len(found) == len(each) else []


def _differ(repeats: Mapping[str, Any], primary: str) -> Iterator[str]:
    """Say that builds are not alike, where scores show it; they are those of the first build."""
    spread = repeats["scores"][primary]["sd_build"]
    if spread:
        yield f"its {primary} varies between builds (sd {spread:.4f}): its scores are of the first"
