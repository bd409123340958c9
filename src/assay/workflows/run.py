"""Run: a benchmark -> what each of its configurations scores and costs, and which one to ship."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.columns.files.file_names import file_names
from assay.errors import InputError, UsageError
from assay.records import Benchmark, Rankings, Report, Track, untracked
from assay.records.run_settings import RunSettings
from assay.workflows._options import asks_of, refuse_wrong_count, with_race, with_reading

__all__ = ["run"]


def run(  # noqa: PLR0913 - every option is a name of its own
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
    match_weights: bool = False,
    binary: bool = False,
    subtopics: bool = False,
    parallel: int = 1,
    workspace: str | Path | None = None,
    save_runs: str | Path | None = None,
    track: Track = untracked,
    begun: Callable[[str], None] | None = None,
) -> Report:
    """Build every configuration of a benchmark for real, search with it, score and compare.

    ``benchmark`` is a file (YAML or JSON) or a mapping of its shape; ``suite`` chooses one of its
    suites, or one that comes with Assay; ``dataset`` and ``corpus`` take the place of its own. With
    no benchmark, ``dataset`` is searched with a suite, or with each ``model``.

    Each query, or each of a ``sample``, is asked ``asks`` times (3), of which the median counts;
    each index is built ``repeats`` times. What configurations share is done once, kept in the
    ``workspace``, and used again by later runs unless all is done ``fresh``. ``live`` asks whole
    searches instead of their stages; ``untimed`` measures no latency. In a ``race`` configurations
    that are shown to be beaten are asked no further queries. ``binary`` and ``subtopics`` say how
    judgments are read, as in ``load_dataset``. ``match_weights`` lets a symbol count
    1.0 of its grade, a file 0.7 and a part of a name 0.4. ``resume`` goes on with a run
    that was interrupted, and ``retry_failed`` asks again what failed. ``parallel`` processes work
    on it. ``save_runs`` is a folder for a run file of each configuration; ``begun`` is told in a
    line what is to be done.
    """
    _check(seed=seed, sample=sample, repeats=repeats, parallel=parallel)
    times = asks_of(asks, live=live, untimed=untimed)
    if retry_failed and not resume:
        hint = "add --resume; a new run asks everything that failed before again"
        raise UsageError("what failed is retried of a run that is gone on with", hint=hint)
    asked = _asked(benchmark, suite=suite, dataset=dataset, corpus=corpus, model=model)
    asked = with_race(asked) if race else asked
    asked = with_reading(asked, binary=binary, subtopics=subtopics, match_weights=match_weights)
    names = [one.name for one in asked.configurations]
    keep = None if save_runs is None else _saver(Path(save_runs), names)
    settings = RunSettings(
        asks=times,
        builds=repeats,
        live=live,
        fresh=fresh,
        timed=not untimed,
        parallel=parallel,
    )
    from assay.benchmarks.conduct import conduct
    from assay.reports.plan.line import line
    from assay.reports.runs.json.json import json as report_json

    return conduct(
        asked,
        workspace=workspace,
        settings=settings,
        seed=seed,
        sample=sample,
        resume=resume,
        retry=retry_failed,
        parallel=parallel,
        track=track,
        keep=keep,
        begun=None if begun is None else lambda planned: begun(line(planned)),
        finished=lambda report: json.dumps(report_json(report)).encode(),
    )


def _check(**counts: int | None) -> None:
    least = {"seed": 0}
    for name, count in counts.items():
        if count is not None:
            refuse_wrong_count(name, count, least=least.get(name, 1))


def _asked(benchmark: object, **chosen: Any) -> Benchmark:  # noqa: ANN401
    if isinstance(benchmark, Benchmark):
        return benchmark
    return read_benchmark(None if benchmark is None else _place(benchmark), **chosen)


def _place(benchmark: object) -> str | Path | Mapping[str, Any]:
    if isinstance(benchmark, str | Path | Mapping):
        return benchmark
    hint = "pass the path of a benchmark file, or a mapping of its shape"
    raise InputError(f"cannot read a benchmark from {type(benchmark).__name__}", hint=hint)


def _saver(folder: Path, names: Sequence[str]) -> Callable[[Rankings], None]:
    """Write each run to a file of its name; the folder is made before anything is computed.

    A name that can be that of a file as it is keeps it, whichever run comes first.
    """
    from assay.rankings.save import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        problem = f"cannot be made ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, where=str(folder)[:200], hint="name a folder") from None

    files = file_names(names)

    def keep(rankings: Rankings) -> None:
        name = files[rankings.name]
        try:
            save(_answered(rankings), folder / f"{name}.run")
        except InputError:  # ids with spaces: JSON can say these
            save(rankings, folder / f"{name}.json")

    return keep


def _answered(rankings: Rankings) -> Rankings:
    """Leave out queries without any answer, which no line can say: they score 0 all the same."""
    counts = rankings.counts
    offsets = np.concatenate(([0], np.cumsum(counts[counts > 0]))).astype(np.int64)
    queries = tuple(rankings.queries[at] for at in np.flatnonzero(counts))
    return replace(rankings, queries=queries, offsets=offsets)
