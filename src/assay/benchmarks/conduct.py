"""Run or resume a benchmark in a workspace: open what it needs, and start helper processes."""

import json
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from pathlib import Path

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import open_collections, with_truth
from assay.benchmarks.collections.stored_datasets import read_stored
from assay.benchmarks.collections.with_vectors import with_vectors
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.plan.plan import make_plan
from assay.benchmarks.race.race import refuse_race
from assay.benchmarks.spine import Participation, run_benchmark
from assay.benchmarks.work.context import attend_benchmark, open_parts
from assay.benchmarks.work.job import BenchmarkJob, about_benchmark, decision_of, identity_of
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.worker import untold
from assay.errors import AssayError, CancelledError, InputError, UnavailableError
from assay.records import Benchmark, Dataset, Rankings, Report, Track, untracked
from assay.records.plan import Plan
from assay.records.run_settings import Invocation, RunSettings
from assay.records.work import StartedBenchmark, StoredJob
from assay.reports.runs.json.json import json as report_json
from assay.reports.runs.json.read import load_report
from assay.searches.check import check_models, check_stores, check_systems
from assay.workspace.cache_limit import cache_limit
from assay.workspace.ledger.ledger import Ledger, open_ledger
from assay.workspace.locate import Workspace, locate
from assay.workspace.prune import prune

__all__ = ["conduct", "execute_benchmark"]

STARTED_AGAIN = "no interrupted run of this benchmark was found to resume, so it was started over"
JOIN_S = 10.0  # for which a process that helps is waited for


def conduct(
    benchmark: Benchmark,
    settings: RunSettings,
    invocation: Invocation,
    *,
    workspace: str | Path | None = None,
    keep: Callable[[Rankings], None] | None = None,
    begun: Callable[[Plan], None] | None = None,
) -> Report:
    """Check everything that can be checked beforehand, then run.

    ``keep`` is called with the rankings of each run, and ``begun`` with the plan.
    """
    _refuse_unguarded(invocation)
    place, limit, track = locate(given=workspace), cache_limit(), invocation.progress
    check_systems(benchmark)
    check_stores(benchmark)
    if benchmark.race:
        refuse_race(benchmark, distinct(benchmark.configurations))
    with (
        open_parts(place, benchmark, fresh=invocation.fresh, track=track) as (opened, systems),
        _checked_ledger(place, benchmark, opened) as ledger,
    ):
        collections = open_collections(
            benchmark, sample=settings.sample, seed=settings.seed, track=track
        )
        collections = with_vectors(benchmark, collections)
        if begun is not None:
            asked = (benchmark, settings, invocation, collections)
            begun(make_plan(*asked, opened=opened, ledger=ledger, vectors=place.vectors))
        known = with_truth(
            collections,
            unit=benchmark.unit,
            scored=benchmark.scored,
            breakdowns=benchmark.breakdowns,
            track=track,
        )
        job = BenchmarkJob.of(benchmark, settings, collections, place.folder)
        started = _begin(job, collections, invocation, ledger, opened.machine)
        lost = (STARTED_AGAIN,) if invocation.resume and not started.resumed else ()
        part = Participation(
            replace(job, notes=lost),
            collections,
            attend_benchmark(
                ledger, started.id, opened, systems, together=invocation.parallel > 1, track=track
            ),
            encode=_encode,
            known=known,
            salt=started.salt,
            again=invocation.retry_failed,
            before_report=lambda: prune(place, limit).notes,
        )
        with _stoppable(ledger, started.id), _helpers(started.id, place, invocation.parallel - 1):
            return _take_part(part, keep)


def _refuse_unguarded(invocation: Invocation) -> None:
    """Refuse a script that runs itself again in each process that is to help it."""
    starting = getattr(multiprocessing.current_process(), "_inheriting", False)
    if invocation.parallel > 1 and starting:
        hint = 'call it below `if __name__ == "__main__":`'
        raise InputError("each parallel process would run this script again", hint=hint)


def _begin(
    job: BenchmarkJob,
    collections: Sequence[OpenCollection],
    invocation: Invocation,
    ledger: Ledger,
    machine: str,
) -> StartedBenchmark:
    """Start or resume a benchmark in the ledger, with all that other processes need."""
    benchmark, settings = job.benchmark, job.settings
    about = about_benchmark(benchmark, settings=settings)
    return ledger.begin(
        identity=identity_of(benchmark, collections, settings),
        name=benchmark.name,
        about=about | {"decision": decision_of(benchmark, collections)},
        runs=[chosen.name for chosen, _ in distinct(benchmark.configurations)],
        resume=invocation.resume,
        completed=invocation.retry_failed,
        fresh=invocation.fresh,
        job=job.as_json(),
        if_new={"notes": [STARTED_AGAIN]} if invocation.resume else {},
        machine=machine,
    )


def _take_part(part: Participation, keep: Callable[[Rankings], None] | None = None) -> Report:
    """Work until the report is there, and return it: another process may have made it."""
    report, results = run_benchmark(part, rankings=keep is not None)
    for one in results:
        if keep is not None and one.rankings is not None:
            keep(one.rankings)
    return report or _stored_report(part.context.ledger, part.context.benchmark)


def _encode(report: Report) -> bytes:
    return json.dumps(report_json(report)).encode()


@contextmanager
def _checked_ledger(
    place: Workspace, benchmark: Benchmark, opened: OpenIndexes
) -> Iterator[Ledger]:
    """Open the ledger once all models could be opened: a workspace is not made for nothing."""
    check_models(benchmark, opened.models)
    with closing(open_ledger(place.database)) as ledger:
        yield ledger


