"""Plan: a benchmark -> what it consists of, and what it will cost, before anything starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError
from assay.records import Benchmark, Track, untracked
from assay.records.plan import Plan
from assay.records.run_settings import RunSettings
from assay.workflows._options import asks_of, refuse_wrong_count, with_race, with_reading

__all__ = ["plan"]


def plan(  # noqa: PLR0913 - every option is a name of its own
    benchmark: str | Path | Mapping[str, Any] | Benchmark | None = None,
    *,
    suite: str | None = None,
    dataset: str | Path | None = None,
    corpus: str | Path | None = None,
    model: str | None = None,
    seed: int = 0,
    sample: int | None = None,
    asks: int | None = None,
    repeats: int = 1,
    resume: bool = False,
    retry_failed: bool = False,
    fresh: bool = False,
    live: bool = False,
    untimed: bool = False,
    race: bool = False,
    binary: bool = False,
    subtopics: bool = False,
    workspace: str | Path | None = None,
    track: Track = untracked,
) -> Plan:
    """Count what a run with these options consists of, and estimate what it takes.

    What is counted is exact. Each estimate tells what it rests on: earlier runs in the
    ``workspace``, a few documents and chunks that are tried, or an assumption that is called one.
    """
    least = {"seed": 0}
    counts = {"seed": seed, "sample": sample, "repeats": repeats}
    for name, count in counts.items():
        if count is not None:
            refuse_wrong_count(name, count, least=least.get(name, 1))
    times = asks_of(asks, live=live, untimed=untimed)
    asked = _asked(benchmark, suite=suite, dataset=dataset, corpus=corpus, model=model)
    asked = with_race(asked) if race else asked
    asked = with_reading(asked, binary=binary, subtopics=subtopics)
    settings = RunSettings(asks=times, builds=repeats, live=live, fresh=fresh, timed=not untimed)
    from assay.benchmarks.plan.plan import plan as planned

    return planned(
        asked,
        workspace=workspace,
        settings=settings,
        seed=seed,
        sample=sample,
        resume=resume,
        retry=retry_failed,
        track=track,
    )


def _asked(benchmark: object, **chosen: Any) -> Benchmark:  # noqa: ANN401
    if isinstance(benchmark, Benchmark):
        return benchmark
    if benchmark is None or isinstance(benchmark, str | Path | Mapping):
        return read_benchmark(benchmark, **chosen)
    hint = "pass the path of a benchmark file, or a mapping of its shape"
    raise InputError(f"cannot read a benchmark from {type(benchmark).__name__}", hint=hint)
