"""Gate: an earlier and a current report, and a list of checks -> the result of each check."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.benchmarks.gates.cost_evidence import cost_evidence
from assay.benchmarks.gates.figures import find_figure
from assay.benchmarks.gates.notes import gate_notes
from assay.benchmarks.gates.presets import PRESETS, GateChecks, Preset
from assay.benchmarks.gates.score_evidence import score_evidence
from assay.benchmarks.gates.structure_evidence import has_figure, structure_evidence
from assay.benchmarks.gates.trial import GateTrial
from assay.benchmarks.since.costs import changed_environment, times_are_comparable
from assay.benchmarks.since.match import (
    ReportSide,
    RunPairs,
    find_run,
    match_runs,
    refuse_units,
    shared_queries,
)
from assay.errors import InputError
from assay.records import Run
from assay.records.gate import Check, CheckResult, Gate
from assay.statistics.holm import holm
from assay.verdicts.gate import CheckEvidence, check_gate

__all__ = ["GateRules", "run_gate"]


MISSING = "the current report has no such run"


@dataclass(frozen=True, slots=True)
class GateRules:
    """How a gate decides: ``bare`` compares values only, ``strict_env`` compares times anywhere."""

    bare: bool = False
    strict_env: bool = False
    seed: int = 0


def run_gate(
    baseline: ReportSide | None,
    current: ReportSide,
    checks: GateChecks,
    *,
    rules: GateRules | None = None,
    about_baseline: Mapping[str, Any] | None = None,
) -> Gate:
    """Check every run of the current report that the baseline has, too.

    p values are corrected (Holm) over all checks and runs. Without a baseline only limits can be
    checked.
    """
    rules = rules or GateRules()
    if baseline is not None:
        refuse_units(baseline, current)
    matched = _matched(baseline, current)
    changed = {} if baseline is None else changed_environment(baseline.report, current.report)
    about: dict[str, Any] = {
        "current": current,
        "baseline": baseline,
        "comparable": times_are_comparable(changed),
        "strict_env": rules.strict_env,
        "seed": rules.seed,
    }
    trials = [
        GateTrial(check, find_figure(check.figure), run=new, earlier=old, **about)
        for old, new in matched
        for check in checks.of(current.report, new)
    ]
    trials = [one for one in trials if _applies(one)]
    _refuse_unmeasured(current, checks.checks, trials)
    _refuse_empty(current, checks.presets, trials)
    found = [*_corrected(trials), *_missing_runs(baseline, current, matched, checks)]
    results = [check_gate(one, bare=rules.bare) for one in found]
    about_notes: dict[str, Any] = {"changed": changed}
    notes = gate_notes(baseline, current, matched, results, **about_notes, bare=rules.bare)
    return Gate(
        baseline=baseline.name if baseline else "",
        current=current.name,
        results=tuple(results),
        notes=tuple(notes),
        about_baseline=about_baseline or {},
        benchmark=str(current.report.benchmark.get("name") or ""),
        queries=_queries(baseline, current, matched),
        baseline_queries=_asked(baseline, matched),
        environment=changed,
        texts=_texts(current, results),
        file=str((current.report.benchmark.get("command") or {}).get("file") or ""),
        settings={"bare": rules.bare, "strict_env": rules.strict_env, "seed": rules.seed},
    )


def _texts(current: ReportSide, results: Sequence[CheckResult]) -> dict[str, str]:
    """Return the texts of the queries that results name, where they are known."""
    named = dict.fromkeys(change.query for one in results for change in one.changes)
    told = {query: current.report.queries.get(query, {}).get("text") for query in named}
    return {query: str(text) for query, text in told.items() if text}


def _matched(baseline: ReportSide | None, current: ReportSide) -> list[tuple[Run | None, Run]]:
    """Pair the runs; the only runs of two reports are a pair, whatever they are called."""
    runs = [find_run(current, current.run)] if current.run else [*current.report.runs]
    if not runs:
        raise InputError("the report has no runs", where=current.name, hint="run the benchmark")
    if baseline is None:
        return [(None, run) for run in runs]
    if baseline.report.id and baseline.report.id == current.report.id and current.run:
        return [(find_run(baseline, baseline.run or current.run), runs[0])]
    found: RunPairs = match_runs(baseline, current)
    if not found.pairs and len(runs) == len(baseline.report.runs) == 1:
        return [(baseline.report.runs[0], runs[0])]
    pairs: list[tuple[Run | None, Run]] = [*found.pairs]
    return pairs + [(None, run) for run in runs if run.name in found.new]


def _missing_runs(
    baseline: ReportSide | None,
    current: ReportSide,
    matched: Sequence[tuple[Run | None, Run]],
    checks: GateChecks,
) -> Iterator[CheckEvidence]:
    """Yield the checks of runs that the current report lacks: what is not there cannot pass."""
    if baseline is None or baseline.run or current.run:
        return
    kept = {old.name for old, _ in matched if old is not None}
    for run in baseline.report.runs:
        if run.name not in kept and run.status == "completed":
            for check in checks.of(baseline.report, run):
                figure = find_figure(check.figure)
                higher = bool(figure.higher_is_better)
                yield CheckEvidence(check, run.name, higher, unknown=MISSING)


def _applies(trial: GateTrial) -> bool:
    """Tell whether a run can have the figure; what a new run lost is not known."""
    if trial.figure.metric is None and trial.figure.cost is None:
        return has_figure(trial.current.report, trial.run, trial.figure.name)
    return trial.check.kind != "allow" or trial.baseline is None or trial.earlier is not None


def _refuse_unmeasured(
    current: ReportSide, checks: Sequence[Check], trials: Sequence[GateTrial]
) -> None:
    """Refuse a check that is about nothing: it would pass for ever."""
    for check in checks:
        mine = [one for one in trials if one.check == check]
        if mine and any(one.run.status != "completed" or _is_measured(one) for one in mine):
            continue
        if not mine and check.kind == "allow" and find_figure(check.figure).metric is not None:
            hint = "compare reports with a run of the same name, or use REPORT:RUN"
            raise InputError("no run is in both reports", where=current.name, hint=hint)
        raise InputError(
            f"{check.figure} was not measured in any run", where=current.name, hint=_hint(check)
        )


def _refuse_empty(
    current: ReportSide, presets: Sequence[Preset], trials: Sequence[GateTrial]
) -> None:
    """Refuse a preset that is about no run of the report."""
    figures = {one.figure.name for one in trials}
    for preset in presets:
        needs = PRESETS[preset.name].needs
        if needs and needs not in figures:
            problem = f"the preset {preset.name} needs {needs}, which no run has"
            hint = PRESETS[preset.name].needed_by
            raise InputError(problem, where=current.name, hint=hint)
    if not trials:
        hint = "compare reports with a run of the same name, or use REPORT:RUN"
        raise InputError("no run is in both reports", where=current.name, hint=hint)


def _is_measured(trial: GateTrial) -> bool:
    return _evidence(replace(trial, check=replace(trial.check, kind="min")), 1).current is not None


def _hint(check: Check) -> str:
    figure = find_figure(check.figure)
    if figure.metric is not None:
        return "add it to `metrics` of the benchmark"
    if figure.cost is None:
        return "only runs with coherence ranking have it"
    if figure.cost.by == "latency":
        return "run the benchmark without --untimed"
    return "a search in an external system has no such figure"


def _evidence(trial: GateTrial, tests: int) -> CheckEvidence:
    if trial.figure.metric is not None:
        return score_evidence(trial, tests=tests)
    if trial.figure.cost is None:
        return structure_evidence(trial, tests=tests)
    return cost_evidence(trial, tests=tests)


def _corrected(trials: Sequence[GateTrial]) -> list[CheckEvidence]:
    """Collect the evidence of all checks, and correct each p for all of them."""
    found = [_evidence(one, len(trials)) for one in trials]
    tested = [at for at, one in enumerate(found) if one.p is not None]
    if not tested:
        return found
    corrected = holm(np.array([found[at].p for at in tested])).tolist()
    for at, p in zip(tested, corrected, strict=True):
        found[at] = replace(found[at], p_corrected=p, tests=len(tested))
    return found


def _queries(
    baseline: ReportSide | None, current: ReportSide, matched: Sequence[tuple[Run | None, Run]]
) -> int | None:
    """Count the queries that are compared, those of all pairs together."""
    runs = [new for _, new in matched]
    if baseline is None:
        return len({query for run in runs for query in run.per_query}) or None
    pairs = [(old, new) for old, new in matched if old and old.per_query and new.per_query]
    if not pairs:
        return None
    return len(shared_queries(baseline.report, current.report, pairs, by_dataset=True).queries)


def _asked(baseline: ReportSide | None, matched: Sequence[tuple[Run | None, Run]]) -> int | None:
    """Count the queries of the baseline's runs that are compared."""
    runs = [old for old, _ in matched if old is not None]
    return len({query for run in runs for query in run.per_query}) if baseline and runs else None
