"""Compare reports: what changed since the last run, and whether it can be shipped."""

from collections.abc import Sequence
from pathlib import Path

from assay.benchmarks.open_report import open_report, split_run
from assay.benchmarks.since.changes_since import ReportSide, changes_since
from assay.errors import InputError, UsageError
from assay.metrics import parse_all
from assay.records import Report
from assay.records.since import ReportChanges
from assay.workflows.options import HIGHER, NOT_PRIMARY, refuse_wrong_numbers

__all__ = ["compare_reports"]


def compare_reports(  # noqa: PLR0913 - every option is a name of its own
    baseline: str | Path | Report | ReportSide,
    candidates: object,
    *,
    run: str = "",
    primary: str | None = None,
    alpha: float | None = None,
    margin: float | None = None,
    flips: int = 10_000,
    seed: int = 0,
    workspace: str | Path | None = None,
) -> ReportChanges:
    """Compare one report, or a list of them, with an earlier one, run by run and query by query.

    A report is a file, the id of a benchmark in the workspace, or what ``assay.run`` returned;
    ``REPORT:RUN`` selects one run of it, and ``run`` selects that run in each. ``alpha`` and
    ``margin`` default to those of the later benchmark. The result is a tuple with one record for
    each later report, and its ``.frame()`` has all of them.
    """
    refuse_wrong_numbers(
        alpha=0.05 if alpha is None else alpha,
        margin=0.02 if margin is None else margin,
        flips=flips,
        seed=seed,
    )
    later = list(candidates) if isinstance(candidates, list | tuple) else [candidates]
    if not later:
        raise UsageError("no report to compare with the first", hint="give at least one more")
    opened = [_chosen(one, run, workspace) for one in (baseline, *later)]
    named = _distinct(opened)
    found = changes_since(
        named[0],
        named[1:],
        primary=_primary(primary) if primary else "",
        alpha=alpha,
        margin=margin,
        flips=flips,
        seed=seed,
    )
    return ReportChanges(found)


def _primary(named: str) -> str:
    chosen = parse_all([named])[0]
    if not chosen.kind.higher_is_better:
        raise UsageError(NOT_PRIMARY.format(chosen), hint=HIGHER)
    return str(chosen)


def _chosen(where: object, run: str, workspace: str | Path | None) -> ReportSide:
    if isinstance(where, ReportSide):
        return where
    if isinstance(where, Report):
        return ReportSide(where.id or str(where.benchmark.get("name", "")), where, run)
    if not isinstance(where, str | Path):
        hint = "pass a report file, an id, or what `assay.run` returned"
        raise InputError(f"cannot read a report from {type(where).__name__}", hint=hint)
    place, named = split_run(str(where))
    if named and run and named != run:
        hint = "remove one of the two"
        raise UsageError(f"{where} and --run {run} select different runs", hint=hint)
    return ReportSide(place, open_report(place, workspace=workspace), named or run)


def _distinct(opened: Sequence[ReportSide]) -> list[ReportSide]:
    """Call each by the last part of its path; by the whole path where two would be the same."""
    short = [_label(Path(one.name).name, one) for one in opened]
    whole = [_label(one.name, one) for one in opened]
    names = [one if short.count(one) == 1 else whole[at] for at, one in enumerate(short)]
    return [
        ReportSide(_numbered(name, names[:at].count(name)), one.report, one.run)
        for at, (name, one) in enumerate(zip(names, opened, strict=True))
    ]


def _label(name: str, one: ReportSide) -> str:
    return f"{name}:{one.run}" if one.run else name


def _numbered(name: str, before: int) -> str:
    return f"{name} ({before + 1})" if before else name
