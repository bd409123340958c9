"""Execute a benchmark: indexes first, then every stage once, whoever else works on it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.ask import WARM_UP, Ask, Reply, ReplyTape, ask_all
from assay.benchmarks.work.layout import Trial, beginnings, is_swept, named, sweep_key
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.route import Node, Route, retrieval_of, route_of, sampled
from assay.benchmarks.work.run_node import Inputs, asking_node
from assay.benchmarks.work.stage_outputs import TracingTape
from assay.benchmarks.work.studies import record_studies
from assay.benchmarks.work.whole_search import asking_whole, facts_of
from assay.benchmarks.work.worker import LedgerTape, Worker
from assay.errors import InputError
from assay.records import (
    Claim,
    Configuration,
    Query,
    RecordedAnswer,
    Track,
    Unit,
    UnitState,
    untracked,
)
from assay.records.clock import Clock
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import RunSettings
from assay.searches.build import BuiltIndex
from assay.searches.built_search import Build, BuiltSearch
from assay.workspace.ledger.ledger import Ledger
from assay.workspace.scratch import scratch

__all__ = ["Execution", "Trial"]

NumberedJob = Callable[[int, Claim], Mapping[str, Any]]  # told which of all jobs it is
Jobs = Mapping[str, tuple[Unit, NumberedJob]]


MEDIAN = 3  # asks from which on a first time that takes longer is not the median


def _twice(ask: Ask) -> Ask:
    """Ask before it is timed: a reranker remembers what its model made of a text."""

    def again(query: Query) -> Reply:
        ask(query)
        return ask(query)

    return again


class _Owner(TypedDict):
    settings: RunSettings
    benchmark: str


DOING = {"embed": "embedding queries", "answer": "collecting answers", "study": "studying"}


@dataclass
class Execution:
    """The work of one process on a benchmark."""

    runs: Sequence[Configuration]
    collections: Sequence[OpenCollection]
    ledger: Ledger
    benchmark: str
    worker: Worker
    build: Build
    opened: OpenIndexes | None = None
    settings: RunSettings = field(default_factory=RunSettings)
    scratch: Path | None = None
    clock: Clock = time.perf_counter_ns
    cpu: Clock = time.process_time_ns
    track: Track = untracked
    trials: list[Trial] = field(default_factory=list)
    warm_up: int = WARM_UP
    gives_up: bool = True

    def __post_init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self.began = 0.0
        self._owners: dict[str, Trial] = {}
        self.leaders: dict[tuple[object, ...], Trial] = {}
        self.sweeps: dict[tuple[object, ...], Any] = {}  # what was read of those swept together

    def go(self, *, retry: bool = False, rebuild: bool = True) -> None:
        """Do all that is left to do, or wait until others have done it.

        Who will ``retry`` does again what failed, and may ``rebuild`` the indexes that did. What
        failed for the machine, such as a full disk, is done again in any case.
        """
        self.began = time.time()
        self.trials = self._begun()
        self._through(self._builds(), ("build",), retry=retry and rebuild)
        states = self.ledger.states(self.benchmark)
        self.trials = self._swept([self._routed(trial, states) for trial in self.trials])
        self._through(self._searches() | self._stages(), ("stage", "search", "study"), retry=retry)

    def of(self, run: str) -> list[Trial]:
        """Return the trials of a run: for each time that it was built, those over all corpora."""
        return [trial for trial in self.trials if trial.chosen.name == run]

    def _begun(self) -> list[Trial]:
        """Lay out every configuration over every corpus, as often as it is to be built."""
        made = [
            Trial(chosen, collection, number)
            for number in range(self.settings.builds)
            for chosen in self.runs
            for collection in self.collections
        ]
        return [named(trial, self.opened, **self._whose) for trial in made]

    @property
    def _whose(self) -> _Owner:
        return {"settings": self.settings, "benchmark": self.benchmark}

    def _routed(self, trial: Trial, states: Mapping[str, UnitState]) -> Trial:
        """Lay the way of the queries, once the index is there."""
        state = states.get(trial.build)
        if not trial.build or self.opened is None or state is None or state.state != "completed":
            return trial
        searcher = self.opened.searcher(trial.build, trial.chosen)
        if self.settings.live:
            origin = beginnings(trial, self.opened, **self._whose)["origin"]
            return replace(trial, search=fingerprint_of("live", origin, searcher.fingerprint))
        if not self.settings.timed and is_swept(searcher):
            key = sweep_key(trial.build, trial.chosen, searcher)
            return replace(trial, swept=(trial.collection.asked, *key))
        lay = partial(route_of, compared=self.settings.timed)
        return replace(trial, route=self._route(trial, self.opened, lay))

    def _route(self, trial: Trial, opened: OpenIndexes, lay: Callable[..., Route]) -> Route:
        """Lay a way over the nodes of all ways; whoever needs a node first can do its work."""
        route = lay(
            opened.searcher(trial.build, trial.chosen).pipeline,
            known=self._nodes,
            **beginnings(trial, opened, **self._whose),
        )
        for node in route.all:
            self._owners.setdefault(node.key, trial)
        return route

    def _swept(self, trials: Sequence[Trial]) -> list[Trial]:
        """Let the deepest of those that are swept together retrieve for all of them."""
        deepest: dict[tuple[object, ...], Trial] = {}
        for trial in (trial for trial in trials if trial.swept):
            best = deepest.setdefault(trial.swept, trial)
            deepest[trial.swept] = max(best, trial, key=lambda one: one.chosen.depth)
        if self.opened is None:
            return [*trials]
        routes = {
            key: self._route(trial, self.opened, retrieval_of) for key, trial in deepest.items()
        }
        self.leaders = deepest
        return [
            replace(trial, route=routes[trial.swept]) if trial.swept else trial for trial in trials
        ]

    def _through(self, jobs: Jobs, kinds: Sequence[str], *, retry: bool) -> None:
        """Note the work, and do it."""
        units = [unit for unit, _ in jobs.values()]
        uses: dict[str, list[str]] = {}
        for trial in self.trials:
            uses.setdefault(trial.chosen.name, []).extend(trial.keys)
        known = {unit.key for unit in units}
        used = {run: [key for key in keys if key in known] for run, keys in uses.items()}
        self.ledger.prepare(self.benchmark, units, uses=used)
        among = [*known] if self.worker.confined else []
        self.ledger.retry_failed(self.benchmark, kinds=kinds, among=among, machine=not retry)
        numbered = {key: partial(job, at) for at, (key, (_, job)) in enumerate(jobs.items(), 1)}
        self.worker.through(numbered, kinds=kinds)

    def _builds(self) -> dict[str, tuple[Unit, NumberedJob]]:
        found: dict[str, tuple[Unit, NumberedJob]] = {}
        for trial in (trial for trial in self.trials if trial.build):
            unit = Unit(trial.build, "build", f"index of {trial.chosen.name}")
            found.setdefault(trial.build, (unit, partial(self._index, trial)))
        self._reopen([unit for unit, _ in found.values()])
        return found

    def _reopen(self, units: Sequence[Unit]) -> None:
        """Let indexes that were removed be made again.

        Only those that were completed before the look: what another worker completes meanwhile is
        there, and must not be taken away from it.
        """
        self.ledger.prepare(self.benchmark, units)
        states = self.ledger.states(self.benchmark)
        over = [one.key for one in units if states[one.key].state == "completed"]
        self.ledger.reopen([key for key in over if self.opened and not self.opened.is_made(key)])

    def _index(self, trial: Trial, _number: int, _claim: Claim) -> Mapping[str, Any]:
        if self.opened is None:
            raise InputError("no place to build in", where=trial.chosen.name)
        builds = [*dict.fromkeys(one.build for one in self.trials if one.build)]
        step = f"index {builds.index(trial.build) + 1}/{len(builds)}: " if builds[1:] else ""
        return self.opened.make(trial.build, trial.collection, trial.chosen, step=step)

    def _searches(self) -> dict[str, tuple[Unit, NumberedJob]]:
        found: dict[str, tuple[Unit, NumberedJob]] = {}
        for trial in (trial for trial in self.trials if trial.search):
            rounds = self.settings.asks + self._studies(trial) + bool(trial.build)
            total = rounds * len(trial.collection.queries)
            unit = Unit(trial.search, "search", f"search of {trial.chosen.name}", total=total)
            found.setdefault(trial.search, (unit, partial(self._search, trial)))
        return found

    def _studies(self, trial: Trial) -> int:
        """Tell how many rounds follow those that are timed: structure is accounted for in one."""
        if self.opened is None or not trial.build:
            return 0
        steps = self.opened.searcher(trial.build, trial.chosen).pipeline.refine
        return int(any(step.study is not None for step in steps))

    def _stages(self) -> dict[str, tuple[Unit, NumberedJob]]:
        return {
            key: (
                node.unit(self._owners[key].collection.queries, self.settings.asks),
                partial(self._stage, node, self._owners[key]),
            )
            for key, node in self._nodes.items()
        }

    def _stage(self, node: Node, trial: Trial, number: int, claim: Claim) -> Mapping[str, Any]:
        """Take all queries through one node."""
        if self.opened is None:
            raise InputError("no place to search in", where=trial.chosen.name)
        if node.role == "whole":
            return self._compare(trial, self.opened, number, claim)
        searcher = self.opened.searcher(trial.build, trial.chosen)
        vector = self.first(node.vector.key) if node.vector else None
        inputs = Inputs([self.first(one.key) for one in node.parents], vector)
        study = node.role == "study"
        ask = asking_node(node, searcher, inputs, clock=self.clock, cpu=self.cpu)
        ask_all(
            _twice(ask) if node.name == "rerank" and self.settings.asks < MEDIAN else ask,
            trial.collection.queries,
            LedgerTape(self.ledger, claim),
            rounds=1 if study else self.settings.asks,
            warm_up=0 if study or not self.settings.timed else self.warm_up,
            failed=inputs.failed,
            gives_up=self.gives_up,
            track=self.track,
            doing=self._doing(node, number),
        )
        return {}

    def _compare(
        self, trial: Trial, opened: OpenIndexes, number: int, claim: Claim
    ) -> Mapping[str, Any]:
        """Ask some queries of the whole search, beside which the sum of its stages is put."""
        ask_all(
            asking_whole(self._live(trial, opened), self.clock, cpu=self.cpu),
            sampled(trial.collection.queries),
            LedgerTape(self.ledger, claim),
            rounds=self.settings.asks,
            track=self.track,
            doing=f"{number}/{len(self._nodes)} whole searches ({trial.chosen.name})",
        )
        return {}

    def first(self, key: str) -> dict[str, RecordedAnswer]:
        """Read what a stage found when it was asked first."""
        return {row.query: row for row in self.ledger.rows(key) if not row.round}

    def _doing(self, node: Node, number: int) -> str:
        users = [
            trial.chosen.name
            for trial in self.trials
            if trial.route and any(one is node for one in trial.route.all)
        ]
        named = users[0] if len(users) == 1 else f"{len(users)} runs"
        doing = DOING.get(node.role, node.name)
        return f"{number}/{len(self._nodes)} {doing} ({named})"

    def _search(self, trial: Trial, _number: int, claim: Claim) -> Mapping[str, Any]:
        """Ask a whole search, and tell what it is."""
        left: list[str] = []
        with self._built(trial, left) as built:
            tape, queries = LedgerTape(self.ledger, claim), trial.collection.queries
            rounds = self.settings.asks if built.timed else 1
            began = self.clock()
            traced = (
                TracingTape(built, tape) if trial.build and isinstance(built, BuiltIndex) else None
            )
            ask = asking_whole(built, self.clock, cpu=self.cpu if trial.build else None)
            asked = ask_all(
                traced.asking(ask) if traced else ask,
                queries,
                traced or tape,
                rounds=rounds,
                warm_up=self.warm_up if built.timed and self.settings.timed else 0,
                several=built.concurrency,
                gives_up=self.gives_up,
                track=self.track,
                doing=f"searching {trial.chosen.name}",
            )
            seconds = (self.clock() - began) / 1e9
            if traced:
                traced.finish(queries)
            self._account(built, trial, tape)
            whole = asked == rounds * len(queries)
            facts = facts_of(built, queries, tape, seconds=seconds, whole=whole)
        return facts | {"notes": [*facts["notes"], *left]}

    def _account(self, built: BuiltSearch, trial: Trial, tape: ReplyTape) -> None:
        doing = f"studying {trial.chosen.name}"
        record_studies(built, trial.collection.queries, tape, track=self.track, doing=doing)

    @contextmanager
    def _built(self, trial: Trial, left: list[str]) -> Iterator[BuiltSearch]:
        """Open a search: over an index that is there, or made in a folder that lasts as long."""
        if trial.build and self.opened is not None:
            yield self._live(trial, self.opened)
            return
        with scratch(self.scratch) as place:
            folder = place / "index"
            folder.mkdir()
            built = self.build(
                trial.collection.corpus, trial.chosen, folder=folder, track=self.track
            )
            try:
                yield built
            finally:
                try:
                    built.close()
                except InputError as error:  # takes nothing away from what was measured
                    told = (error.problem, error.where, error.hint)
                    left.append("; ".join(filter(None, told)))

    def _live(self, trial: Trial, opened: OpenIndexes) -> BuiltSearch:
        facts = self.ledger.states(self.benchmark)[trial.build].facts
        return BuiltIndex(
            searcher=opened.searcher(trial.build, trial.chosen),
            figured=facts["indexing"],
            sizes=lambda: facts["storage"],
            settings=opened.settings(trial.chosen),
            top_k=trial.chosen.top_k,
        )
