"""Gate: whether a change makes search worse than its baseline, by more than is allowed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.benchmarks.gates.figures import find_figure
from assay.benchmarks.gates.gate import GateRules, run_gate
from assay.benchmarks.gates.presets import DEFAULT, USUAL, GateChecks, default_checks
from assay.benchmarks.gates.read_checks import CheckSource
from assay.benchmarks.since.match import ReportSide
from assay.errors import InputError, UsageError
from assay.records import Report, Run
from assay.records.gate import Gate
from assay.workflows._gate_sides import GateSide, open_side, score_side
from assay.workflows.baseline import find_baseline, list_baselines
from assay.workflows.options import refuse_wrong_count
from assay.workflows.read_judgments import read_judgments

__all__ = ["gate"]

OLD = 90  # days from which on the age of a baseline is a note
JUDGED = ("scale", "format", "binary", "subtopics", "corpus", "match_weights", "query_weights")
HINT = "`assay baseline bless REPORT`, on the main branch; or write assay gate BASELINE CURRENT"


def gate(  # noqa: PLR0913 - every option is a name of its own
    *reports: object,
    allow: CheckSource = (),
    min: CheckSource = (),  # noqa: A002
    max: CheckSource = (),  # noqa: A002
    preset: str | Sequence[str] = (),
    run: str = "",
    qrels: object = None,
    bare: bool = False,
    strict_env: bool = False,
    seed: int = 0,
    baselines: str | Path | None = None,
    workspace: str | Path | None = None,
    now: datetime | None = None,
    **reading: Any,  # noqa: ANN401 - options of evaluate, with qrels
) -> Gate:
    """Check the current report, or the current one against a baseline: ``gate(baseline, current)``.

    A report is a file, an id, what ``assay.run`` returned, a blessed baseline, or JSON in the
    layout of another tool; with ``qrels`` both are run files. Alone, the current report is compared
    with the blessed baseline of its benchmark.

    - ``allow``: how much worse a figure may become, e.g. ``{"ndcg@10": "5%"}`` or "ndcg@10:5%"
    - ``min``, ``max``: limits, e.g. ``{"mrr@10": 0.6}``
    - ``preset``: sets of checks by name (``assay list presets``)
    - ``run``: check this run only
    - ``bare``: compare values only, without asking whether a difference is significant
    - ``strict_env``: let times fail that were measured on another or a busy machine

    Without checks those of the blessed baseline count, else the primary metric may be 5% worse.
    """
    refuse_wrong_count("seed", seed)
    if not 1 <= len(reports) <= 2:
        hint = "give a current report, or a baseline and a current report"
        raise UsageError(f"a gate compares two reports, got {len(reports)}", hint=hint)
    moment = now or datetime.now(UTC)
    asked = GateChecks.read(allow=allow, min=min, max=max, preset=preset)
    if qrels is not None:
        sides = _scored(reports, qrels, asked, reading)
    elif reading:
        raise UsageError(f"{next(iter(reading))} has no effect without qrels", hint="add qrels")
    else:
        sides = [open_side(one, run=run, workspace=workspace, folder=baselines) for one in reports]
    current, baseline = sides[-1], sides[0] if len(sides) == 2 else None
    if baseline is None and _compares(asked, current.side.report):
        baseline = _blessed(current, folder=baselines, run=run)
    notes = [*_aged(baseline, moment)]
    if not asked:
        asked, told = _stored(baseline, current)
        notes += told
    found = run_gate(
        baseline.side if baseline else None,
        current.side,
        asked,
        rules=GateRules(bare=bare, strict_env=strict_env, seed=seed),
        about_baseline=_about(baseline, moment),
    )
    return replace(found, notes=(*notes, *found.notes))


def _compares(asked: GateChecks, report: Report) -> bool:
    """Tell whether a baseline is needed: not where all checks are limits."""
    return not asked or any(
        one.kind == "allow" for run in report.runs for one in asked.of(report, run)
    )


def _scored(
    reports: Sequence[object], qrels: object, asked: GateChecks, reading: dict[str, Any]
) -> list[GateSide]:
    """Score run files with the metrics that the checks name."""
    every = asked.of(Report({}, {}, {}, {}, ()), Run("", "", {}))
    named = dict.fromkeys(one.figure for one in every)
    metrics = [name for name in named if find_figure(name).metric is not None]
    lost = [one.figure for one in asked.checks if find_figure(one.figure).metric is None]
    if lost:
        hint = "give reports of `assay run -o report.json`, which have costs"
        raise UsageError(f"run files have no {lost[0]}", hint=hint)
    judgments = read_judgments(qrels, **{key: reading.pop(key) for key in JUDGED if key in reading})
    names = reading.pop("names", ())
    given = [*names, *[None] * len(reports)]
    return [
        score_side(judgments, one, metrics or [USUAL], name=given[at], **reading)
        for at, one in enumerate(reports)
    ]


def _blessed(current: GateSide, *, folder: str | Path | None, run: str) -> GateSide:
    """Find the blessed baseline of the benchmark that was run."""
    name = str(current.side.report.benchmark.get("name") or "")
    found = find_baseline(name, folder=folder)
    if found is None:
        others = [one.name for one in list_baselines(folder=folder)]
        hint = f"{HINT} (known baselines: {', '.join(others)})" if others else HINT
        raise InputError(f'no baseline is blessed for the benchmark "{name}"', hint=hint)
    return GateSide(ReportSide(found.name, found.report, run), found)


def _stored(baseline: GateSide | None, current: GateSide) -> tuple[GateChecks, list[str]]:
    """Return the checks that were stored with the baseline, else one of the primary metric."""
    if baseline is not None and baseline.baseline is not None and baseline.baseline.checks:
        told: dict[str, Any] = dict(baseline.baseline.checks)
        return GateChecks.read(**told), []
    usual = default_checks((baseline or current).side.report)
    primary = usual.checks[0].figure
    note = f"no checks given: {primary} may be {DEFAULT} worse (--allow, --min, --max, --preset)"
    return usual, [note]


def _about(baseline: GateSide | None, moment: datetime) -> dict[str, Any]:
    if baseline is None:
        return {}
    if baseline.baseline is not None:
        return baseline.baseline.about(moment)
    commit = baseline.side.report.environment.get("git_commit")
    return {"commit": commit} if commit else {}


def _aged(baseline: GateSide | None, moment: datetime) -> Iterator[str]:
    """Say that a baseline is old: what was measured then may no longer be what is expected."""
    if baseline is None or baseline.baseline is None:
        return
    days = baseline.baseline.age_days(moment)
    if days >= OLD:
        yield (
            f"the baseline is {days} days old; if the current quality is accepted, "
            "`assay baseline bless REPORT` replaces it"
        )
