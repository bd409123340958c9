"""Parts of a report on the screen: tables, lines, what to take, and what to do next."""

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from assay.cli._wrapped import wrapped

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "AGAIN",
    "columns",
    "show_busy",
    "show_lines",
    "show_next",
    "show_picks",
    "show_rest",
    "show_table",
    "text_width",
]

AGAIN = "assay run FILE"  # runs a benchmark whose file is not known


def columns() -> int | None:
    """Return the width of the screen that shows stdout; None where nobody looks."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def text_width() -> int:
    """Return how wide paragraphs are: as the terminal, up to what reads well."""
    return min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100


def show_table(report: "Report", table: "Table") -> None:
    """Print a table of runs; many with long names have their numbers."""
    from assay.reports.runs.numbered import numbered
    from assay.reports.terminal import terminal

    terminal(numbered(table, [run.name for run in report.runs]))


def show_lines(told: Sequence[str]) -> None:
    """Print lines below each other, after an empty one."""
    if told:
        click.echo()
        click.echo("\n".join(wrapped(line, out=True) for line in told))


def show_picks(report: "Report") -> None:
    """Tell the winner of several candidates, what to take, and what a race may have cost."""
    from assay.reports.runs.bound import bound
    from assay.reports.runs.called import worded
    from assay.reports.runs.recommendations import recommendations

    several = report.comparisons is not None and len(report.comparisons.candidates) > 1
    best = [worded(report, str(report.winner.get("sentence") or ""))] if several else []
    told = [*filter(None, best), *recommendations(report, picks=True)]
    show_lines([*told, *filter(None, [bound(report) if told else ""])])


def show_busy(report: "Report", *, again: str = AGAIN) -> None:
    """Warn beside a table of times that other work made longer."""
    if said := _busy(report, again):
        click.echo(wrapped(said, out=True))


def _busy(report: "Report", again: str) -> str:
    from assay.reports.analysis.busy import busy

    return busy(report).replace(AGAIN, again)


def show_next(report: "Report", *, most: int | None = None, again: str = AGAIN) -> None:
    """Tell what to do next, but for what a warning beside the table has told.

    ``again`` is the command that ran the benchmark.
    """
    from assay.reports.analysis.next_steps import next_steps

    file = again.removeprefix("assay run ")
    steps = [one for one in next_steps(report, file=file) if one != _busy(report, again)]
    if steps:
        show_lines(["What to do next:", *(f"- {one}" for one in steps[:most])])


def show_rest(lines: Sequence[str]) -> None:
    """Say how to see more, to whoever looks: no program that reads stdout needs it."""
    to_err = not sys.stdout.isatty()
    text = "\n".join(lines)
    click.echo(wrapped(f"\n{text}", out=not to_err), err=to_err)
