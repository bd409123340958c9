"""What is to be learnt from a report, on one screen or with all tables."""

from typing import TYPE_CHECKING

import click

from assay.cli._shown import columns, show_busy, show_lines, show_next, show_picks, show_table
from assay.cli._wrapped import wrapped

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = ["show_analysis"]


def show_analysis(report: "Report", *, whole: bool = False) -> None:
    """Print what each run scores, what to take, what is to be learnt, and what to do next.

    The answer to a load that was asked for comes before all of it, with its table. The ``whole``
    analysis has a table per question instead of sentences alone.
    """
    from assay.reports.analysis.borne import borne
    from assay.reports.analysis.lessons import lessons
    from assay.reports.runs.brief import brief
    from assay.reports.runs.headline import headline

    click.echo(wrapped(headline(report), out=True))
    if answer := borne(report):
        click.echo(wrapped(f"\n{answer}", out=True))
        _show_load(report, whole=whole)
    show_table(report, brief(report, width=columns()))
    if not answer:
        show_busy(report)
    _show_failed(report)
    show_picks(report)
    learnt = [line for line in lessons(report) if line != answer]
    if not whole:
        show_lines([f"- {line}" for line in [*learnt, *_missing(report)]])
    show_next(report)
    if whole:
        _show_tables(report)


def _show_load(report: "Report", *, whole: bool) -> None:
    """Print the table of the load that was asked for, unless it comes with all others."""
    from assay.reports.analysis.loads import loads

    click.echo()
    if not whole and (table := loads(report)) is not None:
        show_table(report, table)
        click.echo()


def _show_failed(report: "Report") -> None:
    """Tell which runs came to nothing; those that were beaten say so in the table."""
    from assay.reports.runs.beaten import beaten
    from assay.reports.runs.failures import EACH, failures

    told = beaten(report, most=EACH)
    show_lines([line for line in failures(report) if line not in told])


def _missing(report: "Report") -> list[str]:
    """Say of an older report what was not measured then."""
    from assay.reports.runs.older import older

    return [*filter(None, [older(report)])]


def _show_tables(report: "Report") -> None:
    """Print a table per question, each below its sentence."""
    from assay.reports.analysis.tables import tables
    from assay.reports.terminal import terminal

    found: list[Table] = tables(report, width=columns())
    for table in found:
        click.echo()
        terminal(table)
    if not found:
        click.echo("\nnothing was measured that there is something to learn from")
    show_lines(_missing(report))
