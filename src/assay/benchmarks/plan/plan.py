"""Plan a benchmark: what it consists of, what is there already, and what the rest will cost."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.plan.index_costs import IndexCosts, Sample, sample_corpus
from assay.benchmarks.plan.planned_layout import Layout, lay_out, sketching
from assay.benchmarks.plan.rates import Rates
from assay.benchmarks.plan.stage_costs import StageCosts
from assay.benchmarks.race.race import refuse_race
from assay.benchmarks.work.execute import Trial
from assay.benchmarks.work.identity import identity_of
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.records import Benchmark, Track, untracked
from assay.records.plan import Plan, PlannedCollection, PlannedIndex, PlannedRun, PlannedStage
from assay.records.run_settings import RunSettings
from assay.searches.check import check_stores, check_systems
from assay.searches.configuration.nested_settings import is_store
from assay.workspace.ledger.ledger import Ledger, open_ledger
from assay.workspace.locate import locate

__all__ = ["plan"]

NEW = "a benchmark that is not there yet"


def plan(
    benchmark: Benchmark,
    *,
    workspace: str | Path | None = None,
    settings: RunSettings | None = None,
    seed: int = 0,
    sample: int | None = None,
    resume: bool = False,
    retry: bool = False,
    track: Track = untracked,
) -> Plan:
    """Count the work of a benchmark exactly, and estimate what it takes; nothing is kept of it.

    What configurations share is found out by laying out all of them, over empty indexes where none
    are built yet. Who will ``resume``, or ``retry`` what failed, goes on with an earlier benchmark.
    """
    place, settings = locate(given=workspace), settings or RunSettings()
    check_systems(benchmark, run=False)
    check_stores(benchmark)
    collections = open_collections(benchmark, sample=sample, seed=seed)
    runs = distinct(benchmark.configurations)
    if benchmark.race:
        refuse_race(benchmark, runs)
    with _opened_ledger(place.ledger) as ledger, sketching(place, track=track) as opened:
        earlier = _earlier(
            ledger,
            identity_of(benchmark, collections, settings, seed=seed),
            resume=resume,
            retry=retry,
        )
        again = retry or earlier is None
        rates = Rates(ledger, None if settings.fresh else place.vectors, again=again)
        completed = {tape.key for tape in rates.tapes if tape.state == "completed"}
        layout = lay_out(
            [chosen for chosen, _ in runs],
            collections,
            opened=opened,
            completed=completed,
            settings=settings,
            benchmark=earlier or NEW,
            where=benchmark.file or benchmark.name,
        )
        work = _PlanFacts(layout, opened, rates, settings, seed, track)
        return Plan(
            name=benchmark.name,
            cells=benchmark.cells or len(benchmark.configurations),
            runs=tuple(PlannedRun(chosen.name, aliases) for chosen, aliases in runs),
            collections=tuple(work.collection(collection) for collection in collections),
            indexes=tuple(work.indexes()),
            stages=tuple(work.stages()),
            searches_alone=_alone(layout, settings),
            asks=settings.asks,
            builds=settings.builds,
            merged=benchmark.merged,
            race=bool(benchmark.race),
        )


def _earlier(ledger: Ledger | None, identity: str, *, resume: bool, retry: bool) -> str | None:
    """Find the benchmark that is gone on with, by its id."""
    if ledger is None or not (resume or retry):
        return None
    same = (one for one in ledger.benchmarks() if one.identity == identity)
    return next((one.id for one in same if retry or one.state != "completed"), None)


def _alone(layout: Layout, settings: RunSettings) -> int:
    """Count the searches if nothing were shared."""
    return sum(
        len(trial.collection.queries) * settings.asks * _ways(trial) for trial in layout.trials
    )


def _ways(trial: Trial) -> int:
    return len(trial.route.nodes) if trial.route and not trial.search else 1


@contextmanager
def _opened_ledger(place: Path) -> Iterator[Ledger | None]:
    """Open the ledger if there is one; a plan makes none."""
    if not place.exists():
        yield None
        return
    with closing(open_ledger(place)) as ledger:
        yield ledger


@dataclass(eq=False)
class _PlanFacts:
    """What is found out for one plan."""

    layout: Layout
    opened: OpenIndexes
    rates: Rates
    settings: RunSettings
    seed: int
    track: Track
    _samples: dict[str, Sample] = field(default_factory=dict)

    @cached_property
    def _costs(self) -> IndexCosts:
        return IndexCosts(self.rates, fresh=self.settings.fresh)

    def collection(self, collection: OpenCollection) -> PlannedCollection:
        """Tell the size of a dataset and its corpus."""
        seen = self._sample(collection)
        number = len(collection.queries)
        return PlannedCollection(
            collection.name, number, seen.documents, seen.bytes, collection.content
        )

    def indexes(self) -> Iterator[PlannedIndex]:
        """Describe every index once, and what stores are filled from."""
        for key, users in _by(lambda trial: trial.build, self.layout.trials).items():
            names = [*dict.fromkeys(trial.chosen.name for trial in users)]
            first = users[0]
            if key in self.layout.made:
                yield self._costs.there(first, names)
            else:
                yield self._index(first, names)
        for trial in self.layout.trials:
            if is_store(trial.chosen.system):
                yield self._index(trial, [trial.chosen.name])

    def stages(self) -> Iterator[PlannedStage]:
        """Describe every stage and whole search."""
        costs = StageCosts(self.layout, self.opened, self.rates, self.settings, self._chunks)
        return costs.all()

    def _index(self, trial: Trial, names: Sequence[str]) -> PlannedIndex:
        embedder = self.opened.embedder(trial.chosen)
        return self._costs.of(trial, self._sample(trial.collection), names, embedder)

    def _chunks(self, trial: Trial) -> tuple[int, Sequence[str]]:
        seen = self._sample(trial.collection)
        texts = self._costs.texts(trial, seen)
        return round(len(texts) / max(seen.share, 1e-9)), texts

    def _sample(self, collection: OpenCollection) -> Sample:
        if collection.content not in self._samples:
            self._samples[collection.content] = sample_corpus(
                collection.corpus, seed=self.seed, track=self.track
            )
        return self._samples[collection.content]


def _by(key: Callable[[Trial], str], trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        if key(trial):
            found.setdefault(key(trial), []).append(trial)
    return found
