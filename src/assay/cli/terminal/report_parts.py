"""Parts of a report on the screen: the answer, tables, doubts, and what to do next."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import wrap
from assay.cli.terminal.run_labels import shorten_labels

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "answer_lines",
    "doubt_lines",
    "failure_lines",
    "height",
    "next_step_lines",
    "show_commands",
    "show_lines",
    "show_table",
    "warning_lines",
]

EACH = 5  # runs that the race stopped early and that get a line each


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


def answer_lines(report: "Report") -> list[str]:
    """Write which run to ship, why, and what its runner-up costs."""
    from assay.reports.runs.phrases.answer_lines import answer_lines as lines

    return lines(report)


def doubt_lines(report: "Report") -> list[str]:
    """Write what limits the answer, and what it was measured on."""
    from assay.reports.runs.phrases.doubts import doubts
    from assay.reports.runs.phrases.headline import headline

    about = str(report.benchmark.get("description") or "")
    return [*shorten_labels(report, doubts(report)), *filter(None, [headline(report), about])]


def failure_lines(report: "Report", *, each: int = EACH) -> list[str]:
    """Name the runs that failed, and those that the race stopped early, if they are few.

    The table marks them all, and `assay show` has when each was stopped, and by which run.
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
    """List what to do next, without what a warning beside the table says already."""
    from assay.reports.analysis.next_steps import next_steps

    beside = warning_lines(report)
    told = [one for one in next_steps(report) if one not in beside][:most]
    return ["Next steps:", *shorten_labels(report, [f"- {one}" for one in told])] if told else []


def show_commands(title: str, commands: Sequence[tuple[str, str]]) -> None:
    """Print commands with their meaning; to stderr if stdout is not a terminal."""
    to_err = not sys.stdout.isatty()
    width = max((len(command) for command, _ in commands), default=0)
    lines = [
        f"{title if not at else ' ' * len(title)}   {command:<{width}}   {meaning}"
        for at, (command, meaning) in enumerate(commands)
    ]
    if any("\n" in wrap(line, out=not to_err) for line in lines):
        lines = [title, *(f"  {command}\n      {meaning}" for command, meaning in commands)]
    click.echo(err=to_err)
    for line in lines:
        click.echo(wrap(line, out=not to_err, lines=True), err=to_err)
