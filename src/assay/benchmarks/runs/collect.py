"""What is on the tapes of a run -> its answers, its times, and what is known of it besides."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from assay.benchmarks.runs.measure import SHOWN, Measured, Rows, by_query, gathered, loaded
from assay.benchmarks.runs.several_collections import joined_done, joined_measured, joined_studies
from assay.benchmarks.runs.sum_up import Done
from assay.benchmarks.runs.survivors import Kept, Outputs, joined_kept, kept_of
from assay.benchmarks.runs.sweep import Sweep
from assay.benchmarks.work.ask import STUDIED
from assay.benchmarks.work.execute import Execution, Trial
from assay.benchmarks.work.stage_outputs import (
    outputs_of_tapes,
    outputs_of_traces,
    stage_names,
)
from assay.benchmarks.work.studies import Studies, read_studies
from assay.benchmarks.work.tapes import unpack_vector
from assay.errors import InputError
from assay.records import Asked, Ints, Judgments, UnitState
from assay.searches.build import missed
from assay.searches.built_search import Checked
from assay.searches.parts import fingerprint_of

__all__ = ["Gathered", "gather"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that is known of a run, over all datasets; ``kept`` where its stages are known."""

    done: Done
    measured: Measured
    studies: Studies = field(default_factory=Studies)
    kept: Kept | None = None


def gather(
    execution: Execution, run: str, *, number: int = 0, judgments: Judgments | None = None
) -> Gathered:
    """Read the tapes of a run, as it was built for the nth time.

    Of the documents of ``judgments`` it is told which survive each stage.
    """
    states = execution.ledger.states(execution.benchmark)
    trials = [trial for trial in execution.of(run) if trial.number == number]
    each = [_one(execution, trial, states, judgments) for trial in trials]
    processes = execution.settings.parallel
    if len(each) == 1:
        return replace(each[0], measured=replace(each[0].measured, processes=processes))
    sites = [trial.site for trial in trials]
    return Gathered(
        joined_done(sites, [one.done for one in each]),
        replace(joined_measured(sites, [one.measured for one in each]), processes=processes),
        joined_studies(sites, [one.studies for one in each]),
        joined_kept([one.kept for one in each]),
    )


def _one(
    execution: Execution,
    trial: Trial,
    states: Mapping[str, UnitState],
    judgments: Judgments | None,
) -> Gathered:
    if error := _failure(trial, states):
        why = error.replace("\n  hint: ", "; ")
        failed = dict.fromkeys((query.key for query in trial.site.queries), why)
        return Gathered(Done(error=error), Measured({}, np.empty(0), {}, failed))
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
) -> Gathered:
    """Read a search that was asked as a whole."""
    rows = [*execution.ledger.rows(trial.search)]
    asked = by_query(row for row in rows if row.round < execution.settings.asks)
    timed = facts["timed"] and execution.settings.timed
    measured = gathered(trial.site.queries, [asked], timed=timed)
    done = Done(
        fingerprint=facts["fingerprint"],
        indexing=facts["indexing"],
        storage=facts["storage"],
        notes=tuple(facts["notes"]),
        checked=Checked(frozenset(facts["unknown"]), facts["failure"]),
    )
    studies = read_studies(row for row in rows if row.round == STUDIED)
    chunks: dict[str, Ints] = {}
    kept = _kept(execution, trial, judgments, _last(outputs_of_traces(rows), trial, chunks))
    measured = replace(measured, symbols=_symbols(execution, trial, chunks))
    return Gathered(done, loaded(measured, facts["concurrency"], facts["seconds"]), studies, kept)


def _replayed(
    execution: Execution,
    trial: Trial,
    states: Mapping[str, UnitState],
    judgments: Judgments | None,
) -> Gathered:
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
    return Gathered(done, measured, kept=kept)


