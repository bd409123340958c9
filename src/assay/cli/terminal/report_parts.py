"""Parts of a report on the screen: tables, lines, what to take, and what to do next."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import wrap
from assay.cli.terminal.run_labels import shorten_labels

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "failure_lines",
    "height",
    "next_step_lines",
    "pick_lines",
    "show_lines",
    "show_rest",
    "show_table",
    "warning_lines",
]

EACH = 5  # runs that were beaten, of which each is told by itself


def show_table(report: "Report", table: "Table") -> None:
    """Print a table of runs; many with long names have their numbers."""
    from assay.reports.runs.phrases.run_numbers import number_runs
    from assay.reports.terminal import terminal

    terminal(number_runs(table, [run.name for run in report.runs]))


def show_lines(told: Sequence[str], *, gap: bool = True) -> None:
    """Print lines below each other, after an empty one."""
    if told:
        click.echo("\n" * gap, nl=False)
        click.echo("\n".join(wrap(line, out=True) for line in told))


def height(told: Sequence[str]) -> int:
    """Count the lines of a screen that these take, with the empty one before them."""
    each = (wrap(line, out=True).count("\n") + 1 for line in told)
    return sum(each, 1) if told else 0


def pick_lines(report: "Report") -> list[str]:
    """Tell the winner of several candidates, what to take, and what a race may have cost."""
    from assay.reports.runs.phrases.picks import picks
    from assay.reports.runs.phrases.race_bound import race_bound
    from assay.reports.runs.phrases.run_label import label_runs

    several = report.comparisons is not None and len(report.comparisons.candidates) > 1
    best = [label_runs(report, str(report.winner.get("sentence") or ""))] if several else []
    told = [*filter(None, best), *picks(report)]
    return shorten_labels(report, [*told, *filter(None, [race_bound(report) if told else ""])])


def failure_lines(report: "Report", *, each: int = EACH) -> list[str]:
    """Tell which runs came to nothing; of those that were beaten, a few and none of many.

    A table marks them all, and `assay show` has when each was beaten, and by whom.
    """
    from assay.reports.runs.phrases.failures import failures
    from assay.reports.runs.phrases.stopped_runs import stopped_runs

    many = len(report.race.get("beaten", ())) > each
    stopped = {*stopped_runs(report), *stopped_runs(report, most=0)} if many else set()
    return [line for line in failures(report) if line not in stopped]


def warning_lines(report: "Report") -> list[str]:
    """Warn of times that other work made longer."""
    from assay.reports.analysis.busy import busy

    return [*filter(None, [busy(report)])]


def next_step_lines(report: "Report", *, most: int | None = None) -> list[str]:
    """Tell what to do next, but for what a warning beside the table has told."""
    from assay.reports.analysis.next_steps import next_steps

    beside = warning_lines(report)
    told = [one for one in next_steps(report) if one not in beside][:most]
    return (
        ["What to do next:", *shorten_labels(report, [f"- {one}" for one in told])] if told else []
    )


def show_rest(lines: Sequence[str]) -> None:
    """Say how to see more, to whoever looks: no program that reads stdout needs it."""
    to_err = not sys.stdout.isatty()
    click.echo(err=to_err)
    for line in lines:
        click.echo(wrap(line, out=not to_err), err=to_err)
