"""Bless: make a report the baseline that later gates compare with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from assay.benchmarks.gates.gate import run_gate
from assay.benchmarks.gates.presets import GateChecks, default_checks
from assay.benchmarks.gates.prune_report import prune_report
from assay.benchmarks.gates.read_checks import CheckSource
from assay.benchmarks.since.match import ReportSide
from assay.columns.files.atomic_write import atomic_write
from assay.errors import InputError
from assay.records import Report
from assay.records.baseline import Baseline, Blessing
from assay.reports.gates.baseline_json import baseline_text
from assay.text.join_list import join_list
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_line
from assay.workflows._gate_sides import open_side
from assay.workflows.baseline import baseline_place, is_file, read_place

__all__ = ["BlessResult", "bless"]


@dataclass(frozen=True, slots=True)
class BlessResult:
    """The baseline as it was written, and the one that it replaces."""

    baseline: Baseline
    earlier: Baseline | None = None
    notes: tuple[str, ...] = ()


def bless(  # noqa: PLR0913 - every option is a name of its own
    report: str | Path | Report,
    *,
    name: str | None = None,
    runs: Sequence[str] = (),
    allow: CheckSource = (),
    min: CheckSource = (),  # noqa: A002
    max: CheckSource = (),  # noqa: A002
    preset: str | Sequence[str] = (),
    baselines: str | Path | None = None,
    workspace: str | Path | None = None,
    now: datetime | None = None,
) -> BlessResult:
    """Make a report the baseline of its benchmark, in a small file that is to be committed.

    Checks that are given are stored with it: a gate takes them where it is given none. Without any,
    the checks of the baseline that is replaced stay. Nothing else ever changes a baseline.
    """
    found = _opened(report, workspace)
    kept = _chosen(prune_report(found), runs)
    chosen = name or str(found.benchmark.get("name") or "benchmark")
    place = baseline_place(chosen, folder=baselines)
    earlier = _earlier(place, chosen)
    given = GateChecks.read(allow=allow, min=min, max=max, preset=preset)
    baseline = Baseline(
        name=chosen,
        report=kept,
        blessing=_blessing(kept, now or datetime.now(UTC)),
        checks=given.texts or (earlier.checks if earlier else {}),
        history=(*earlier.history, earlier.blessing) if earlier else (),
        file=str(place),
    )
    notes = (*_notes(found, kept), *_own_gate(baseline, earlier))
    _write(place, baseline_text(baseline))
    return BlessResult(baseline, earlier, notes)


def _opened(report: str | Path | Report, workspace: str | Path | None) -> Report:
    """Open a report, also in the layout of another tool; a baseline has nothing to bless."""
    opened = open_side(report, workspace=workspace)
    if opened.baseline is not None:
        hint = "bless a report of `assay run -o report.json`"
        raise InputError("this is a blessed baseline already", where=str(report), hint=hint)
    return opened.side.report


def _earlier(place: Path, name: str) -> Baseline | None:
    """Read the baseline that is replaced; one of another name, whose file is the same, is not."""
    found = read_place(place) if is_file(place) else None
    if found is not None and found.name != name:
        problem = f"this is the baseline {quote_line(found.name)}, not {quote_line(name)}"
        hint = "give another --name, or another folder with --baselines"
        raise InputError(problem, where=str(place), hint=hint)
    return found


def _write(place: Path, content: str) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "give another folder with --baselines"
        problem = f"cannot be made ({error.strerror})"
        raise InputError(problem, where=str(place.parent), hint=hint) from None
    with atomic_write(place) as new:
        new.write_text(content, encoding="utf-8")


def _chosen(report: Report, runs: Sequence[str]) -> Report:
    if not report.runs:
        hint = "bless a report with a run that completed"
        raise InputError("no run of the report completed", where=report.id, hint=hint)
    if not runs:
        return report
    known = [run.name for run in report.runs]
    for name in runs:
        if name not in known:
            raise InputError(f'unknown run "{name}"', hint=did_you_mean(name, known))
    return replace(report, runs=tuple(run for run in report.runs if run.name in runs))


def _blessing(report: Report, now: datetime) -> Blessing:
    primary = str(report.benchmark["primary"])
    scores = {run.name: run.scores[primary] for run in report.runs if primary in run.scores}
    return Blessing(now, str(report.environment.get("git_commit") or ""), report.id, scores)


def _notes(report: Report, kept: Report) -> Iterator[str]:
    if report.status != "completed":
        yield "the benchmark was cancelled: only what was measured is in the baseline"
    left = [run.name for run in report.runs if run.status != "completed"]
    if left:
        yield f"not in the baseline, because they did not complete: {join_list(left)}"
    failed = [run.name for run in kept.runs if run.errors]
    if failed:
        yield f"some queries failed and score 0 in: {join_list(failed)}"


def _own_gate(baseline: Baseline, earlier: Baseline | None) -> Iterator[str]:
    """Check the baseline against itself: what its checks name must be there, and be able to fail.

    A report that does not keep its own limits can be blessed, and the notes say so.
    """
    side = ReportSide(baseline.name, baseline.report)
    checks = GateChecks.read(**dict(baseline.checks)) or default_checks(baseline.report)
    found = run_gate(side, side, checks)
    yield from found.notes
    yield from (f"{one.name}: {one.reason}" for one in found.results if one.outcome == "fail")
    if any(run.latency_ms.get("busy") for run in baseline.report.runs):
        yield "times were measured on a busy machine: checks of them will be inconclusive"
    queries = [_queries(one.report) for one in (baseline, earlier) if one is not None]
    if len(queries) == 2 and queries[0] < queries[1]:
        yield f"{queries[0]:,} queries replace {queries[1]:,}: later gates compare only these"


def _queries(report: Report) -> int:
    return len({query for run in report.runs for query in run.per_query})
