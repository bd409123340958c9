"""Race the configurations of a benchmark: those that are stopped run no further queries.

A block of queries is a layout of its own; what it finds is recorded with the outputs of the whole.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.collections.unit_truth import ChunkTable, in_units
from assay.benchmarks.race.account import keyed, race_account, sum_up_beaten
from assay.benchmarks.race.order import Order, order_of
from assay.benchmarks.runs.collect import ResultReader
from assay.benchmarks.runs.measure import UNASKED, Measurements, RunFacts
from assay.benchmarks.runs.reading import with_tokens
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.sum_up import score_answers
from assay.benchmarks.work.ask import WARM_UP
from assay.benchmarks.work.context import ExecutionContext, Manner
from assay.benchmarks.work.execute import execute
from assay.benchmarks.work.layout import Layout, Plot, lay_out
from assay.errors import InputError
from assay.metrics import parse_all
from assay.records import Benchmark, Configuration, RaceStanding
from assay.searches.built_search import AnswerCheck
from assay.statistics.race import race

__all__ = ["RaceOutcome", "race_runs", "refuse_race"]

LATER = 1  # queries that warm up what was at rest while others were asked
Runs = Sequence[tuple[Configuration, tuple[str, ...]]]


@dataclass(frozen=True, slots=True, eq=False)
class RaceOutcome:
    """The outcome of a race: what is left for the remaining runs, and what became of all.

    ``race_account`` is for the end, when it is known which runs failed: these took no part.
    """

    remaining: Layout
    manner: Manner
    blocks: tuple[Layout, ...] = ()
    beaten: Mapping[str, RunResult] = field(default_factory=dict)
    race_account: Callable[[Collection[str]], Mapping[str, Any]] = lambda _failed: {}


def refuse_race(benchmark: Benchmark, runs: Runs) -> None:
    """Refuse what cannot be raced, before anything is built."""
    if len(runs) < 2:
        hint = "add configurations, or remove the race (--race, or race in the file)"
        raise InputError("a race needs at least two configurations", hint=hint)
    low, high = parse_all([benchmark.primary])[0].kind.bounds
    if not np.isfinite([low, high]).all():
        hint = "choose a primary metric with a lowest and a highest value, e.g. ndcg@10"
        problem = f"{benchmark.primary} has no bounds, so it cannot decide a race"
        raise InputError(problem, hint=hint)


def race_runs(
    benchmark: Benchmark,
    collections: OpenCollections,
    runs: Runs,
    plot: Plot,
    context: ExecutionContext,
    *,
    retry: bool = False,
) -> RaceOutcome:
    """Run block after block of queries, and continue to the end only with runs not stopped by then.

    Every process that works on the benchmark goes through the same blocks: which run is stopped
    follows from the recorded outputs. The baseline is never stopped, since verdicts need it.
    """
    first = int(benchmark.race["first"])
    order = order_of(collections, seed=plot.settings.seed, first=first)
    racing = _Race(benchmark, collections, runs, plot, context, order)
    try:
        for start, end in pairwise([0, *order.ends]):
            if racing.is_open:
                racing.ask(start, end, retry=retry)
        return racing.outcome(retry=retry)
    except BaseException:
        context.systems.close()
        raise


@dataclass(eq=False)
class _Race:
    """The race as it stands. ``fellows`` are runs that came to the same: one races for them."""

    benchmark: Benchmark
    collections: OpenCollections
    runs: Runs
    plot: Plot
    context: ExecutionContext
    order: Order
    blocks: list[Layout] = field(default_factory=list)
    measured: dict[str, list[Measurements]] = field(default_factory=dict)
    done: dict[str, RunFacts] = field(default_factory=dict)
    fellows: dict[str, str] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)
    chunks: dict[str, dict[tuple[str, str], ChunkTable]] = field(default_factory=dict)
    raced: RaceStanding | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether there is still somebody to beat."""
        return not self.blocks or sum(not after for after in self.after.values()) > 1

    @property
    def after(self) -> dict[str, int]:
        """The number of queries after which each of those that race was stopped; else 0."""
        each = self.raced.after.tolist() if self.raced else [0] * len(self.scores)
        return dict(zip(self.scores, each, strict=True))

    def ask(self, start: int, end: int, *, retry: bool) -> None:
        """Run a block of queries on all runs of the race, and test which to stop.

        A race is run over the first build of each; nothing but answers and times is recorded. Only
        in the first block is given up who fails at once: later ones may begin with any failures.
        """
        first = not self.blocks
        runs = [chosen for chosen, _ in self.runs if first or self._races(chosen.name)]
        once = replace(self.plot.settings, repeats=1)
        collections = self.order.block(self.collections, start, end)
        plot = replace(self.plot, settings=once, aside=False)
        block = lay_out(runs, collections, self.context.opened, plot)
        manner = Manner(
            retry=retry,
            rebuild=first,
            confined=True,
            hold=True,
            gives_up=first,
            warm_up=WARM_UP if first else LATER,
        )
        execute(block, self.context, manner)
        self.blocks.append(block)
        reader = ResultReader(block, self.context)
        for chosen in runs:
            self._take(reader, chosen.name, start, end)
        self._decide(end)
        self._close_beaten()

    def outcome(self, *, retry: bool) -> RaceOutcome:
        """Sum up the runs that were stopped, and leave the others to the end."""
        known = self.measured if self.blocks else [chosen.name for chosen, _ in self.runs]
        asked = {name: self.after.get(self.fellows.get(name, name), 0) for name in known}
        beaten = {
            chosen.name: sum_up_beaten(
                chosen,
                self._done(chosen.name),
                self.measured[chosen.name],
                benchmark=self.benchmark,
                collections=self._judged(chosen.name),
                asked=frozenset(self.order.queries[: asked[chosen.name]]),
                seed=self.plot.settings.seed,
            )
            for chosen, _ in self.runs
            if asked.get(chosen.name)
        }
        left = [chosen for chosen, _ in self.runs if chosen.name not in beaten]
        layout = lay_out(left, self.collections.each, self.context.opened, self.plot)
        asked_in_blocks = frozenset(
            query.fingerprint
            for block in self.blocks
            for collection in block.collections
            for query in collection.queries
        )
        manner = Manner(retry=retry, spared=asked_in_blocks, rebuild=not self.blocks, confined=True)
        return RaceOutcome(layout, manner, tuple(self.blocks), beaten, partial(self._told, asked))

    def _close_beaten(self) -> None:
        """Close the systems of those that are asked nothing more; their complaints are kept."""
        block = self.blocks[0]
        over = [name for name in self.measured if not self._races(name)]
        trials = [trial for name in over for trial in block.of(name) if not trial.build]
        left = self.context.systems.close([trial.key for trial in trials])
        for trial in trials:
            notes = left.get(trial.key, [])
            unit = block.piece(trial).found
            if notes and unit:
                self.context.ledger.annotate(unit.key, notes)
                known = self.done[trial.chosen.name]
                self.done[trial.chosen.name] = replace(known, notes=(*known.notes, *notes))

    def _done(self, name: str) -> RunFacts:
        """Return what is known of a run; one that scores at all answers, whatever a block lacks."""
        done = self.done[name]
        if any(self.scores[self.fellows.get(name, name)]):
            return replace(done, checked=AnswerCheck())
        return done

    def _told(self, asked: Mapping[str, int], failed: Collection[str]) -> dict[str, Any]:
        return race_account(
            self.raced,
            self.scores,
            asked={name: after for name, after in asked.items() if after or name not in failed},
            order=self.order,
            benchmark=self.benchmark,
            queries=len(self.collections.dataset.queries),
            fellows=self.fellows,
            seed=self.plot.settings.seed,
        )

    def _races(self, name: str) -> bool:
        return self.after.get(self.fellows.get(name, name)) == 0

    def _take(self, reader: ResultReader, name: str, start: int, end: int) -> None:
        """Score what a run answered; one that cannot be built or asked does not race.

        Nor does one that was given up, which is asked to the end as if there were no race.
        """
        found = reader.collect(name)
        if found.done.error:
            if name in self.scores:  # from now on it fails, and scores 0
                self.scores[name].extend([0.0] * (end - start))
            return
        measured = keyed(self.collections, reader.layout.collections, found.measured)
        measured = with_tokens(self.benchmark, self.collections, measured)
        self.measured.setdefault(name, []).append(measured)
        known = self.done.setdefault(name, found.done)
        same = (one for one, done in self.done.items() if done.fingerprint == known.fingerprint)
        if (first := next(same)) != name:
            self.fellows[name] = first
            return
        if UNASKED in measured.failed.values():
            return
        if self.collections.unit == "chunk":
            self.chunks.setdefault(name, {}).update(reader.chunk_tables([name]))
        scored = self._scored(name, measured)
        keys = self.order.queries[start:end]
        self.scores.setdefault(name, []).extend(scored.get(key, 0.0) for key in keys)

    def _scored(self, name: str, measured: Measurements) -> dict[str, float]:
        if not measured.found:
            return {}
        scored = score_answers(self.benchmark, self._judged(name).truth, name, measured)
        values = scored.per_query[self.benchmark.primary].tolist()
        return dict(zip(scored.queries, values, strict=True))

    def _judged(self, name: str) -> OpenCollections:
        """Return the collections with judgments of the units that a run returns."""
        return in_units(self.collections, self.chunks.get(self.fellows.get(name, name), {}))

    def _decide(self, end: int) -> None:
        """Test after each block so far which runs to stop, as was done then."""
        if not self.scores:
            return
        scores = np.full((end, len(self.scores)), np.nan)
        for column, values in enumerate(self.scores.values()):
            scores[: len(values), column] = values
        self.raced = race(
            scores,
            population=len(self.order.queries),
            alpha=float(self.benchmark.race["alpha"]),
            ends=self.order.ends,
            kept=[at for at, name in enumerate(self.scores) if self._is_baseline(name)],
            bounds=parse_all([self.benchmark.primary])[0].kind.bounds,
            weights=self.order.weights[:end],
        )

    def _is_baseline(self, name: str) -> bool:
        """Tell whether a run, or one that came to the same, is the baseline by any of its names."""
        names = {
            called
            for chosen, aliases in self.runs
            if name in (chosen.name, self.fellows.get(chosen.name))
            for called in (chosen.name, *aliases)
        }
        return self.benchmark.baseline in names
