"""The product on one page: a benchmark -> truth, runs, comparisons, verdicts, a report.

Every process that works on a benchmark goes through these lines, and any of them sums up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from assay.benchmarks.analysis.analyse import analyse
from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import OpenCollections, strata_of, with_truth
from assay.benchmarks.collections.unit_truth import in_places
from assay.benchmarks.comparisons.decide import decide, not_compared
from assay.benchmarks.comparisons.recommend import recommend_runs
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.queries.query_facts import about_queries, query_facts
from assay.benchmarks.race.race import RaceOutcome, race_runs, refuse_race
from assay.benchmarks.runs.collect import ResultReader
from assay.benchmarks.runs.line_names import line_names
from assay.benchmarks.runs.notes import notes_of
from assay.benchmarks.runs.reachable import reachable_notes
from assay.benchmarks.runs.reading import with_reading, with_tokens
from assay.benchmarks.runs.repeats import with_repeats
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.sum_up import sum_up, sum_up_unscored
from assay.benchmarks.runs.waterfall import with_waterfall
from assay.benchmarks.structure.with_structure import with_structure
from assay.benchmarks.work.context import ExecutionContext, Manner
from assay.benchmarks.work.execute import TakenOverError, execute
from assay.benchmarks.work.job import BenchmarkJob, about_benchmark, decided_before
from assay.benchmarks.work.layout import Layout, Plot, count_work, lay_out
from assay.benchmarks.work.worker import untold
from assay.errors import InputError
from assay.records import Configuration, Report, Run
from assay.searches.environment import environment
from assay.text.join_list import first_named
from assay.text.quote import quote
from assay.verdicts.winner import winner

__all__ = ["Participation", "run_benchmark"]

NAMED = 5  # runs in a note
Runs = Sequence[tuple[Configuration, tuple[str, ...]]]


@dataclass(frozen=True, eq=False)
class Participation:
    """What one process brings to a benchmark: the job, its data, and what it works with.

    Whoever begins it has ``known`` what is right in its data; who is asked to does ``again`` what
    failed. Work with a ``salt`` is shared with no other benchmark. ``encode`` writes the report
    that the ledger keeps; ``before_report`` keeps the workspace small, and tells what it could not
    do.
    """

    job: BenchmarkJob
    opened: Sequence[OpenCollection]
    context: ExecutionContext
    encode: Callable[[Report], bytes]
    known: OpenCollections | None = None
    again: bool = False
    salt: str = ""
    before_report: Callable[[], Sequence[str]] = field(default=lambda: ())

    @cached_property
    def runs(self) -> Runs:
        """The configurations, each with the names of those that are the same."""
        return distinct(self.job.benchmark.configurations)

    @cached_property
    def collections(self) -> OpenCollections:
        """The datasets with what is right in them; their corpora are read for that, once."""
        asked, track = self.job.benchmark, self.context.track
        return self.known or with_truth(
            self.opened,
            unit=asked.unit,
            scored=asked.scored,
            breakdowns=asked.breakdowns,
            track=track,
        )


def run_benchmark(
    part: Participation, *, rankings: bool = False
) -> tuple[Report | None, Sequence[RunResult]]:
    """Build each configuration, ask it every query, and tell which one to ship.

    All work is noted in the ledger: a process goes on where others left it, and does what is left.
    Returns the report, unless another process summed up, and the results of the runs: in that case
    only if their ``rankings`` are wanted.
    """
    if part.job.benchmark.race:
        refuse_race(part.job.benchmark, part.runs)
    made: list[tuple[Report, Sequence[RunResult]]] = []
    with part.context.worker.present():
        race = _execute(part)
        part.context.worker.conclude(
            lambda: part.encode(_summed_up(part, race, made)),
            failed_runs=lambda: _failed_names(made[-1][1]),
        )
        if made:
            return made[0]
        return None, _results(part, race) if rankings else ()


def _failed_names(results: Sequence[RunResult]) -> list[str]:
    """Name the runs that failed: their work may be completed, and every query have an error."""
    failed = [one.run for one in results if one.run.status == "failed"]
    return [name for run in failed for name in (run.name, *run.aliases)]


def _execute(part: Participation) -> RaceOutcome:
    """Do all searches, or wait for others; times are those of one machine.

    Once nobody of that machine is left, they are taken on this one.
    """
    context, settings, retry = part.context, part.job.settings, part.again
    benchmark = context.benchmark
    while True:
        machine = context.ledger.timing_machine(benchmark, context.machine)
        timed_on = machine if settings.timed else ""
        plot = Plot(settings, machine=timed_on, salt=part.salt, benchmark=benchmark)
        try:
            race = _race(part, plot, retry=retry)
            execute(race.remaining, context, race.manner)
        except TakenOverError:
            retry = False  # what failed was tried again
        else:
            return race


def _race(part: Participation, plot: Plot, *, retry: bool) -> RaceOutcome:
    benchmark, context = part.job.benchmark, part.context
    if benchmark.race:
        return race_runs(benchmark, part.collections, part.runs, plot, context, retry=retry)
    chosen = [one for one, _ in part.runs]
    layout = lay_out(chosen, part.opened, context.opened, plot, where=benchmark.file)
    return RaceOutcome(layout, Manner(retry=retry))


def _summed_up(
    part: Participation, race: RaceOutcome, made: list[tuple[Report, Sequence[RunResult]]]
) -> Report:
    """Make the report of what was recorded."""
    notes = (*part.job.notes, *part.before_report())
    results = _results(part, race)
    _refuse_all_failed(results)
    if not part.job.benchmark.scored:
        report = _unscored(part, results, race)
        report = replace(report, notes=(*notes, *report.notes))
        made.append((report, results))
        return report
    reader = ResultReader(race.remaining, part.context)
    collections = reader.in_units(part.collections, [one.run.name for one in results])
    results = with_reading(collections, results)
    report = _report(part, collections, results, reader, race)
    report = replace(report, analysis=analyse(report, seed=part.job.settings.seed))
    report = replace(report, notes=(*notes, *report.notes))
    made.append((report, results))
    return report


def _results(part: Participation, race: RaceOutcome) -> list[RunResult]:
    """Score all runs; those that came to the same are one."""
    reader = ResultReader(race.remaining, part.context)
    return _merge_same([_score(part, reader, *run, race) for run in part.runs])


def _score(
    part: Participation,
    reader: ResultReader,
    chosen: Configuration,
    aliases: tuple[str, ...],
    race: RaceOutcome,
) -> RunResult:
    """Score what was recorded of a run, then add what else is known of it."""
    if beaten := race.beaten.get(chosen.name):
        return replace(beaten, run=replace(beaten.run, aliases=aliases))
    benchmark, seed = part.job.benchmark, part.job.settings.seed
    if not benchmark.scored:
        outputs = reader.collect(chosen.name)
        result = sum_up_unscored(chosen, outputs.done, outputs.measured, benchmark=benchmark)
        return replace(result, run=replace(result.run, aliases=aliases))
    collections = reader.in_units(part.collections, [chosen.name])
    outputs = reader.collect(chosen.name, judgments=collections.truth.judgments)
    result = sum_up(
        chosen,
        outputs.done,
        with_tokens(benchmark, collections, outputs.measured, top_k=chosen.top_k),
        benchmark=benchmark,
        dataset=collections.dataset,
        truth=collections.truth,
        seed=seed,
        notes=outputs.studies.notes,
    )
    result = with_structure(benchmark, collections, chosen, outputs, result, seed=seed)
    result = with_waterfall(benchmark, collections, result, outputs.kept, outputs.measured.failed)
    result = replace(result, run=replace(result.run, aliases=aliases))
    return with_repeats(benchmark, collections, reader, result)


def _unscored(part: Participation, results: Sequence[RunResult], race: RaceOutcome) -> Report:
    """Tell what was asked and answered, and what that cost; nothing is judged."""
    asked = part.collections.dataset.queries
    traffic = part.collections.dataset.traffic
    return Report(
        benchmark=about_benchmark(part.job.benchmark, settings=part.job.settings),
        **part.collections.about,
        environment=_environment(part, race.remaining),
        runs=tuple(one.run for one in results),
        queries={
            one.key: {"text": one.text} | ({"weight": one.weight} if traffic else {})
            for one in asked
        },
        id=part.context.benchmark,
        plan=count_work(part.job.benchmark, race.remaining),
        notes=(*part.collections.dataset.notes, *part.collections.truth.notes),
    )


def _report(
    part: Participation,
    collections: OpenCollections,
    results: Sequence[RunResult],
    reader: ResultReader,
    race: RaceOutcome,
) -> Report:
    """Compare the runs, decide, and say what all of it was measured on.

    The ``collections`` have judgments of what all runs return.
    """
    benchmark, settings = part.job.benchmark, part.job.settings
    comparisons = decide(benchmark, collections, results, seed=settings.seed)
    ledger, id_ = part.context.ledger, part.context.benchmark
    before = decided_before(ledger, id_) if comparisons else 0
    named = line_names(collections, results, comparisons)
    comparisons = named.comparisons(comparisons)
    runs = tuple(named.run(one.run) for one in results)
    silent = {one.run.name for one in results if one.rankings and not one.rankings.offsets[-1]}
    raced = _race_account(race, results)
    recommended = recommend_runs(
        runs,
        primary=benchmark.primary,
        baseline=benchmark.baseline,
        comparisons=comparisons,
        silent=silent,
        stopped={one.run.name for one in results if one.stopped is not None},
        strata=strata_of(collections),
        weights=collections.truth.judgments.query_weights(collections.truth.judgments.queries),
        seed=settings.seed,
    )
    pick = (recommended["pick"] or {}).get("run")
    return Report(
        benchmark=about_benchmark(benchmark, settings=settings) | {"decided_before": before},
        **collections.about,
        environment=_environment(part, reader.layout),
        runs=runs,
        comparisons=comparisons,
        recommendations=recommended,
        truth=collections.truth.accounts() | {"judged@10": _share_judged(results)},
        notes=(
            *collections.dataset.notes,
            *collections.truth.judgments.notes,
            *collections.truth.notes,
            *_reachable_notes(runs, benchmark.unit),
            *_race_notes(raced),
            *_repeat_notes(before),
            *_notes(part, results, reader),
        ),
        queries=named.facts(_queries(part, collections, results, reader)),
        id=id_,
        plan=count_work(benchmark, reader.layout, race.blocks),
        winner=winner(comparisons, runs, pick=pick) if comparisons else {},
        race=raced,
        uncompared=not_compared(benchmark, results),
    )


def _environment(part: Participation, layout: Layout) -> dict[str, Any]:
    """Tell on which machine the times were taken, and what else they and the scores depend on."""
    about = part.collections.about.items()
    machine = layout.plot.machine or part.context.machine
    known = part.context.ledger.machines() if machine != part.context.machine else {}
    found = environment(
        seed=part.job.settings.seed,
        fingerprints={name: told["fingerprint"] for name, told in about},
        timed_on=known.get(machine),
    )
    devices = part.context.opened.models.devices
    return found | {"machine": machine} | ({"devices": devices} if devices else {})


def _notes(
    part: Participation, results: Sequence[RunResult], reader: ResultReader
) -> Iterator[str]:
    units = {unit.key for unit in reader.layout.units()}
    states = [state for key, state in reader.states.items() if key in units]
    pieces = reader.layout.pieces.values()
    timed = [reader.states.get(piece.timed.key) for piece in pieces if piece.timed]
    together = any(state.facts.get("together") for state in timed if state)
    return notes_of(
        part.job.benchmark,
        results,
        part.job.settings,
        states=states,
        began=part.context.began,
        together=together,
        at_service=bool(part.job.mappings),
    )


def _queries(
    part: Participation,
    collections: OpenCollections,
    results: Sequence[RunResult],
    reader: ResultReader,
) -> dict[str, dict[str, Any]]:
    """Collect what is known of each query; a run that was stopped early did not run all of them."""
    known = part.collections  # with judgments of documents
    whole = (one.rankings for one in results if one.run.status == "completed")
    facts = query_facts(
        known.dataset,
        about_queries(known.dataset, known.truth.judgments),
        leaked=known.truth.leaked,
        breakdowns=known.truth.breakdowns,
        rankings=[one for one in whole if one is not None],
        vectors=reader.query_vectors(),
        seed=part.job.settings.seed,
    )
    shown = [one.run.rankings for one in results]
    return facts if known.unit == "document" else in_places(facts, collections, shown)


def _race_account(race: RaceOutcome, results: Sequence[RunResult]) -> Mapping[str, Any]:
    """Tell how a race went; what failed by any of its names took no part."""
    return race.race_account(_failed_names(results))


def _reachable_notes(runs: Sequence[Run], unit: str) -> Iterator[str]:
    """Say what the scores are to be compared with, where items share documents.

    Chunks are those of each run, and so is what they share.
    """
    if unit == "document":
        yield from reachable_notes(next((run.reachable for run in runs if run.reachable), {}))
        return
    alike: dict[str, list[str]] = {}
    for run in runs:
        told = ", ".join(f"{name} {best:.4f}" for name, best in run.reachable.items())
        alike.setdefault(told, []).append(run.name)
    why = f"some {unit}s meet several expected items, or an item is met by none"
    for told, names in alike.items():
        of = "" if len(names) == len(runs) else f" of {first_named(names, NAMED, show=quote)}"
        if told:
            yield f"the highest possible score{of} is {told}, since {why}"


def _race_notes(race: Mapping[str, Any]) -> Iterator[str]:
    """Say what a race guarantees."""
    if race:
        yield str(race["statement"])


def _repeat_notes(before: int) -> Iterator[str]:
    """Say that a repeated decision is another test."""
    if before:
        times = "once" if before == 1 else f"{before:,} times"
        yield (
            f"this benchmark was decided {times} before, with other queries, judgments, "
            "configurations or another primary metric: repeated tests make a p value near alpha "
            "weaker evidence"
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
