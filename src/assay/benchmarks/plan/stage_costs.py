"""What every stage will take, and how much of it is recorded already."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assay.benchmarks.plan.rates import Rates
from assay.benchmarks.work.ask import WARM_UP
from assay.benchmarks.work.layout import Layout, Piece, Trial
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.piece_work import TIMED
from assay.benchmarks.work.route import Node
from assay.records.model import is_given
from assay.records.plan import Estimate, PlannedStage

__all__ = ["StageCosts"]

Chunks = Callable[[Trial], tuple[int, Sequence[str]]]  # how many there are, and some of them


@dataclass(frozen=True, eq=False)
class StageCosts:
    """Tells what stages take; ``chunks`` tells of what is searched, where nothing is built yet."""

    layout: Layout
    opened: OpenIndexes
    rates: Rates
    chunks: Chunks

    def all(self) -> Iterator[PlannedStage]:
        """Describe whole searches, then stages, in the order in which they are done."""
        users: dict[Piece, list[Trial]] = {}
        for trial in self.layout.trials:
            for piece in self.layout.pieces_of(trial):
                users.setdefault(piece, []).append(trial)
        for piece, trials in users.items():
            if piece.node is None:
                yield self._whole(piece, trials)
        for piece, trials in users.items():
            if piece.node and piece.node.role != "whole":
                yield self._stage(piece, piece.node, trials)

    def _stage(self, piece: Piece, node: Node, users: Sequence[Trial]) -> PlannedStage:
        name = "study" if node.role == "study" else node.name
        return self._planned(piece, name, users, self._each(node, piece.trial))

    def _whole(self, piece: Piece, users: Sequence[Trial]) -> PlannedStage:
        """Estimate a whole search: the sum of its stages, if these are ours."""
        first = piece.trial
        known = self.rates.on_tape(_tapes(piece), f"search of {first.chosen.name}")
        if known is None and first.route is not None:
            each = [self._each(node, first) for node in first.route.nodes]
            basis = dict.fromkeys(one.rests_on for one in each)
            known = Estimate(sum(one.value for one in each), "; ".join(basis))
        return self._planned(piece, "search", users, known or self.rates.assumed("search"))

    def _planned(
        self, piece: Piece, name: str, users: Sequence[Trial], each: Estimate
    ) -> PlannedStage:
        """Count the searches: as many as are recorded, and as many as are left."""
        queries = len(piece.trial.collection.queries)
        rounds = self.layout.settings.rounds if name != "study" else 1
        left = self._left(piece)
        warm = min(WARM_UP, left) if piece.timed else 0
        row = self.rates.row_bytes(name)
        return PlannedStage(
            key=piece.tape,
            name=name,
            kind="search" if name == "search" else "study" if name == "study" else "stage",
            collection=piece.trial.collection.name,
            runs=tuple(dict.fromkeys(one.chosen.name for one in users)),
            searches=queries * rounds,
            recorded=queries * rounds - left,
            milliseconds=each,
            seconds=each.value * (left + warm) / 1000,
            disk=Estimate(row.value * left, row.rests_on),
        )

    def _left(self, piece: Piece) -> int:
        """Count the searches that are neither found nor timed yet."""
        queries = [query.fingerprint for query in piece.trial.collection.queries]
        found, failed = self.rates.recorded(piece.tape, queries, rounds=1)
        left = len(queries) - found - failed
        if piece.timed is None:
            return left
        rounds, known, done = self.layout.settings.rounds, 0, 0
        if not self.rates.is_timed_again(piece.timed.key):
            known, _ = self.rates.recorded(piece.timed.tape, queries, rounds=1)
            done, _ = self.rates.recorded(piece.timed.tape, queries, rounds=rounds)
        return rounds * max(known + left, min(TIMED, found + left)) - done

    def _each(self, node: Node, trial: Trial) -> Estimate:
        """Return the milliseconds of one search: tried where that needs no index."""
        name = "study" if node.role == "study" else node.name
        piece = self.layout.pieces.get((node.key, trial.collection.asked))
        tapes = _tapes(piece) if piece else [node.key]
        model = self.opened.embedder(trial.chosen)
        if name == "embed" and is_given(model):
            return Estimate(0.0, "vectors are given")
        if not self.rates.has(node.key):
            if name == "embed" and model is not None:
                return self.rates.asking(model, [query.text for query in trial.collection.queries])
            if name == "rerank" and self.rates.on_tape(tapes, name) is None:
                return self._judging(trial)
        return self.rates.on_tape(tapes, name) or self.rates.assumed(name)

    def _judging(self, trial: Trial) -> Estimate:
        """Estimate a reranker by pairs; of maxsim each chunk is taken apart only once."""
        count, texts = self.chunks(trial)
        queries = trial.collection.queries
        if not texts or not queries:
            return self.rates.assumed("rerank")
        chosen, rounds = trial.chosen, self.layout.settings.rounds
        each = self.rates.reranking(chosen, self.opened.models, queries[0].text, texts)
        pairs: float = min(chosen.rerank_depth or chosen.depth, max(count, 1))
        if chosen.rerank == "maxsim":
            asked = len(queries) * rounds
            pairs = min(pairs, max(count / asked, pairs / rounds))
        return Estimate(each.value * pairs, each.rests_on)


def _tapes(piece: Piece) -> list[str]:
    """Name the stage outputs that may show how long a search takes."""
    return [*([piece.timed.tape] if piece.timed else []), piece.tape]
