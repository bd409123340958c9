"""How the changes between reports are shown and written."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import wrap
from assay.cli.terminal.size import paragraph_width
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.records import Table
    from assay.records.since import Since

__all__ = ["show_since", "since_tables"]

FEW = 3  # runs that get a paragraph each


def show_since(changes: "Sequence[Since]") -> None:
    """Print for each later report: scores, costs, settings, changed queries, verdicts."""
    for at, since in enumerate(changes):
        if at:
            click.echo()
        _show_one(since)


def _show_one(since: "Since") -> None:
    from assay.reports.comparisons.since import (
        changed_only,
        is_unchanged,
        moved_costs,
        moved_scores,
        no_change,
        since_lines,
        unchanged_line,
    )
    from assay.reports.terminal import terminal

    if is_unchanged(since):
        click.echo(wrap(no_change(since), out=True))
        return

    counted = count_noun(since.queries, "query")
    click.echo(wrap(f"{since.after} compared with {since.before}: {counted} in both", out=True))
    moved = changed_only(since)
    _show_verdicts(moved)
    if moved.changes:
        click.echo()
        terminal(moved_scores(moved))
    if moved.changes and (costs := moved_costs(moved)) is not None:
        click.echo()
        terminal(costs)
    if lines := [*since_lines(since), *filter(None, [unchanged_line(since)])]:
        click.echo()
        click.echo("\n".join(wrap(line, out=True) for line in lines))
    _show_queries(moved)


def _show_queries(since: "Since") -> None:
    from assay.reports.comparisons.changes import changes
    from assay.reports.terminal import terminal

    for one in since.changes[: None if len(since.changes) <= FEW else FEW]:
        if moved := changes(one.candidate, primary=since.primary):
            click.echo()
            terminal(moved)


def _show_verdicts(since: "Since") -> None:
    from assay.reports.comparisons.since import moved_verdicts
    from assay.reports.comparisons.verdicts import decision_words, verdict_words
    from assay.reports.terminal import terminal

    if len(since.changes) > FEW:
        table = moved_verdicts(since)
        click.echo()
        terminal(replace(table, titles=table.titles[:2], rows=[row[:2] for row in table.rows]))
        click.echo("Reasons, and the queries that changed: --run NAME")
        return
    for one in since.changes:
        click.echo()
        click.echo(verdict_words(one.candidate, since.primary, width=paragraph_width()))
    for run, verdict in since.uncompared.items():
        click.echo()
        click.echo(decision_words(run, verdict, width=paragraph_width()))


def since_tables(changes: "Sequence[Since]", extension: str) -> "list[Table]":
    """Return values for programs, and tables for people."""
    from assay.reports.comparisons.since import moved_costs, moved_scores, moved_verdicts
    from assay.reports.comparisons.since_values import since_values

    if extension in ("csv", "parquet"):
        return [since_values(changes)]
    views = (moved_verdicts, moved_scores, moved_costs)
    found = [view(since) for since in changes for view in views]
    return [table for table in found if table is not None]