def execute_benchmark(
    id_: str,
    *,
    workspace: str | Path | None = None,
    together: bool = False,
    track: Track = untracked,
) -> Report:
    """Take part in a benchmark of which only the id is known, until its report is there.

    All else is in the ledger: its configurations and settings, and where its data is. ``together``:
    further processes were started to share the work.
    """
    place, limit = locate(given=workspace), cache_limit()
    if not place.has_database:
        hint = "specify the folder with --workspace, or the address in ASSAY_DATABASE_URL"
        problem = "the workspace contains no benchmarks"
        raise InputError(problem, where=str(place.folder), hint=hint)
    with closing(open_ledger(place.database)) as ledger:
        stored = ledger.job(id_)
        if stored.state == "completed":
            return _stored_report(ledger, stored.id)
        _refuse_ended(stored)
        job = BenchmarkJob.from_json(stored.content, where=stored.id)
        place = _indexes_of(job, place)
        how = {"fresh": bool(stored.salt), "confined": job.within is not None}
        with open_parts(place, job.placed, **how, track=track) as (opened, systems):
            known = read_stored(job.mappings, place.database)
            collections = _opened(job, known, track)
            if not job.contents:
                check_models(job.placed, opened.models)
                mine = job.settled(collections)
                job = _settled(mine, collections, ledger, stored.id)
                collections = collections if job == mine else _opened(job, known, track)
            _refuse_changed(job, collections, ledger, stored.id)
            part = Participation(
                job,
                collections,
                attend_benchmark(
                    ledger, stored.id, opened, systems, together=together, track=track
                ),
                encode=_encode,
                salt=stored.salt,
                before_report=lambda: prune(place, limit).notes,
            )
            try:
                return _take_part(part)
            except CancelledError:
                ledger.confirm_cancel(stored.id)
                raise


def _opened(job: BenchmarkJob, known: Mapping[str, Dataset], track: Track) -> list[OpenCollection]:
    """Open the data of a benchmark in the ledger."""
    settings = job.settings
    collections = open_collections(
        job.placed,
        sample=settings.sample,
        seed=settings.seed,
        contents=job.contents,
        known=known,
        track=track,
    )
    return with_vectors(job.placed, collections)


def _settled(
    job: BenchmarkJob, collections: Sequence[OpenCollection], ledger: Ledger, benchmark: str
) -> BenchmarkJob:
    """Note what the data of a benchmark holds, unless another worker was first to read it."""
    about = about_benchmark(job.benchmark, settings=job.settings)
    about |= {"decision": decision_of(job.benchmark, collections)}
    content = ledger.settle(benchmark, job=job.as_json(), about=about)
    return BenchmarkJob.from_json(content, where=benchmark)


def _refuse_ended(stored: StoredJob) -> None:
    """Refuse to resume automatically what was cancelled or interrupted, or failed."""
    hint = "resume it: run the same command with --resume"
    if stored.state in ("cancelled", "interrupted"):
        raise CancelledError(f"the benchmark was {stored.state}", where=stored.id, hint=hint)
    if stored.state == "failed":
        problem, _ = untold(stored.error)
        raise InputError(f"the benchmark failed: {problem}", where=stored.id, hint=hint)


def _refuse_changed(
    job: BenchmarkJob, collections: Sequence[OpenCollection], ledger: Ledger, benchmark: str
) -> None:
    """Refuse to continue with changed data; without other workers the benchmark has failed."""
    try:
        job.refuse_changed(collections)
    except InputError as error:
        if not ledger.has_workers(benchmark):
            ledger.finish(benchmark, "failed", error=str(error))
        raise


def _indexes_of(job: BenchmarkJob, place: Workspace) -> Workspace:
    """Use the folder that holds the indexes, if it can be seen from here."""
    folder = Path(job.workspace)
    return replace(place, folder=folder) if job.workspace and folder.is_dir() else place


def _stored_report(ledger: Ledger, benchmark: str) -> Report:
    content = ledger.report(benchmark)
    if content is None:
        hint = "finish it with: assay run FILE --resume"
        raise InputError("the benchmark has no report", where=benchmark, hint=hint)
    return load_report(content, where=benchmark)


@contextmanager
def _stoppable(ledger: Ledger, benchmark: str) -> Iterator[None]:
    """Note how it ended, if not well: what was recorded stays, and can be resumed.

    If the process that started it is interrupted, all that work on it stop.
    """
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        ledger.cancel(benchmark)
        ledger.finish(benchmark, "interrupted")
        raise
    except CancelledError:
        ledger.cancel(benchmark)
        ledger.finish(benchmark, "cancelled")
        raise
    except UnavailableError:
        raise
    except BaseException as error:
        ledger.finish(benchmark, "failed", error=str(error))
        raise


@contextmanager
def _helpers(benchmark: str, place: Workspace, count: int) -> Iterator[None]:
    """Let further processes work on the same; they end when its report is there.

    Should this process be killed, they go on to the end without it.
    """
    context = multiprocessing.get_context("spawn")
    helping = [
        context.Process(target=_help, args=(benchmark, place.folder), daemon=True)
        for _ in range(count)
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


def _help(benchmark: str, workspace: Path) -> None:
    """Work as the first process does; what goes wrong it tells itself."""
    with suppress(AssayError, KeyboardInterrupt):
        execute_benchmark(benchmark, workspace=workspace, together=True)


def _joined(helping: Sequence[SpawnProcess]) -> None:
    for process in helping:
        process.join(timeout=JOIN_S)


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
