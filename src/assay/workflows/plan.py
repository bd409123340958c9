"""Plan: a benchmark -> what it consists of, and what it will cost, before anything starts."""

from pathlib import Path
from typing import Literal

from assay.records.plan import Plan
from assay.records.run_settings import Invocation, RunSettings
from assay.workflows.options import BenchmarkSource, asked_benchmark, with_options

__all__ = ["plan"]


@with_options(settings=RunSettings, invocation=Invocation)
def plan(  # noqa: PLR0913 - every option is a name of its own
    benchmark: BenchmarkSource = None,
    *,
    suite: str | None = None,
    dataset: str | Path | None = None,
    corpus: str | Path | None = None,
    model: str | None = None,
    max_file_size: int | str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    alpha: float | None = None,
    unjudged: Literal["bounds", "zero"] | None = None,
    unit: Literal["document", "chunk", "symbol"] | None = None,
    query_weights: Literal["use", "ignore"] | None = None,
    match_weights: bool = False,
    binary: bool = False,
    subtopics: bool = False,
    workspace: str | Path | None = None,
    settings: RunSettings,
    invocation: Invocation,
) -> Plan:
    """Count what a run with these options consists of, and estimate what it takes.

    What is counted is exact. Each estimate tells what it rests on: earlier runs in the
    ``workspace``, a few documents and chunks that are tried, or an assumption that is called one.
    """
    asked = asked_benchmark(
        benchmark,
        settings,
        suite=suite,
        dataset=dataset,
        corpus=corpus,
        model=model,
        max_file_size=max_file_size,
        primary=primary,
        margin=margin,
        alpha=alpha,
        unjudged=unjudged,
        unit=unit,
        query_weights=query_weights,
        binary=binary,
        subtopics=subtopics,
        match_weights=match_weights,
    )
    from assay.benchmarks.plan.plan import plan as planned

    return planned(asked, settings, invocation, workspace=workspace)
