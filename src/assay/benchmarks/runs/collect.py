"""The stage outputs of a run -> its results, its times, and what else is known of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.collections.unit_truth import ChunkTable, ChunkTables, in_units
from assay.benchmarks.runs.measure import (
    Measurements,
    Recorded,
    RunFacts,
    measurements_of,
    under_load,
)
from assay.benchmarks.runs.several_collections import joined_done, joined_measured, joined_studies
from assay.benchmarks.runs.survivors import Survivors, join_survivors, survivors_of
from assay.benchmarks.runs.sweep import RetrievedLists
from assay.benchmarks.work.ask import STUDIED
from assay.benchmarks.work.context import ExecutionContext
from assay.benchmarks.work.layout import Layout, Piece, Trial
from assay.benchmarks.work.route import Node
from assay.benchmarks.work.run_node import First
from assay.benchmarks.work.stage_outputs import (
    Outputs,
    outputs_of_tapes,
    outputs_of_traces,
    stage_names,
)
from assay.benchmarks.work.studies import Studies, read_studies
from assay.benchmarks.work.tapes import Rows, by_query, unpack_answer, unpack_vector
from assay.benchmarks.work.whole_search import seconds_of
from assay.records import Ints, Judgments, SearchInput, UnitState
from assay.records.chunk import chunk_span
from assay.records.fingerprint import fingerprint_of
from assay.records.model import Vectors
from assay.records.report import RESULTS_KEPT
from assay.searches.build import recall_note
from assay.searches.built_search import AnswerCheck
from assay.searches.searcher import Searcher

__all__ = ["ResultReader", "RunOutputs"]


@dataclass(frozen=True, slots=True)
class RunOutputs:
    """All that is known of a run, over all datasets; ``kept`` where its stages are known."""

    done: RunFacts
    measured: Measurements
    studies: Studies = field(default_factory=Studies)
    kept: Survivors | None = None


@dataclass(frozen=True, eq=False)
class ResultReader:
    """Reads what was recorded for a layout; nothing is searched, and nobody is waited for."""

    layout: Layout
    context: ExecutionContext
    _sweeps: dict[tuple[object, ...], RetrievedLists] = field(default_factory=dict, init=False)

    @cached_property
    def states(self) -> Mapping[str, UnitState]:
        """How far all units were when they were first asked for."""
        return self.context.ledger.states(self.context.benchmark)

    def collect(
        self, run: str, *, number: int = 0, judgments: Judgments | None = None
    ) -> RunOutputs:
        """Read the stage outputs of a run, as it was built for the nth time.

        For the documents of ``judgments`` it notes which survive each stage.
        """
        trials = [trial for trial in self.layout.of(run) if trial.number == number]
        each = [self._one(trial, judgments) for trial in trials]
        if len(each) == 1:
            return each[0]
        collections = [trial.collection for trial in trials]
        return RunOutputs(
            joined_done(collections, [one.done for one in each]),
            joined_measured(collections, [one.measured for one in each]),
            joined_studies(collections, [one.studies for one in each]),
            join_survivors([one.kept for one in each]),
        )

    def in_units(self, collections: OpenCollections, runs: Collection[str]) -> OpenCollections:
        """Return the collections with judgments of the units that some runs return."""
        if collections.unit == "document":
            return collections
        tables = self.chunk_tables(runs) if collections.unit == "chunk" else {}
        return in_units(collections, tables)

    def chunk_tables(self, runs: Collection[str]) -> ChunkTables:
        """List the chunks that some runs searched, by collection and by what was searched."""
        wanted = [one for one in self.layout.trials if one.chosen.name in runs and not one.number]
        return {
            (trial.collection.name, trial.build or trial.collection.asked + trial.search): (
                self._chunk_table(trial)
            )
            for trial in wanted
            if not self._failure(trial)
        }

    def _chunk_table(self, trial: Trial) -> ChunkTable:
        """List the chunks that were searched; of a store those that it returned."""
        if trial.build:
            return _indexed_chunks(self._searcher(trial))
        rows = self._rows(self.layout.piece(trial).tape, trial, rounds=1)
        values = (some[0].value for some in rows.values())
        found = (unpack_answer(value)[0] for value in values if value is not None)
        return _returned_chunks(found)

    def query_vectors(self) -> dict[str, Vectors]:
        """Return the vector of each query by the model of the first run that embeds them all.

        Nothing where no run does, as where searches are run as a whole: their vectors are not
        recorded.
        """
        queries = sum(len(collection.queries) for collection in self.layout.collections)
        for chosen in self.layout.runs:
            found: dict[str, Vectors] = {}
            for trial in self.layout.of(chosen.name):
                if trial.number or trial.search:
                    continue
                vectors = self._vectors(trial)
                found |= {trial.collection.key(key): one for key, one in vectors.items()}
            if len(found) == queries and len({len(one) for one in found.values()}) == 1:
                return found
        return {}

    def _one(self, trial: Trial, judgments: Judgments | None) -> RunOutputs:
        if error := self._failure(trial):
            why = error.replace("\n  hint: ", "; ")
            failed = dict.fromkeys((query.key for query in trial.collection.queries), why)
            return RunOutputs(RunFacts(error=error), Measurements({}, np.empty(0), {}, failed))
        if trial.swept:
            return self._replayed(trial, judgments)
        if trial.search:
            return self._whole(trial, judgments)
        return self._staged(trial, judgments)

    def _failure(self, trial: Trial) -> str:
        """Say what could not be done at all."""
        found = [self.states.get(key) for key in self.layout.units_of(trial)]
        told = next((one.error for one in found if one and one.state == "failed"), "")
        done = all(one and one.state == "completed" for one in found)
        return told or ("" if done and found else "the run did not finish")

    def _whole(self, trial: Trial, judgments: Judgments | None) -> RunOutputs:
        """Read a search that was asked as a whole."""
        piece = self.layout.piece(trial)
        facts, recorded = self._facts(piece), self._recorded(piece)
        rows = self._rows(piece.tape, trial)
        timed = replace(recorded, times=recorded.times if facts["timed"] else {})
        measured = self._with_load(measurements_of(trial.collection.queries, [timed]), [piece])
        timing = self._facts(piece, timed=True)
        filled = facts["indexing"] and not trial.build  # a store: nothing else tells how that was
        busy = {"busy": True} if filled and facts.get("together") else {}
        done = RunFacts(
            fingerprint=facts["fingerprint"],
            indexing=self._indexing(facts["indexing"]) | busy,
            storage=facts["storage"],
            notes=(*facts["notes"], *timing.get("notes", ())),
            checked=AnswerCheck(frozenset(facts["unknown"]), facts["failure"]),
        )
        studies = read_studies(
            {
                key: [row for row in some if row.round == STUDIED]
                for key, some in rows.items()
                if any(row.round == STUDIED for row in some)
            }
        )
        chunks: dict[str, Ints] = {}
        kept = self._kept(trial, judgments, _last(outputs_of_traces(rows), trial, chunks))
        symbols = self._searcher(trial).symbols(chunks) if trial.build else {}
        if trial.build:
            studies = studies.renamed(self._searcher(trial).stages.in_units)
        parts = [facts.get("seconds"), timing.get("seconds")]
        known = [float(part) for part in parts if part is not None]
        whole = len(known) == len(parts) and not recorded.elsewhere
        took = sum(known) if whole else seconds_of(recorded.times, facts["concurrency"])
        measured = under_load(replace(measured, symbols=symbols), facts["concurrency"], took)
        return RunOutputs(done, measured, studies, kept)

    def _replayed(self, trial: Trial, judgments: Judgments | None) -> RunOutputs:
        """Replay what a run would answer from what was retrieved for all that are swept with it."""
        searcher, sweep = self._searcher(trial), self._sweep(trial)
        measured = sweep.measured(searcher, trial.chosen)
        vectors = self._vectors(trial) if searcher.stages.approximate else {}
        done = self._done(trial, vectors)
        kept = self._kept(trial, judgments, sweep.outputs(searcher, trial.chosen))
        return RunOutputs(done, measured, kept=kept)

    def _sweep(self, trial: Trial) -> RetrievedLists:
        """Read what was retrieved, once for all runs that are swept together."""
        if trial.swept not in self._sweeps:
            leader = self.layout.leaders[trial.swept]
            nodes = trial.route.nodes if trial.route else ()
            vector = next((node for node in nodes if node.role == "embed"), None)
            self._sweeps[trial.swept] = RetrievedLists.of(
                self._searcher(leader),
                trial.collection.queries,
                [self._first(node) for node in nodes if node is not vector],
                vector=self._first(vector) if vector else None,
                depth=leader.chosen.depth,
            )
        return self._sweeps[trial.swept]

    def _staged(self, trial: Trial, judgments: Judgments | None) -> RunOutputs:
        """Put the stages of a search together."""
        searcher, queries = self._searcher(trial), trial.collection.queries
        route = trial.route.bound(searcher.pipeline) if trial.route else None
        if route is None:
            raise ValueError(f"{trial.chosen.name} was not laid out")
        pieces = [self.layout.piece(trial, node) for node in route.nodes]
        stages = [self._recorded(piece) for piece in pieces]
        timing = self.layout.piece(trial, route.whole).timed if route.whole else None
        whole = self._rows(timing.tape, trial) if timing else None
        measured = self._with_load(measurements_of(queries, stages, whole=whole), pieces)
        studies = read_studies(self._rows(route.study.key, trial)) if route.study else Studies()
        studies = studies.renamed(searcher.stages.in_units)
        vectors = self._vectors(trial)
        done = self._done(trial, vectors)
        last: dict[str, Ints] = {}
        rows = {node.key: one.found for node, one in zip(route.nodes, stages, strict=True)}
        outputs = outputs_of_tapes(route, rows, queries, measured.failed)
        kept = self._kept(trial, judgments, _last(outputs, trial, last))
        asked = {one.key: SearchInput(one.text, vectors.get(one.key)) for one in queries}
        chunks = {key: searcher.best_chunks(asked[key], found) for key, found in last.items()}
        return RunOutputs(done, replace(measured, symbols=searcher.symbols(chunks)), studies, kept)

    def _with_load(self, measured: Measurements, pieces: Sequence[Piece]) -> Measurements:
        """Tell whether further processes worked while the times were taken."""
        together = any(self._facts(piece, timed=True).get("together") for piece in pieces)
        return replace(measured, together=together)

    def _recorded(self, piece: Piece) -> Recorded:
        """Read what a piece found, and its times on the machine whose times are taken."""
        trial = piece.trial
        found = self._rows(piece.tape, trial, rounds=1)
        if piece.timed is None:
            return Recorded(found)
        times = self._rows(piece.timed.tape, trial, rounds=self.layout.settings.rounds)
        elsewhere = self._facts(piece).get("machine") != self.layout.plot.machine
        return Recorded(found, times, elsewhere)

    def _facts(self, piece: Piece, *, timed: bool = False) -> Mapping[str, Any]:
        unit = piece.timed if timed else piece.found
        state = self.states.get(unit.key) if unit else None
        return state.facts if state else {}

    def _rows(self, tape: str, trial: Trial, *, rounds: int = 1 << 31) -> Rows:
        rows = (row for row in self.context.ledger.rows(tape) if row.round < rounds)
        return by_query(rows, trial.collection.queries)

    def _first(self, node: Node) -> First:
        return {row.query: row for row in self.context.ledger.rows(node.key) if not row.round}

    def _searcher(self, trial: Trial) -> Searcher:
        return self.context.opened.searcher(trial.build, trial.chosen)

    def _kept(
        self, trial: Trial, judgments: Judgments | None, outputs: Outputs
    ) -> Survivors | None:
        """Tell what survives each stage of an index of ours."""
        if judgments is None or not trial.build:
            return None
        searcher = self._searcher(trial)
        return survivors_of(
            judgments, trial.collection, searcher, stage_names(searcher.pipeline), outputs
        )

    def _done(self, trial: Trial, vectors: Mapping[str, Vectors]) -> RunFacts:
        searcher, facts = self._searcher(trial), self.states[trial.build].facts
        settings = self.context.opened.settings(trial.chosen)
        texts = {query.key: query.text for query in trial.collection.queries}
        recall = searcher.recall({texts[key]: vector for key, vector in vectors.items()})
        return RunFacts(
            fingerprint=fingerprint_of(settings, searcher.content, searcher.fingerprint),
            indexing={**self._indexing(facts["indexing"]), **searcher.dense_facts(recall)},
            storage=facts["storage"],
            notes=(*searcher.notes, *recall_note(recall)),
        )

    def _indexing(self, built: Mapping[str, Any]) -> dict[str, Any]:
        """Tell what building took, and whether that was on another machine than the searches."""
        where = built.get("machine")
        here = self.layout.plot.machine or where
        return {**built, **({"elsewhere": True} if where and where != here else {})}

    def _vectors(self, trial: Trial) -> dict[str, Vectors]:
        """Return the vectors of the queries, by their keys."""
        nodes = trial.route.nodes if trial.route else ()
        node = next((one for one in nodes if one.role == "embed"), None)
        tape = self._rows(node.key, trial, rounds=1) if node else {}
        return {
            key: unpack_vector(some[0].value)
            for key, some in tape.items()
            if some[0].value is not None
        }


def _indexed_chunks(searcher: Searcher) -> ChunkTable:
    """List all chunks of an index, by document."""
    units = searcher.stages.units
    codes = {name: at for at, name in enumerate(searcher.snapshot.documents)}

    def chunks(document: str) -> Iterator[tuple[str, int, int]]:
        for name in units.of_document(codes[document]) if document in codes else ():
            yield name, *chunk_span(name)[1:]

    return ChunkTable(chunks)


def _returned_chunks(answers: Iterable[Sequence[str]]) -> ChunkTable:
    """List the chunks of some answers, by document."""
    known: dict[str, list[tuple[str, int, int]]] = {}
    for name in dict.fromkeys(name for answer in answers for name in answer):
        document, start, end = chunk_span(name)
        known.setdefault(document, []).append((name, start, end))
    return ChunkTable(lambda document: known.get(document, ()), whole=False)


def _last(outputs: Outputs, trial: Trial, last: dict[str, Ints]) -> Outputs:
    """Remember of the last list of each query that passes what a report shows."""
    shown = min(RESULTS_KEPT, trial.chosen.top_k)
    for key, lists in outputs:
        last[key] = lists[-1][:shown]
        yield key, lists