def _sweep(execution: Execution, trial: Trial) -> Sweep:
    """Read what was retrieved, once for all runs that are swept together."""
    if trial.swept not in execution.sweeps and trial.route and execution.opened:
        leader = execution.leaders[trial.swept]
        nodes = trial.route.nodes
        vector = next((node for node in nodes if node.role == "embed"), None)
        execution.sweeps[trial.swept] = Sweep.of(
            execution.opened.searcher(leader.build, leader.chosen),
            trial.site.queries,
            [execution.first(node.key) for node in nodes if node is not vector],
            vector=execution.first(vector.key) if vector else None,
            depth=leader.chosen.depth,
        )
    return execution.sweeps[trial.swept]


def _staged(
    execution: Execution,
    trial: Trial,
    states: Mapping[str, UnitState],
    judgments: Judgments | None,
) -> Gathered:
    """Put the stages of a search together."""
    if trial.route is None or execution.opened is None:
        raise InputError("its stages are not known", where=trial.chosen.name)
    asks, read = execution.settings.asks, execution.ledger.rows
    used = [*trial.route.nodes, *([trial.route.whole] if trial.route.whole else [])]
    rows = {node.key: by_query(row for row in read(node.key) if row.round < asks) for node in used}
    measured = gathered(
        trial.site.queries,
        [rows[node.key] for node in trial.route.nodes],
        timed=execution.settings.timed,
        whole=rows[trial.route.whole.key] if trial.route.whole else None,
    )
    study = trial.route.study
    studies = read_studies(execution.ledger.rows(study.key)) if study else Studies()
    done = _done(execution, trial, states[trial.build].facts, rows)
    last: dict[str, Ints] = {}
    outputs = outputs_of_tapes(trial.route, rows, trial.site.queries, measured.failed)
    kept = _kept(execution, trial, judgments, _last(outputs, trial, last))
    vectors, searcher = _vectors(trial, rows), execution.opened.searcher(trial.build, trial.chosen)
    asked = {one.key: Asked(one.text, vectors.get(one.text)) for one in trial.site.queries}
    chunks = {key: searcher.best_chunks(asked[key], found) for key, found in last.items()}
    return Gathered(done, replace(measured, symbols=searcher.symbols(chunks)), studies, kept)


def _last(outputs: Outputs, trial: Trial, last: dict[str, Ints]) -> Outputs:
    """Remember of the last list of each query that passes what a report shows."""
    shown = min(SHOWN, trial.chosen.top_k)
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
) -> Kept | None:
    """Tell what survives each stage of an index of ours."""
    if judgments is None or execution.opened is None or not trial.build:
        return None
    searcher = execution.opened.searcher(trial.build, trial.chosen)
    return kept_of(judgments, trial.site, searcher, stage_names(searcher.pipeline), outputs)


def _done(
    execution: Execution, trial: Trial, facts: Mapping[str, Any], rows: Mapping[str, Rows]
) -> Done:
    if execution.opened is None:
        raise InputError("its index is not open", where=trial.chosen.name)
    searcher = execution.opened.searcher(trial.build, trial.chosen)
    settings = execution.opened.settings(trial.chosen)
    recall = searcher.recall(_vectors(trial, rows))
    recalled = {"dense_recall": asdict(recall)} if recall else {}
    return Done(
        fingerprint=fingerprint_of(settings, searcher.content, searcher.fingerprint),
        indexing={**facts["indexing"], **recalled},
        storage=facts["storage"],
        notes=(*searcher.notes, *missed(recall)),
    )


def _vectors(trial: Trial, rows: Mapping[str, Rows]) -> dict[str, Any]:
    """Return the vectors of the queries, each once, by their texts."""
    nodes = trial.route.nodes if trial.route else ()
    tape = next((rows.get(node.key, {}) for node in nodes if node.role == "embed"), {})
    return {
        query.text: unpack_vector(value)
        for query in trial.site.queries
        if query.key in tape and (value := tape[query.key][0].value) is not None
    }
