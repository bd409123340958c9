"""Run a benchmark in a workspace: open what it needs, let others help, keep what is left of it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.open_collections import open_collections, with_truth
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.plan.plan import plan
from assay.benchmarks.race.race import race_runs
from assay.benchmarks.spine import run_benchmark
from assay.benchmarks.work.execute import Execution
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.worker import Worker
from assay.errors import AssayError
from assay.records import Benchmark, Rankings, Report, Track, untracked
from assay.records.plan import Plan
from assay.records.run_settings import RunSettings
from assay.searches.build import build
from assay.searches.check import check_models, check_stores, check_systems
from assay.workspace.builds import Builds
from assay.workspace.cache_limit import cache_limit
from assay.workspace.ledger.ledger import open_ledger, worker_name
from assay.workspace.locate import Workspace, locate
from assay.workspace.prune import prune

__all__ = ["conduct"]


@dataclass(frozen=True, slots=True)
class _Job:
    """What another process needs to know to help."""

    benchmark: Benchmark
    workspace: Path
    settings: RunSettings
    seed: int
    sample: int | None


def conduct(  # noqa: PLR0913 - every option is a name of its own
    benchmark: Benchmark,
    *,
    workspace: str | Path | None = None,
    settings: RunSettings | None = None,
    seed: int = 0,
    sample: int | None = None,
    resume: bool = False,
    retry: bool = False,
    parallel: int = 1,
    track: Track = untracked,
    keep: Callable[[Rankings], None] | None = None,
    begun: Callable[[Plan], None] | None = None,
    finished: Callable[[Report], bytes] | None = None,
) -> Report:
    """Check everything that can be checked beforehand, then run.

    ``begun`` is shown the plan, and ``finished`` writes the report that the ledger keeps.
    """
    place, settings = locate(given=workspace), settings or RunSettings()
    limit = cache_limit()
    check_systems(benchmark)
    check_stores(benchmark)
    check_models(benchmark, models=place.models, track=track)
    job = _Job(benchmark, place.folder, settings, seed, sample)
    if begun is not None:
        planned = plan(
            benchmark,
            workspace=place.folder,
            settings=settings,
            seed=seed,
            sample=sample,
            track=track,
        )
        begun(planned)
    with (
        closing(open_ledger(place.ledger)) as ledger,
        closing(_opened(place, settings, track)) as opened,
    ):
        report = run_benchmark(
            benchmark,
            build=_build(benchmark, place, settings),
            opened=opened,
            ledger=ledger,
            settings=settings,
            seed=seed,
            sample=sample,
            resume=resume,
            retry=retry,
            others=lambda id_: _others(job, id_, parallel - 1),
            track=track,
            keep=keep,
            finished=finished,
        )
    pruned = prune(place, limit)
    return replace(report, notes=(*report.notes, *pruned.notes))


def _opened(place: Workspace, settings: RunSettings, track: Track) -> OpenIndexes:
    remembered = not settings.fresh
    return OpenIndexes(
        builds=Builds(place.builds),
        models=place.models,
        vectors=place.vectors if remembered else None,
        tokens=place.tokens if remembered else None,
        busy=settings.parallel > 1,
        track=track,
    )


def _build(benchmark: Benchmark, place: Workspace, settings: RunSettings) -> Any:  # noqa: ANN401
    vectors = None if settings.fresh else place.vectors
    tokens = None if settings.fresh else place.tokens
    return partial(build, models=place.models, vectors=vectors, tokens=tokens, home=benchmark.home)


@contextmanager
def _others(job: _Job, benchmark: str, count: int) -> Iterator[None]:
    """Let further processes work on the same; they end when there is nothing left to do."""
    context = multiprocessing.get_context("spawn")
    helping = [
        context.Process(target=_help, args=(job, benchmark), daemon=True) for _ in range(count)
    ]
    with _uninterrupted():
        for process in helping:
            process.start()
    try:
        yield
        _joined(helping)
    finally:
        for process in helping:  # whoever stops, stops all: what they recorded is kept
            process.terminate()
        _joined(helping)


def _joined(helping: Sequence[SpawnProcess]) -> None:
    for process in helping:
        process.join(timeout=10)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Start processes that leave Ctrl-C to this one: else each would complain on its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


def _help(job: _Job, benchmark: str) -> None:
    """Work as the first process does; it alone sums up, and tells what went wrong."""
    _end_with_the_first()
    place = locate(given=job.workspace)
    with (
        suppress(AssayError, KeyboardInterrupt),
        closing(open_ledger(place.ledger)) as ledger,
        closing(_opened(place, job.settings, untracked)) as opened,
    ):
        runs = distinct(job.benchmark.configurations)
        collections = open_collections(job.benchmark, sample=job.sample, seed=job.seed)
        work = Execution(
            runs=[chosen for chosen, _ in runs],
            collections=collections,
            ledger=ledger,
            benchmark=benchmark,
            worker=Worker(ledger, benchmark, worker_name()),
            build=_build(job.benchmark, place, job.settings),
            opened=opened,
            settings=job.settings,
        )
        if job.benchmark.race:
            raced = race_runs(job.benchmark, with_truth(collections), work, runs, seed=job.seed)
            work = raced.work
        work.go()


def _end_with_the_first() -> None:
    """End when the first process is gone, however it went: nobody would sum up what is done."""
    first = multiprocessing.parent_process()

    def watch() -> None:
        if first is not None:
            first.join()
            os.kill(os.getpid(), signal.SIGTERM)  # what was recorded is kept, as at any end

    threading.Thread(target=watch, daemon=True).start()
