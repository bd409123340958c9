"""A run with structure-aware ranking -> the run, and the effect of coherence in it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.runs.collect import RunOutputs
from assay.benchmarks.runs.measure import Measurements, latency
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.sum_up import others_of
from assay.benchmarks.structure.sum_up_structure import sum_up_structure
from assay.records import Benchmark, Configuration, Receipt
from assay.records.metric import TOKENS
from assay.searches.configuration.nested_settings import mmr_of
from assay.text.count_noun import count_noun

__all__ = ["with_structure"]

USUAL = "ndcg@10"  # where all metrics count tokens, which the controls are not measured by
BEYOND = ("coherence_build", "coherence_solve", "coherence_rank", "diversify")  # the cosines


def with_structure(
    benchmark: Benchmark,
    collections: OpenCollections,
    chosen: Configuration,
    outputs: RunOutputs,
    result: RunResult,
    *,
    seed: int,
) -> RunResult:
    """Measure the effect of coherence, with its controls, over what a search returns."""
    studied = outputs.studies.found
    if result.evaluation is None or not studied:
        return result
    wanted = [*benchmark.metrics, *others_of(benchmark, chosen)]
    metrics = [name for name in wanted if TOKENS not in name] or [USUAL]
    returned = "coherence" if mmr_of(chosen) is None else "coherence_mmr"
    several = len(collections.each) > 1
    of_query = {query.key: query.collection for query in collections.dataset.queries}
    structure = sum_up_structure(
        studied,
        collections.truth.judgments,
        metrics=metrics,
        primary=metrics[0],
        seed=seed,
        latency=_method_times(outputs.measured, returned),
        returned=returned,
        top=chosen.top_k,
        collections=of_query if several else None,
    )
    notes = (*result.run.notes, *_replaced_graphs([one.receipt for one in studied.values()]))
    return replace(result, run=replace(result.run, structure=structure, notes=notes))


def _replaced_graphs(receipts: Sequence[Receipt]) -> Iterator[str]:
    """Say where an approximate graph gave way to the exact one: it was then not measured."""
    compared = [one for one in receipts if one.edge_overlap is not None]
    exact = sum(one.graph != "approximate" for one in compared)
    if exact:
        yield (
            f"coherence used the exact graph for {exact:,} of {count_noun(len(compared), 'query')}"
            ": the approximate one had less than min_overlap of its edges; raise directions, or "
            "lower min_overlap"
        )


def _method_times(measured: Measurements, returned: str) -> dict[str, dict[str, Any]]:
    """Time what is returned, and what came before it: the same search without its last stages."""
    spent = {name: times for name, times in measured.stages.items() if name in BEYOND}
    without = {"coherence": ("diversify",), "cosine": BEYOND}
    found = {returned: latency(measured)}
    for method, stages in without.items():
        left_out = [spent[name] for name in stages if name in spent]
        if left_out and len(measured.milliseconds):
            times = np.maximum(measured.milliseconds - np.sum(left_out, axis=0), 0.0)
            found.setdefault(method, latency(replace(measured, milliseconds=times)))
    return found
