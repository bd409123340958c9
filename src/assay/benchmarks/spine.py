"""The product on one page: a benchmark -> truth, runs, comparisons, verdicts, a report."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.benchmarks.analysis.analyse import analyse
from assay.benchmarks.collections.open_collections import Sites, open_sites, with_truth
from assay.benchmarks.comparisons.decide import compared, strata_of, uncompared
from assay.benchmarks.comparisons.recommend import recommend_runs
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.queries.asked import about_queries
from assay.benchmarks.queries.query_facts import query_facts
from assay.benchmarks.queries.vectors import query_vectors
from assay.benchmarks.race.race import Outcome, race_runs, refuse_race
from assay.benchmarks.runs.collect import gather
from assay.benchmarks.runs.notes import notes_of
from assay.benchmarks.runs.reachable import reachable_notes
from assay.benchmarks.runs.reading import with_reading
from assay.benchmarks.runs.repeats import with_repeats
from assay.benchmarks.runs.sum_up import Tried, sum_up
from assay.benchmarks.runs.waterfall import with_waterfall
from assay.benchmarks.work.count_work import count_work
from assay.benchmarks.work.decided_before import decided_before
from assay.benchmarks.work.execute import Execution
from assay.benchmarks.work.identity import about_benchmark, decision_of, identity_of
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.worker import Worker, untold
from assay.errors import CancelledError, InputError
from assay.records import Benchmark, Configuration, Rankings, Report, Run, Track, untracked
from assay.records.run_settings import Settings
from assay.searches.built_search import Build
from assay.searches.environment import environment
from assay.verdicts.winner import winner
from assay.workspace.ledger.ledger import Ledger, ledger, worker_name

__all__ = ["run_benchmark"]

ANEW = "nothing of this benchmark was left to go on with: it was begun anew"


def run_benchmark(  # noqa: PLR0913 - every option is a name of its own
    benchmark: Benchmark,
    *,
    build: Build,
    opened: OpenIndexes | None = None,
    book: Ledger | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    sample: int | None = None,
    resume: bool = False,
    retry: bool = False,
    others: Callable[[str], AbstractContextManager[None]] = lambda _id: nullcontext(),
    scratch: Path | None = None,
    clock: Callable[[], int] = time.perf_counter_ns,
    track: Track = untracked,
    keep: Callable[[Rankings], None] | None = None,
    finished: Callable[[Report], bytes] | None = None,
) -> Report:
    """Build each configuration, ask it every query, and tell which one to ship.

    The work is noted in ``book``, so that whoever resumes goes on where it was left; without one
    nothing outlives this call. Indexes are kept by ``opened``; what it does not build (and all,
    without it) ``build`` makes, in ``scratch``. ``others`` work on the same meanwhile; ``keep`` is
    shown the rankings of each run, and ``finished`` writes the report that the book keeps.
    """
    settings = settings or Settings()
    runs = distinct(benchmark.configurations)
    if benchmark.race:
        refuse_race(benchmark, runs)
    sites = with_truth(open_sites(benchmark, sample=sample, seed=seed), track=track)
    with _book(book, scratch) as kept:
        begun = kept.begin(
            identity=identity_of(benchmark, sites.each, settings, seed=seed),
            name=benchmark.name,
            about=about_benchmark(benchmark, settings=settings)
            | {"decision": decision_of(benchmark, sites.each)},
            runs=[chosen.name for chosen, _ in runs],
            resume=resume or retry,
            completed=retry,
        )
        work: Execution = Execution(
            runs=[chosen for chosen, _ in runs],
            sites=sites.each,
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
            anew, raced = retry or not begun.resumed, None
            if benchmark.race:
                raced = race_runs(benchmark, sites, work, runs, seed=seed, retry=anew)
                work = raced.work
            work.go(retry=anew)
            tried = _merged(
                [_tried(benchmark, sites, work, *run, seed, raced=raced) for run in runs]
            )
            _refuse_all_failed(tried)
            tried = with_reading(sites, tried)
            report = _report(benchmark, sites, tried, work, seed, raced)
            report = replace(report, analysis=analyse(report, seed=seed))
            if (resume or retry) and not begun.resumed:
                report = replace(report, notes=(ANEW, *report.notes))
            for one in tried:
                if keep is not None and one.rankings is not None:
                    keep(one.rankings)
        kept.finish(begun.id, "completed", report=finished(report) if finished else None)
    return report


def _report(
    benchmark: Benchmark,
    sites: Sites,
    tried: Sequence[Tried],
    work: Execution,
    seed: int,
    raced: Outcome | None = None,
) -> Report:
    """Compare the runs, decide, and say what all of it was measured on."""
    comparisons = compared(benchmark, sites, tried, seed=seed)
    before = decided_before(work.ledger, work.benchmark) if comparisons else 0
    fingerprints = {name: part["fingerprint"] for name, part in sites.about.items()}
    runs = tuple(one.run for one in tried)
    silent = {one.run.name for one in tried if one.rankings and not one.rankings.offsets[-1]}
    states = [*work.ledger.states(work.benchmark).values()]
    notes = notes_of(benchmark, tried, work.settings, states=states, began=work.began)
    race = _race(raced, tried)
    recommended = recommend_runs(
        runs,
        primary=benchmark.primary,
        baseline=benchmark.baseline,
        comparisons=comparisons,
        silent=silent,
        stopped={one.run.name for one in tried if one.stopped is not None},
        strata=strata_of(sites),
        seed=seed,
    )
    pick = (recommended["pick"] or {}).get("run")
    return Report(
        benchmark=about_benchmark(benchmark, settings=work.settings) | {"decided_before": before},
        **sites.about,
        environment=environment(seed=seed, fingerprints=fingerprints),
        runs=runs,
        comparisons=comparisons,
        recommendations=recommended,
        truth=sites.truth.accounts() | {"judged@10": _judged(tried)},
        notes=(
            *(*sites.dataset.notes, *sites.truth.judgments.notes, *_reached(runs)),
            *(*_said(race), *_again(before), *notes),
        ),
        queries=_queries(sites, tried, work, seed),
        id=work.benchmark,
        plan=count_work(benchmark, work, raced.blocks if raced else ()),
        winner=winner(comparisons, runs, pick=pick) if comparisons else {},
        race=race,
        uncompared=uncompared(benchmark, tried),
    )


def _queries(
    sites: Sites, tried: Sequence[Tried], work: Execution, seed: int
) -> dict[str, dict[str, Any]]:
    """Tell what is known of each query; a run that was beaten was not asked all of them."""
    whole = (one.rankings for one in tried if one.run.status == "completed")
    return query_facts(
        sites.dataset,
        about_queries(sites.dataset, sites.truth.judgments),
        leaked=sites.truth.leaked,
        rankings=[one for one in whole if one is not None],
        vectors=query_vectors(work),
        seed=seed,
    )


def _tried(
    benchmark: Benchmark,
    sites: Sites,
    work: Execution,
    chosen: Configuration,
    aliases: tuple[str, ...],
    seed: int,
    *,
    raced: Outcome | None = None,
) -> Tried:
    """Sum up what is on the tapes of a run."""
    if raced and (beaten := raced.beaten.get(chosen.name)):
        return replace(beaten, run=replace(beaten.run, aliases=aliases))
    found = gather(work, chosen.name, judgments=sites.truth.judgments)
    tried = sum_up(
        chosen,
        found.done,
        found.measured,
        benchmark=benchmark,
        dataset=sites.dataset,
        truth=sites.truth,
        seed=seed,
        studied=found.studies,
    )
    tried = with_waterfall(benchmark, sites, tried, found.kept, found.measured.failed)
    return with_repeats(
        benchmark, sites, work, replace(tried, run=replace(tried.run, aliases=aliases))
    )


def _race(raced: Outcome | None, tried: Sequence[Tried]) -> Mapping[str, Any]:
    """Tell how a race went; what failed by any of its names took no part."""
    failed = [one.run for one in tried if one.run.status == "failed"]
    return (
        raced.told([name for run in failed for name in (run.name, *run.aliases)]) if raced else {}
    )


def _reached(runs: Sequence[Run]) -> tuple[str, ...]:
    """Say what the scores are to be compared with, where items share documents."""
    return reachable_notes(next((run.reachable for run in runs if run.reachable), {}))


def _said(race: Mapping[str, Any]) -> Iterator[str]:
    """Say what a race guarantees."""
    if race:
        yield str(race["statement"])


def _again(before: int) -> Iterator[str]:
    """Say that looking again is another test."""
    if before:
        times = "once" if before == 1 else f"{before:,} times"
        yield (
            f"this benchmark was decided {times} before, with other queries, judgments or "
            "configurations: looking again is a second test, so that a p near alpha counts for less"
        )


def _merged(tried: Sequence[Tried]) -> list[Tried]:
    """Make one run of those that came to the same; all their names are its."""
    found: dict[str, Tried] = {}
    for one in tried:
        same = found.get(one.run.fingerprint) if one.run.fingerprint else None
        if same is None:
            found[one.run.fingerprint or f"failed {one.run.name}"] = one
            continue
        names = (*same.run.aliases, one.run.name, *one.run.aliases)
        found[one.run.fingerprint] = replace(same, run=replace(same.run, aliases=names))
    return [*found.values()]


def _refuse_all_failed(tried: Sequence[Tried]) -> None:
    """Raise what went wrong where nothing could be built at all: there is nothing to report."""
    failed = [one.run.status == "failed" and not one.run.fingerprint for one in tried]
    if tried and all(failed):
        first = tried[0].run
        problem, hint = untold(first.error)
        raise InputError(problem, where=f'configuration "{first.name}"', hint=hint)


def _judged(tried: Sequence[Tried]) -> float | None:
    """Return the share of judged documents among the first ten, over all runs."""
    shares = [one.run.judged_at_10 for one in tried if one.run.judged_at_10 is not None]
    return sum(shares) / len(shares) if shares else None


@contextmanager
def _stoppable(book: Ledger, benchmark: str) -> Iterator[None]:
    """Note how it ended, if not well: what was recorded is kept, and can be gone on with."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, CancelledError):
        book.finish(benchmark, "cancelled")
        raise
    except BaseException:
        book.finish(benchmark, "failed")
        raise


@contextmanager
def _book(given: Ledger | None, scratch: Path | None) -> Iterator[Ledger]:
    if given is not None:
        yield given
        return
    with (
        TemporaryDirectory(dir=scratch, prefix="assay-", ignore_cleanup_errors=True) as folder,
        closing(ledger(Path(folder) / "ledger.sqlite")) as made,
    ):
        yield made
