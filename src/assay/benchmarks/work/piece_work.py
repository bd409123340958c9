"""Do the searches of a piece: find its answers, on whatever machine, and take its times on one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.benchmarks.work.ask import Ask, Reply, ask_all
from assay.benchmarks.work.context import ExecutionContext, Manner
from assay.benchmarks.work.layout import Layout, Piece, Trial
from assay.benchmarks.work.route import Node, sampled
from assay.benchmarks.work.run_node import First, Inputs, asking_node
from assay.benchmarks.work.stage_outputs import TracingTape
from assay.benchmarks.work.studies import record_studies
from assay.benchmarks.work.tapes import Rows, by_query
from assay.benchmarks.work.whole_search import asking_whole, facts_of
from assay.benchmarks.work.worker import LedgerTape
from assay.records import Claim, Query
from assay.records.busy import kept_waiting
from assay.records.clock import Clock
from assay.searches.build import BuiltIndex
from assay.searches.built_search import BuiltSearch
from assay.searches.searcher import Searcher

__all__ = ["TIMED", "PieceWork"]

MEDIAN = 3  # asks from which on a first time that takes longer is not the median
TIMED = 200  # queries that are timed of what was found elsewhere
STUDYING = "computing receipts"  # of coherence, and its controls
DOING = {"embed": "embedding queries", "answer": "collecting results", "study": STUDYING}


@dataclass(frozen=True, eq=False)
class PieceWork:
    """The searches of one process for a layout."""

    layout: Layout
    context: ExecutionContext
    manner: Manner

    @property
    def is_timing(self) -> bool:
        """Whether the times of this machine are taken."""
        return self.layout.settings.timed and self.layout.plot.machine == self.context.machine

    def find(self, piece: Piece, claim: Claim) -> Mapping[str, Any]:
        """Ask every query once; where this machine's times are taken, that is timed, too."""
        return self._find_stage(piece, claim) if piece.node else self._find_whole(piece, claim)

    def time(self, piece: Piece, claim: Claim) -> Mapping[str, Any]:
        """Ask again for the times, until each query was asked often enough on this machine."""
        tape = LedgerTape(self.context.ledger, claim, timing=True)
        trial, node = piece.trial, piece.node
        if node and node.role == "whole":
            return self._time_whole(piece, tape, sampled(trial.collection.queries), {})
        found = {
            row.query: row.value
            for row in self.context.ledger.rows(piece.tape)
            if not row.round and not row.error
        }
        queries = _timed_queries(
            trial.collection.queries, found, {row.query for row in tape.rows()}
        )
        if node is None:
            return self._time_whole(piece, tape, queries, found)
        bound, inputs = self._bound(piece)
        return self._timed(piece, tape, self._asking(bound, piece, inputs), queries, found)

    def close_systems(self) -> None:
        """Close what is still open, as where another process took over its times."""
        if self.manner.hold:
            return
        trials = {trial.key: trial for trial in self.layout.trials}
        for key, notes in self.context.systems.close().items():
            unit = self.layout.piece(trials[key]).found if key in trials else None
            if unit:
                self.context.ledger.annotate(unit.key, notes)

    def _find_stage(self, piece: Piece, claim: Claim) -> Mapping[str, Any]:
        """Take all queries through one node."""
        node, inputs = self._bound(piece)
        ask_all(
            self._asking(node, piece, inputs),
            piece.trial.collection.queries,
            LedgerTape(self.context.ledger, claim, times=self._times(piece)),
            rounds=1,
            warm_up=self._warm_up(piece) if self._times(piece) else 0,
            failed=inputs.failed,
            gives_up=self.manner.gives_up,
            leaves_open=self.manner.hold,
            track=self.context.track,
            doing=self._doing(piece),
        )
        return self._where(claim)

    def _find_whole(self, piece: Piece, claim: Claim) -> Mapping[str, Any]:
        """Ask a whole search, and tell what it is."""
        trial, queries = piece.trial, piece.trial.collection.queries
        built = self._built(trial)
        times = self._times(piece) if built.timed else ""
        tape = LedgerTape(self.context.ledger, claim, times=times)
        traced = TracingTape(built, tape) if isinstance(built, BuiltIndex) and trial.build else None
        ask = asking_whole(built, self.context.clock, cpu=self._cpu(trial))
        began = self.context.clock()
        asked = ask_all(
            traced.asking(ask) if traced else ask,
            queries,
            traced or tape,
            rounds=1,
            warm_up=self._warm_up(piece) if times else 0,
            several=built.concurrency,
            gives_up=self.manner.gives_up,
            leaves_open=self.manner.hold,
            track=self.context.track,
            doing=f"running queries of {trial.chosen.name}",
        )
        seconds = (self.context.clock() - began) / 1e9
        if traced:
            traced.finish(queries)
        if self.layout.plot.aside:
            doing = f"{STUDYING} for {trial.chosen.name}"
            record_studies(built, queries, tape, track=self.context.track, doing=doing)
        whole = asked == len(queries)
        facts = facts_of(built, queries, self._rows(piece.tape, queries), whole=whole)
        facts |= {"seconds": seconds if whole else None, **self._where(claim)}
        left = () if self.is_timing and built.timed else self._close(trial)
        return facts | {"notes": [*facts["notes"], *left]}

    def _time_whole(
        self,
        piece: Piece,
        tape: LedgerTape,
        queries: Sequence[Query],
        found: Mapping[str, bytes | None],
    ) -> Mapping[str, Any]:
        """Ask whole searches for their times."""
        built = self._built(piece.trial)
        if not built.timed:
            return self._where(tape.claim) | {"notes": list(self._close(piece.trial))}
        ask = asking_whole(built, self.context.clock, cpu=self._cpu(piece.trial))
        facts = self._timed(piece, tape, ask, queries, found, several=built.concurrency)
        return {**facts, "notes": list(self._close(piece.trial))}

    def _timed(
        self,
        piece: Piece,
        tape: LedgerTape,
        ask: Ask,
        queries: Sequence[Query],
        found: Mapping[str, bytes | None],
        *,
        several: int = 1,
    ) -> Mapping[str, Any]:
        rounds = self.layout.settings.rounds
        earlier = any(True for _ in tape.rows())  # taken while it was found
        began = self.context.clock()
        asked = ask_all(
            ask,
            queries,
            tape,
            rounds=rounds,
            warm_up=0 if piece.tape in self.context.warm else self._warm_up(piece),
            several=several,
            gives_up=False,
            found=found,
            track=self.context.track,
            doing=self._doing(piece, again=True),
        )
        seconds = (self.context.clock() - began) / 1e9
        rows = self._rows(tape.claim.unit.tape, queries)
        every = [row.times for some in rows.values() for row in some if not row.error]
        where = self._where(tape.claim)
        together = where["together"] or (earlier and self._found_together(piece))
        busy = together or (several == 1 and kept_waiting(every))
        whole = asked >= (rounds - 1) * len(queries)
        return {**where, "together": together, "busy": busy, "seconds": seconds if whole else None}

    def _warm_up(self, piece: Piece) -> int:
        """Return how many queries are run beforehand, to warm up the search."""
        self.context.warm.add(piece.tape)
        return self.manner.warm_up

    def _found_together(self, piece: Piece) -> bool:
        """Tell whether others were at work while the first times were taken."""
        if piece.found is None:
            return False
        states = self.context.ledger.states(self.context.benchmark)
        facts = states[piece.found.key].facts
        return bool(facts.get("together")) and facts.get("machine") == self.context.machine

    def _where(self, claim: Claim) -> dict[str, Any]:
        """Tell on which machine something was done, and whether others were at work there.

        They may have been when it began, or are when it ends.
        """
        context = self.context
        others = claim.others or context.ledger.count_beside(context.worker.name)
        return {"machine": context.machine, "together": context.together or bool(others)}

    def _asking(self, node: Node, piece: Piece, inputs: Inputs) -> Ask:
        searcher = self._searcher(piece)
        ask = asking_node(node, searcher, inputs, clock=self.context.clock, cpu=self.context.cpu)
        few = self.layout.settings.rounds < MEDIAN and self._times(piece)
        return _twice(ask) if node.name == "rerank" and few else ask

    def _bound(self, piece: Piece) -> tuple[Node, Inputs]:
        """Return the node of a piece with its real stages, and what comes into them."""
        node = piece.node
        if node is None:
            raise ValueError("a whole search has no node")
        vector = self._first(node.vector.key) if node.vector else None
        inputs = Inputs([self._first(one.key) for one in node.parents], vector)
        return node.bound(self._searcher(piece).pipeline), inputs

    def _searcher(self, piece: Piece) -> Searcher:
        chosen = piece.trial.chosen
        if piece.node and piece.node.role == "embed":
            return self.context.opened.shape(chosen)
        return self.context.opened.searcher(piece.trial.build, chosen)

    def _first(self, tape: str) -> First:
        """Read what a stage found when it was asked first."""
        rows = self.context.ledger.rows(tape)
        return {row.query: row for row in rows if not row.round}

    def _rows(self, tape: str, queries: Sequence[Query]) -> Rows:
        return by_query(self.context.ledger.rows(tape), queries)

    def _times(self, piece: Piece) -> str:
        """Name where times are recorded, if they are measured while results are found."""
        return piece.timed.tape if piece.timed and self.is_timing else ""

    def _cpu(self, trial: Trial) -> Clock | None:
        """Return the clock of what this process works: of a search elsewhere that says nothing."""
        return self.context.cpu if trial.build else None

    def _built(self, trial: Trial) -> BuiltSearch:
        """Open a search: over an index that is there, or made for as long as it is asked."""
        if not trial.build:
            return self.context.systems.open(trial.key, trial.collection, trial.chosen)
        opened = self.context.opened
        facts = self.context.ledger.states(self.context.benchmark)[trial.build].facts
        return BuiltIndex(
            searcher=opened.searcher(trial.build, trial.chosen),
            figured=facts["indexing"],
            sizes=lambda: facts["storage"],
            settings=opened.settings(trial.chosen),
            top_k=trial.chosen.top_k,
        )

    def _close(self, trial: Trial) -> list[str]:
        """Close a system that is not asked any more, and return what it complained of."""
        if trial.build or self.manner.hold:
            return []
        return self.context.systems.close([trial.key]).get(trial.key, [])

    def _doing(self, piece: Piece, *, again: bool = False) -> str:
        node = piece.node
        if node is None:
            doing = "timing queries of" if again else "running queries of"
            return f"{doing} {piece.trial.chosen.name}"
        nodes = [one.tape for one in self.layout.nodes]
        users = [
            trial.chosen.name
            for trial in self.layout.trials
            if trial.route and any(one.key == node.key for one in trial.route.all)
        ]
        named = users[0] if len(users) == 1 else f"{len(users)} runs"
        doing = "whole searches" if node.role == "whole" else DOING.get(node.role, node.name)
        timing = "timing: " if again and node.role != "whole" else ""
        return f"{nodes.index(node.key) + 1}/{len(nodes)} {timing}{doing} ({named})"


def _twice(ask: Ask) -> Ask:
    """Ask before it is timed: a reranker remembers what its model made of a text."""

    def again(query: Query) -> Reply:
        ask(query)
        return ask(query)

    return again


def _timed_queries(
    queries: Sequence[Query], found: Mapping[str, object], timed: set[str]
) -> list[Query]:
    """Choose the queries to time: those that were timed when they were found, ...

    ... and of those that were found elsewhere as many as make it enough, all over the dataset.
    """
    answered = [query for query in queries if query.fingerprint in found]
    known = [query for query in answered if query.fingerprint in timed]
    others = [query for query in answered if query.fingerprint not in timed]
    wanted = max(0, TIMED - len(known))
    step = max(1, len(others) / wanted) if wanted else 1
    chosen = {others[int(at * step)].fingerprint for at in range(min(wanted, len(others)))}
    chosen |= {query.fingerprint for query in known}
    return [query for query in answered if query.fingerprint in chosen]
