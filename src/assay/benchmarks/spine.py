"""The product on one page: a benchmark -> truth, runs, comparisons, verdicts, a report."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.benchmarks.analysis.analyse import analyse
from assay.benchmarks.collections.open_collections import (
    OpenCollections,
    open_collections,
    strata_of,
    with_truth,
)
from assay.benchmarks.comparisons.decide import decide, not_compared
from assay.benchmarks.comparisons.recommend import recommend_runs
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.queries.query_facts import about_queries, query_facts
from assay.benchmarks.queries.vectors import query_vectors
from assay.benchmarks.race.race import RaceOutcome, race_runs, refuse_race
from assay.benchmarks.runs.collect import collect
from assay.benchmarks.runs.notes import notes_of
from assay.benchmarks.runs.reachable import reachable_notes
from assay.benchmarks.runs.reading import with_reading
from assay.benchmarks.runs.repeats import with_repeats
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.sum_up import sum_up
from assay.benchmarks.runs.waterfall import with_waterfall
from assay.benchmarks.structure.with_structure import with_structure
from assay.benchmarks.work.count_work import count_work
from assay.benchmarks.work.execute import Execution
from assay.benchmarks.work.identity import about_benchmark, decided_before, decision_of, identity_of
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.worker import Worker, untold
from assay.errors import CancelledError, InputError
from assay.records import Benchmark, Configuration, Rankings, Report, Run, Track, untracked
from assay.records.clock import Clock
from assay.records.run_settings import RunSettings
from assay.searches.built_search import Build
from assay.searches.environment import environment
from assay.verdicts.winner import winner
from assay.workspace.ledger.ledger import Ledger, open_ledger, worker_name

__all__ = ["run_benchmark"]

STARTED_AGAIN = "nothing of this benchmark was left to go on with: it was begun anew"


def run_benchmark(  # noqa: PLR0913 - every option is a name of its own
    benchmark: Benchmark,
    *,
    build: Build,
    opened: OpenIndexes | None = None,
    ledger: Ledger | None = None,
    settings: RunSettings | None = None,
    seed: int = 0,
    sample: int | None = None,
    resume: bool = False,
    retry: bool = False,
    others: Callable[[str], AbstractContextManager[None]] = lambda _id: nullcontext(),
    scratch: Path | None = None,
    clock: Clock = time.perf_counter_ns,
    track: Track = untracked,
    keep: Callable[[Rankings], None] | None = None,
    finished: Callable[[Report], bytes] | None = None,
) -> Report:
    """Build each configuration, ask it every query, and tell which one to ship.

    The work is noted in ``ledger``, so that whoever resumes goes on where it was left; without one
    nothing outlives this call. Indexes are kept by ``opened``; what it does not build (and all,
    without it) ``build`` makes, in ``scratch``. ``others`` work on the same meanwhile; ``keep`` is
    shown the rankings of each run, and ``finished`` writes the report that the ledger keeps.
    """
    settings = settings or RunSettings()
    runs = distinct(benchmark.configurations)
    if benchmark.race:
        refuse_race(benchmark, runs)
    collections = with_truth(open_collections(benchmark, sample=sample, seed=seed), track=track)
    with _opened_ledger(ledger, scratch) as kept:
        begun = kept.begin(
            identity=identity_of(benchmark, collections.each, settings, seed=seed),
            name=benchmark.name,
            about=about_benchmark(benchmark, settings=settings)
            | {"decision": decision_of(benchmark, collections.each)},
            runs=[chosen.name for chosen, _ in runs],
            resume=resume or retry,
            completed=retry,
        )
        work: Execution = Execution(
            runs=[chosen for chosen, _ in runs],
            collections=collections.each,
            ledger=kept,
            benchmark=begun.id,
            worker=Worker(kept, begun.id, worker_name()),
            build=build,
            opened=opened,
            settings=settings,
            scratch=scratch,
            clock=clock,
            track=track,
        )
        with _stoppable(kept, begun.id), others(begun.id):
            again, raced = retry or not begun.resumed, None
            if benchmark.race:
                raced = race_runs(benchmark, collections, work, runs, seed=seed, retry=again)
                work = raced.work
            work.go(retry=again)
            results = _merge_same(
                [_score(benchmark, collections, work, *run, seed, raced=raced) for run in runs]
            )
            _refuse_all_failed(results)
            results = with_reading(collections, results)
            report = _report(benchmark, collections, results, work, seed, raced)
            report = replace(report, analysis=analyse(report, seed=seed))
            if (resume or retry) and not begun.resumed:
                report = replace(report, notes=(STARTED_AGAIN, *report.notes))
            for one in results:
                if keep is not None and one.rankings is not None:
                    keep(one.rankings)
        kept.finish(begun.id, "completed", report=finished(report) if finished else None)
    return report


def _report(
    benchmark: Benchmark,
    collections: OpenCollections,
    results: Sequence[RunResult],
    work: Execution,
    seed: int,
    raced: RaceOutcome | None = None,
) -> Report:
    """Compare the runs, decide, and say what all of it was measured on."""
    comparisons = decide(benchmark, collections, results, seed=seed)
    before = decided_before(work.ledger, work.benchmark) if comparisons else 0
    fingerprints = {name: part["fingerprint"] for name, part in collections.about.items()}
    runs = tuple(one.run for one in results)
    silent = {one.run.name for one in results if one.rankings and not one.rankings.offsets[-1]}
    states = [*work.ledger.states(work.benchmark).values()]
    notes = notes_of(benchmark, results, work.settings, states=states, began=work.began)
    race = _race_account(raced, results)
    recommended = recommend_runs(
        runs,
        primary=benchmark.primary,
        baseline=benchmark.baseline,
        comparisons=comparisons,
        silent=silent,
        stopped={one.run.name for one in results if one.stopped is not None},
        strata=strata_of(collections),
        seed=seed,
    )
    pick = (recommended["pick"] or {}).get("run")
    return Report(
        benchmark=about_benchmark(benchmark, settings=work.settings) | {"decided_before": before},
        **collections.about,
        environment=environment(seed=seed, fingerprints=fingerprints),
        runs=runs,
        comparisons=comparisons,
        recommendations=recommended,
        truth=collections.truth.accounts() | {"judged@10": _share_judged(results)},
        notes=(
            *(
                *collections.dataset.notes,
                *collections.truth.judgments.notes,
                *_reachable_notes(runs),
            ),
            *(*_race_notes(race), *_repeat_notes(before), *notes),
        ),
        queries=_queries(collections, results, work, seed),
        id=work.benchmark,
        plan=count_work(benchmark, work, raced.blocks if raced else ()),
        winner=winner(comparisons, runs, pick=pick) if comparisons else {},
        race=race,
        uncompared=not_compared(benchmark, results),
    )


def _queries(
    collections: OpenCollections, results: Sequence[RunResult], work: Execution, seed: int
) -> dict[str, dict[str, Any]]:
    """Tell what is known of each query; a run that was beaten was not asked all of them."""
    whole = (one.rankings for one in results if one.run.status == "completed")
    return query_facts(
        collections.dataset,
        about_queries(collections.dataset, collections.truth.judgments),
        leaked=collections.truth.leaked,
        rankings=[one for one in whole if one is not None],
        vectors=query_vectors(work),
        seed=seed,
    )


def _score(
    benchmark: Benchmark,
    collections: OpenCollections,
    work: Execution,
    chosen: Configuration,
    aliases: tuple[str, ...],
    seed: int,
    *,
    raced: RaceOutcome | None = None,
) -> RunResult:
    """Score what was recorded of a run, then add what else is known of it."""
    if raced and (beaten := raced.beaten.get(chosen.name)):
        return replace(beaten, run=replace(beaten.run, aliases=aliases))
    outputs = collect(work, chosen.name, judgments=collections.truth.judgments)
    result = sum_up(
        chosen,
        outputs.done,
        outputs.measured,
        benchmark=benchmark,
        dataset=collections.dataset,
        truth=collections.truth,
        seed=seed,
        notes=outputs.studies.notes,
    )
    result = with_structure(benchmark, collections.truth, chosen, outputs, result, seed=seed)
    result = with_waterfall(benchmark, collections, result, outputs.kept, outputs.measured.failed)
    return with_repeats(
        benchmark, collections, work, replace(result, run=replace(result.run, aliases=aliases))
    )


def _race_account(raced: RaceOutcome | None, results: Sequence[RunResult]) -> Mapping[str, Any]:
    """Tell how a race went; what failed by any of its names took no part."""
    failed = [one.run for one in results if one.run.status == "failed"]
    return (
        raced.race_account([name for run in failed for name in (run.name, *run.aliases)])
        if raced
        else {}
    )


def _reachable_notes(runs: Sequence[Run]) -> tuple[str, ...]:
    """Say what the scores are to be compared with, where items share documents."""
    return reachable_notes(next((run.reachable for run in runs if run.reachable), {}))


def _race_notes(race: Mapping[str, Any]) -> Iterator[str]:
    """Say what a race guarantees."""
    if race:
        yield str(race["statement"])


def _repeat_notes(before: int) -> Iterator[str]:
    """Say that looking again is another test."""
    if before:
        times = "once" if before == 1 else f"{before:,} times"
        yield (
            f"this benchmark was decided {times} before, with other queries, judgments or "
            "configurations: looking again is a second test, so that a p near alpha counts for less"
        )


def _merge_same(results: Sequence[RunResult]) -> list[RunResult]:
    """Make one run of those that came to the same; all their names are its."""
    found: dict[str, RunResult] = {}
    for one in results:
        same = found.get(one.run.fingerprint) if one.run.fingerprint else None
        if same is None:
            found[one.run.fingerprint or f"failed {one.run.name}"] = one
            continue
        names = (*same.run.aliases, one.run.name, *one.run.aliases)
        found[one.run.fingerprint] = replace(same, run=replace(same.run, aliases=names))
    return [*found.values()]


def _refuse_all_failed(results: Sequence[RunResult]) -> None:
    """Raise what went wrong where nothing could be built at all: there is nothing to report."""
    failed = [one.run.status == "failed" and not one.run.fingerprint for one in results]
    if results and all(failed):
        first = results[0].run
        problem, hint = untold(first.error)
        raise InputError(problem, where=f'configuration "{first.name}"', hint=hint)


def _share_judged(results: Sequence[RunResult]) -> float | None:
    """Return the share of judged documents among the first ten, over all runs."""
    shares = [one.run.judged_at_10 for one in results if one.run.judged_at_10 is not None]
    return sum(shares) / len(shares) if shares else None


@contextmanager
def _stoppable(ledger: Ledger, benchmark: str) -> Iterator[None]:
    """Note how it ended, if not well: what was recorded is kept, and can be gone on with."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, CancelledError):
        ledger.finish(benchmark, "cancelled")
        raise
    except BaseException:
        ledger.finish(benchmark, "failed")
        raise


@contextmanager
def _opened_ledger(given: Ledger | None, scratch: Path | None) -> Iterator[Ledger]:
    if given is not None:
        yield given
        return
    with (
        TemporaryDirectory(dir=scratch, prefix="assay-", ignore_cleanup_errors=True) as folder,
        closing(open_ledger(Path(folder) / "ledger.sqlite")) as made,
    ):
        yield made
