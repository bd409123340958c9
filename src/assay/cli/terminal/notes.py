"""Notes of a report: a few lines below its results, all of them where they are asked for."""

from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import note, wrap
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["show_notes"]

INDENT = " " * len("note: ")
LINES = 5  # of notes on the first screen


def show_notes(report: "Report", *, rest: str = "", gap: bool = False) -> None:
    """Say what must be known besides the figures; after an empty line with ``gap``.

    Where the command ``rest`` has all notes, those that do not fit into a few lines are left to it.
    """
    from assay.reports.runs.phrases.report_notes import report_notes

    notes, room = report_notes(report), LINES
    if notes and gap:
        click.echo(err=True)
    for at, text in enumerate(notes):
        room -= wrap(f"note: {text}", indent=len(INDENT)).count("\n") + 1
        if rest and at and room < 0:
            click.echo(
                f"{INDENT}and {count_noun(len(notes) - at, 'more note')} in `{rest}`", err=True
            )
            return
        note(text)
