"""What every stage will take, and how much of it is on tape already."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assay.benchmarks.plan.planned_layout import Layout
from assay.benchmarks.plan.rates import Rates
from assay.benchmarks.work.ask import WARM_UP
from assay.benchmarks.work.execute import Trial
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.route import Node
from assay.records.plan import Estimate, PlannedStage
from assay.records.run_settings import RunSettings

__all__ = ["StageCosts"]

Chunks = Callable[[Trial], tuple[int, Sequence[str]]]  # how many there are, and some of them


@dataclass(frozen=True, eq=False)
class StageCosts:
    """Tells what stages take; ``chunks`` tells of what is searched, where nothing is built yet."""

    layout: Layout
    opened: OpenIndexes
    rates: Rates
    settings: RunSettings
    chunks: Chunks

    def all(self) -> Iterator[PlannedStage]:
        """Describe whole searches, then stages, in the order in which they are done."""
        users: dict[str, list[Trial]] = {}
        for trial in self.layout.trials:
            for key in [trial.search] if trial.search else trial.keys:
                users.setdefault(key, []).append(trial)
        for key in dict.fromkeys(trial.search for trial in self.layout.trials if trial.search):
            yield self._whole(users[key])
        for key, node in self.layout.nodes.items():
            yield self._stage(node, users[key])

    def _stage(self, node: Node, users: Sequence[Trial]) -> PlannedStage:
        study = node.role == "study"
        rounds = 1 if study else self.settings.asks
        name = "study" if study else node.name
        return self._planned(node.key, name, users, rounds, self._each(node, users[0]))

    def _whole(self, users: Sequence[Trial]) -> PlannedStage:
        """Estimate a whole search: the sum of its stages, if these are ours."""
        first = users[0]
        known = self.rates.on_tape(first.search, f"search of {first.chosen.name}")
        if known is None and first.route is not None:
            each = [self._each(node, first) for node in first.route.nodes]
            basis = dict.fromkeys(one.rests_on for one in each)
            known = Estimate(sum(one.value for one in each), "; ".join(basis))
        each_ms = known or self.rates.assumed("search")
        return self._planned(first.search, "search", users, self.settings.asks, each_ms)

    def _planned(
        self, key: str, name: str, users: Sequence[Trial], rounds: int, each: Estimate
    ) -> PlannedStage:
        queries = len(users[0].collection.queries)
        recorded = min(self.rates.recorded(key, rounds=rounds), queries * rounds)
        left = queries * rounds - recorded
        warm = min(WARM_UP, left) if self.settings.timed and name != "study" else 0
        row = self.rates.row_bytes(name)
        return PlannedStage(
            key=key,
            name=name,
            kind="search" if name == "search" else "study" if name == "study" else "stage",
            collection=users[0].collection.name,
            runs=tuple(dict.fromkeys(one.chosen.name for one in users)),
            searches=queries * rounds,
            recorded=recorded,
            milliseconds=each,
            seconds=each.value * (left + warm) / 1000,
            disk=Estimate(row.value * left, row.rests_on),
        )

    def _each(self, node: Node, trial: Trial) -> Estimate:
        """Return the milliseconds of one search: tried where that needs no index."""
        name = "study" if node.role == "study" else node.name
        model = self.opened.embedder(trial.chosen)
        if self.rates.recorded(node.key, rounds=1) == 0:
            if name == "embed" and model is not None:
                return self.rates.asking(model, [query.text for query in trial.collection.queries])
            if name == "rerank" and self.rates.on_tape(node.key, name) is None:
                return self._judging(trial)
        return self.rates.on_tape(node.key, name) or self.rates.assumed(name)

    def _judging(self, trial: Trial) -> Estimate:
        """Estimate a reranker by pairs; of maxsim each chunk is taken apart only once."""
        count, texts = self.chunks(trial)
        queries = trial.collection.queries
        if not texts or not queries:
            return self.rates.assumed("rerank")
        chosen = trial.chosen
        model = self.opened.embedder(chosen)
        each = self.rates.reranking(chosen, model, queries[0].text, texts)
        pairs: float = min(chosen.rerank_depth or chosen.depth, max(count, 1))
        if chosen.rerank == "maxsim":
            asked = len(queries) * self.settings.asks
            pairs = min(pairs, max(count / asked, pairs / self.settings.asks))
        return Estimate(each.value * pairs, each.rests_on)
