"""Refuse run: a run that a chart of one run cannot be about, and why."""

from assay.errors import InputError
from assay.records import Report
from assay.reports.rival import baseline_of
from assay.text.join_list import first_named

__all__ = ["refuse_run"]

NAMED = 10  # runs in a hint


def refuse_run(report: Report, run: str) -> None:
    """Refuse the baseline, which is what others are compared with, and a run that is not whole."""
    whole = [one.name for one in report.runs if one.status == "completed" and one.per_query]
    baseline = baseline_of(report)
    others = [name for name in whole if name != baseline]
    if run in others:
        return
    hint = f"available: {first_named(others, NAMED)}"
    if not others:
        hint = "no other run was measured on all queries"
    raise InputError(_problem(report, run[:100], baseline), hint=hint)


def _problem(report: Report, run: str, baseline: str) -> str:
    if run == baseline:
        return f'run "{run}" is the baseline; choose another run to compare with it'
    status = next((one.status for one in report.runs if one.name == run), "")
    if status == "beaten":
        return f'run "{run}" was stopped early and has no scores for all queries'
    return f'run "{run}" has no scores to draw'
