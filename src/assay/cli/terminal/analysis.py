"""Findings of a report, on one screen or with all tables."""

from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import wrap
from assay.cli.terminal.report_parts import (
    answer_lines,
    doubt_lines,
    failure_lines,
    height,
    next_step_lines,
    show_lines,
    show_table,
    warning_lines,
)
from assay.cli.terminal.run_labels import shorten_labels
from assay.cli.terminal.size import LOG, columns, rows

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = ["show_analysis"]

FINDINGS = 4  # sentences at most
RUNS = 20  # rows of the table
TABLE = 4  # lines of one besides its rows: an empty one, its caption, its titles and a rule
LEAST = 3  # lines that are left for findings
AROUND = 8  # lines besides: two above the table, two in it, the last three and the next prompt


def show_analysis(report: "Report", *, whole: bool = False) -> None:
    """Print the answer, a line per run, findings, and what to do next.

    The answer to a load that was asked for comes before all of it, with its table. The ``whole``
    analysis has a table per question instead of sentences alone.
    """
    from assay.reports.analysis.bearable_load import bearable_load
    from assay.reports.runs.tables.brief import brief

    if answer := bearable_load(report):
        click.echo(wrap(answer, out=True))
        _show_load(report, whole=whole)
    first = answer_lines(report)
    table = brief(report, width=columns() or LOG, most=RUNS, whole=columns() is None)
    show_lines(first, gap=False)
    click.echo()
    show_table(report, table)
    told = [[] if answer else warning_lines(report)]
    show_lines(told[0], gap=False)
    told += [failure_lines(report, each=0), doubt_lines(report)]
    for lines in told[1:]:
        show_lines(lines)
    after = next_step_lines(report)
    if not whole:
        taken = len(table.rows) + bool(table.caption) + sum(map(height, [first, *told, after]))
        taken -= bool(told[0])  # which has no gap
        room = (rows() or 1000) - taken - AROUND
        room -= _show_collections(report, room=room)
        show_lines(_findings(report, answer, room))
    show_lines(after)
    if whole:
        _show_tables(report)


def _show_collections(report: "Report", *, room: int | None = None) -> int:
    """Print the scores on each of several datasets, if there is room; count the lines.

    ``room`` is how many lines the screen has left, where all is to fit on it.
    """
    from assay.reports.runs.tables.collections import collections

    table = collections(report)
    lines = len(table.rows) + TABLE if table is not None else 0
    if table is None or (room is not None and lines + LEAST > room):
        return 0
    click.echo()
    show_table(report, table)
    return lines


def _findings(report: "Report", answer: str, room: int) -> list[str]:
    """Return the findings that a screen has room for, and at least one."""
    from assay.reports.analysis.lessons import lessons

    said = shorten_labels(report, [line for line in lessons(report) if line != answer])
    told, missing = [f"- {line}" for line in said[:FINDINGS]], _missing(report)
    while len(told) > 1 and height(["Findings:", *told, *missing]) > room:
        told = told[:-1]
    return ["Findings:", *told, *missing] if told or missing else []


def _show_load(report: "Report", *, whole: bool) -> None:
    """Print the tables of the requested load, unless they come with all others."""
    from assay.reports.analysis.costs import costs
    from assay.reports.analysis.loads import loads

    click.echo()
    for table in filter(None, () if whole else (loads(report), costs(report))):
        show_table(report, table)
        click.echo()


def _missing(report: "Report") -> list[str]:
    """Name what an older report lacks."""
    from assay.reports.runs.phrases.missing_figures import missing_figures

    return [f"- {said}"] if (said := missing_figures(report)) else []


def _show_tables(report: "Report") -> None:
    """Print a table per question, each below its sentence."""
    from assay.reports.analysis.tables import tables
    from assay.reports.terminal import terminal

    _show_collections(report)
    found: list[Table] = tables(report, width=columns())
    for table in found:
        click.echo()
        terminal(table)
    if not found:
        click.echo("\nno findings: nothing was measured that could show any")
    show_lines(_missing(report))
