"""What is on the tapes of a run -> its answers, its times, and what is known of it besides."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from assay.benchmarks.runs.measure import Measurements, RunFacts, measurements_of, under_load
from assay.benchmarks.runs.several_collections import joined_done, joined_measured, joined_studies
from assay.benchmarks.runs.survivors import Survivors, join_survivors, survivors_of
from assay.benchmarks.runs.sweep import RetrievedLists
from assay.benchmarks.work.ask import STUDIED
from assay.benchmarks.work.execute import Execution, Trial
from assay.benchmarks.work.stage_outputs import (
    Outputs,
    outputs_of_tapes,
    outputs_of_traces,
    stage_names,
)
from assay.benchmarks.work.studies import Studies, read_studies
from assay.benchmarks.work.tapes import Rows, by_query, unpack_vector
from assay.errors import InputError
from assay.records import Ints, Judgments, SearchInput, UnitState
from assay.records.fingerprint import fingerprint_of
from assay.records.report import RESULTS_KEPT
from assay.searches.build import recall_note
from assay.searches.built_search import AnswerCheck

__all__ = ["RunOutputs", "collect"]


@dataclass(frozen=True, slots=True)
class RunOutputs:
    """All that is known of a run, over all datasets; ``kept`` where its stages are known."""

    done: RunFacts
    measured: Measurements
    studies: Studies = field(default_factory=Studies)
    kept: Survivors | None = None


def collect(
    execution: Execution, run: str, *, number: int = 0, judgments: Judgments | None = None
) -> RunOutputs:
    """Read the tapes of a run, as it was built for the nth time.

    Of the documents of ``judgments`` it is told which survive each stage.
    """
    states = execution.ledger.states(execution.benchmark)
    trials = [trial for trial in execution.of(run) if trial.number == number]
    each = [_one(execution, trial, states, judgments) for trial in trials]
    processes = execution.settings.parallel
    if len(each) == 1:
        return replace(each[0], measured=replace(each[0].measured, processes=processes))
    collections = [trial.collection for trial in trials]
    return RunOutputs(
        joined_done(collections, [one.done for one in each]),
        replace(joined_measured(collections, [one.measured for one in each]), processes=processes),
        joined_studies(collections, [one.studies for one in each]),
        join_survivors([one.kept for one in each]),
    )


def _one(
    execution: Execution,
    trial: Trial,
    states: Mapping[str, UnitState],
    judgments: Judgments | None,
) -> RunOutputs:
    if error := _failure(trial, states):
        why = error.replace("\n  hint: ", "; ")
        failed = dict.fromkeys((query.key for query in trial.collection.queries), why)
        return RunOutputs(RunFacts(error=error), Measurements({}, np.empty(0), {}, failed))
    if trial.swept:
        return _replayed(execution, trial, states, judgments)
    if trial.search:
        return _whole(execution, trial, states[trial.search].facts, judgments)
    return _staged(execution, trial, states, judgments)


def _failure(trial: Trial, states: Mapping[str, UnitState]) -> str:
    """Say what could not be done at all."""
    found = [states.get(key) for key in trial.keys]
    told = next((one.error for one in found if one and one.state == "failed"), "")
    done = all(one and one.state == "completed" for one in found)
    over = done and (trial.search or trial.route)
    return told or ("" if over else "it was not finished")


def _whole(
    execution: Execution, trial: Trial, facts: Mapping[str, Any], judgments: Judgments | None
) -> RunOutputs:
    """Read a search that was asked as a whole."""
    rows = [*execution.ledger.rows(trial.search)]
    asked = by_query(row for row in rows if row.round < execution.settings.asks)
    timed = facts["timed"] and execution.settings.timed
    measured = measurements_of(trial.collection.queries, [asked], timed=timed)
    done = RunFacts(
        fingerprint=facts["fingerprint"],
        indexing=facts["indexing"],
        storage=facts["storage"],
        notes=tuple(facts["notes"]),
        checked=AnswerCheck(frozenset(facts["unknown"]), facts["failure"]),
    )
    studies = read_studies(row for row in rows if row.round == STUDIED)
    chunks: dict[str, Ints] = {}
    kept = _kept(execution, trial, judgments, _last(outputs_of_traces(rows), trial, chunks))
    measured = replace(measured, symbols=_symbols(execution, trial, chunks))
    return RunOutputs(
        done, under_load(measured, facts["concurrency"], facts["seconds"]), studies, kept
    )


def _replayed(
    execution: Execution,
    trial: Trial,
    states: Mapping[str, UnitState],
    judgments: Judgments | None,
) -> RunOutputs:
    """Replay what a run would answer from what was retrieved for all that are swept with it."""
    if trial.route is None or execution.opened is None:
        raise InputError("its stages are not known", where=trial.chosen.name)
    searcher = execution.opened.searcher(trial.build, trial.chosen)
    sweep = _sweep(execution, trial)
    measured = sweep.measured(searcher, trial.chosen)
    rows = {
        node.key: by_query(execution.ledger.rows(node.key))
        for node in trial.route.nodes
        if node.role == "embed" and searcher.stages.approximate
    }
    done = _done(execution, trial, states[trial.build].facts, rows)
    kept = _kept(execution, trial, judgments, sweep.outputs(searcher, trial.chosen))
    return RunOutputs(done, measured, kept=kept)


def _sweep(execution: Execution, trial: Trial) -> RetrievedLists:
    """Read what was retrieved, once for all runs that are swept together."""
    if trial.swept not in execution.sweeps and trial.route and execution.opened:
        leader = execution.leaders[trial.swept]
        nodes = trial.route.nodes
        vector = next((node for node in nodes if node.role == "embed"), None)
        execution.sweeps[trial.swept] = RetrievedLists.of(
            execution.opened.searcher(leader.build, leader.chosen),
            trial.collection.queries,
            [execution.first(node.key) for node in nodes if node is not vector],
            vector=execution.first(vector.key) if vector else None,
            depth=leader.chosen.depth,
        )
    sweep: RetrievedLists = execution.sweeps[trial.swept]
    return sweep


def _staged(
    execution: Execution,
    trial: Trial,
    states: Mapping[str, UnitState],
    judgments: Judgments | None,
) -> RunOutputs:
    """Put the stages of a search together."""
    if trial.route is None or execution.opened is None:
        raise InputError("its stages are not known", where=trial.chosen.name)
    asks, read = execution.settings.asks, execution.ledger.rows
    used = [*trial.route.nodes, *([trial.route.whole] if trial.route.whole else [])]
    rows = {node.key: by_query(row for row in read(node.key) if row.round < asks) for node in used}
    measured = measurements_of(
        trial.collection.queries,
        [rows[node.key] for node in trial.route.nodes],
        timed=execution.settings.timed,
        whole=rows[trial.route.whole.key] if trial.route.whole else None,
    )
    study = trial.route.study
    studies = read_studies(execution.ledger.rows(study.key)) if study else Studies()
    done = _done(execution, trial, states[trial.build].facts, rows)
    last: dict[str, Ints] = {}
    outputs = outputs_of_tapes(trial.route, rows, trial.collection.queries, measured.failed)
    kept = _kept(execution, trial, judgments, _last(outputs, trial, last))
    vectors, searcher = _vectors(trial, rows), execution.opened.searcher(trial.build, trial.chosen)
    asked = {
        one.key: SearchInput(one.text, vectors.get(one.text)) for one in trial.collection.queries
    }
    chunks = {key: searcher.best_chunks(asked[key], found) for key, found in last.items()}
    return RunOutputs(done, replace(measured, symbols=searcher.symbols(chunks)), studies, kept)


def _last(outputs: Outputs, trial: Trial, last: dict[str, Ints]) -> Outputs:
    """Remember of the last list of each query that passes what a report shows."""
    shown = min(RESULTS_KEPT, trial.chosen.top_k)
    for key, lists in outputs:
        last[key] = lists[-1][:shown]
        yield key, lists


def _symbols(
    execution: Execution, trial: Trial, chunks: Mapping[str, Ints]
) -> dict[str, list[tuple[str, ...]]]:
    if execution.opened is None or not trial.build:
        return {}
    return execution.opened.searcher(trial.build, trial.chosen).symbols(chunks)


def _kept(
    execution: Execution, trial: Trial, judgments: Judgments | None, outputs: Outputs
) -> Survivors | None:
    """Tell what survives each stage of an index of ours."""
    if judgments is None or execution.opened is None or not trial.build:
        return None
    searcher = execution.opened.searcher(trial.build, trial.chosen)
    return survivors_of(
        judgments, trial.collection, searcher, stage_names(searcher.pipeline), outputs
    )


def _done(
    execution: Execution, trial: Trial, facts: Mapping[str, Any], rows: Mapping[str, Rows]
) -> RunFacts:
    if execution.opened is None:
        raise InputError("its index is not open", where=trial.chosen.name)
    searcher = execution.opened.searcher(trial.build, trial.chosen)
    settings = execution.opened.settings(trial.chosen)
    recall = searcher.recall(_vectors(trial, rows))
    recalled = {"dense_recall": asdict(recall)} if recall else {}
    return RunFacts(
        fingerprint=fingerprint_of(settings, searcher.content, searcher.fingerprint),
        indexing={**facts["indexing"], **recalled},
        storage=facts["storage"],
        notes=(*searcher.notes, *recall_note(recall)),
    )


def _vectors(trial: Trial, rows: Mapping[str, Rows]) -> dict[str, Any]:
    """Return the vectors of the queries, each once, by their texts."""
    nodes = trial.route.nodes if trial.route else ()
    tape = next((rows.get(node.key, {}) for node in nodes if node.role == "embed"), {})
    return {
        query.text: unpack_vector(value)
        for query in trial.collection.queries
        if query.key in tape and (value := tape[query.key][0].value) is not None
    }
