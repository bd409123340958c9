"""Plan a benchmark: what it consists of, what already exists, and what the rest will cost."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.collections.truth import resolve_some
from assay.benchmarks.collections.unknown_symbols import unknown_symbols
from assay.benchmarks.collections.with_vectors import with_vectors
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.plan.index_costs import IndexCosts
from assay.benchmarks.plan.rates import Rates
from assay.benchmarks.plan.stage_costs import StageCosts
from assay.benchmarks.race.race import refuse_race
from assay.benchmarks.work.context import open_parts
from assay.benchmarks.work.job import identity_of
from assay.benchmarks.work.layout import Layout, Plot, Trial, count_work, lay_out
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.records import Benchmark
from assay.records.plan import Plan, PlannedCollection, PlannedIndex, PlannedRun, PlannedStage
from assay.records.run_settings import Invocation, RunSettings
from assay.records.skipped_files import describe_unread
from assay.searches.check import check_stores, check_systems
from assay.searches.configuration.nested_settings import is_store
from assay.workspace.ledger.ledger import Ledger, open_ledger
from assay.workspace.locate import Workspace, locate

__all__ = ["make_plan", "plan"]

NEW = "a benchmark that is not there yet"


def plan(
    benchmark: Benchmark,
    settings: RunSettings,
    invocation: Invocation,
    *,
    workspace: str | Path | None = None,
) -> Plan:
    """Count the work of a benchmark exactly, and estimate what it takes; nothing is kept of it."""
    place, track = locate(given=workspace), invocation.progress
    check_systems(benchmark, run=False)
    check_stores(benchmark)
    if benchmark.race:
        refuse_race(benchmark, distinct(benchmark.configurations))
    collections = open_collections(
        benchmark, sample=settings.sample, seed=settings.seed, track=track
    )
    collections = with_vectors(benchmark, collections)
    found = [resolve_some(one.dataset, one.reading.again, track=track) for one in collections]
    unknown = [
        () if benchmark.unit == "document" else unknown_symbols(one.dataset, its, one.reading.again)
        for one, its in zip(collections, found, strict=True)
    ]
    parts = open_parts(place, benchmark, fresh=True, track=track)  # nothing is left behind
    with _opened_ledger(place) as ledger, parts as (opened, _):
        made = make_plan(
            benchmark,
            settings,
            invocation,
            collections,
            opened=opened,
            ledger=ledger,
            vectors=place.vectors,
        )
    lost = [
        replace(one, unresolved=its.total - its.resolved, unknown_symbols=symbols)
        for one, its, symbols in zip(made.collections, found, unknown, strict=True)
    ]
    return replace(made, collections=tuple(lost))


def make_plan(
    benchmark: Benchmark,
    settings: RunSettings,
    invocation: Invocation,
    collections: Sequence[OpenCollection],
    *,
    opened: OpenIndexes,
    ledger: Ledger | None,
    vectors: Path,
) -> Plan:
    """Plan a benchmark by the layout that its execution goes by.

    An invocation that resumes, or retries what failed, continues an earlier benchmark. ``vectors``
    is the file of cached ones.
    """
    earlier = _earlier(ledger, identity_of(benchmark, collections, settings), invocation)
    runs = distinct(benchmark.configurations)
    plot = Plot(
        settings,
        machine=opened.machine if settings.timed else "",
        salt=(earlier or NEW) if invocation.fresh else "",
        benchmark=earlier or NEW,
    )
    where = benchmark.file or benchmark.name
    layout = lay_out([chosen for chosen, _ in runs], collections, opened, plot, where=where)
    again = invocation.retry_failed or earlier is None
    rates = Rates(ledger, None if invocation.fresh else vectors, again=again)
    facts = _PlanFacts(layout, opened, rates, invocation.fresh)
    return Plan(
        name=benchmark.name,
        cells=benchmark.cells or len(benchmark.configurations),
        runs=tuple(PlannedRun(chosen.name, aliases) for chosen, aliases in runs),
        collections=tuple(map(_collection, collections)),
        indexes=tuple(facts.indexes()),
        stages=tuple(facts.stages()),
        searches_alone=count_work(benchmark, layout)["searches_alone"],
        asks=settings.rounds,
        builds=settings.repeats,
        merged=benchmark.merged,
        race=bool(benchmark.race),
    )


def _earlier(ledger: Ledger | None, identity: str, invocation: Invocation) -> str | None:
    """Find the benchmark that is gone on with, by its id."""
    if ledger is None or not invocation.resume:
        return None
    same = (one for one in ledger.benchmarks() if one.identity == identity)
    return next(
        (one.id for one in same if invocation.retry_failed or one.state != "completed"), None
    )


@contextmanager
def _opened_ledger(place: Workspace) -> Iterator[Ledger | None]:
    """Open the ledger if there is one; a plan makes none."""
    if not place.has_database:
        yield None
        return
    with closing(open_ledger(place.database)) as ledger:
        yield ledger


def _collection(collection: OpenCollection) -> PlannedCollection:
    """Tell the size of a dataset and its corpus."""
    seen = collection.reading.sample
    number = len(collection.queries)
    bare = sum(not one.has_relevant for one in collection.dataset.queries)
    return PlannedCollection(
        collection.name,
        number,
        seen.documents,
        seen.bytes,
        collection.content,
        without_relevant=bare,
        unread=describe_unread(collection.corpus.skipped),
    )


@dataclass(frozen=True, eq=False)
class _PlanFacts:
    """What is found out for one plan."""

    layout: Layout
    opened: OpenIndexes
    rates: Rates
    fresh: bool

    @cached_property
    def _costs(self) -> IndexCosts:
        return IndexCosts(self.rates, fresh=self.fresh)

    @cached_property
    def _made(self) -> set[str]:
        """The indexes that are there."""
        builds, ledger = self.layout.builds, self.rates.ledger
        done = ledger.completed(builds) if ledger else set()
        return {key for key in done if self.opened.is_made(key)}

    def indexes(self) -> Iterator[PlannedIndex]:
        """Describe every index once, and what stores are filled from."""
        for key, users in _by(lambda trial: trial.build, self.layout.trials).items():
            names = [*dict.fromkeys(trial.chosen.name for trial in users)]
            first = users[0]
            if key in self._made:
                yield self._costs.there(first, names)
            else:
                yield self._index(first, names)
        for trial in self.layout.trials:
            if is_store(trial.chosen.system):
                yield self._index(trial, [trial.chosen.name])

    def stages(self) -> Iterator[PlannedStage]:
        """Describe every stage and whole search."""
        return StageCosts(self.layout, self.opened, self.rates, self._chunks).all()

    def _index(self, trial: Trial, names: Sequence[str]) -> PlannedIndex:
        embedder, sample = self.opened.embedder(trial.chosen), trial.collection.reading.sample
        return self._costs.of(trial, sample, names, embedder)

    def _chunks(self, trial: Trial) -> tuple[int, Sequence[str]]:
        seen = trial.collection.reading.sample
        texts = self._costs.texts(trial, seen)
        return round(len(texts) / max(seen.share, 1e-9)), texts


def _by(key: Callable[[Trial], str], trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        if key(trial):
            found.setdefault(key(trial), []).append(trial)
    return found
