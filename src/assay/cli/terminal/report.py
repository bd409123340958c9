"""How a report is shown and written, for every command that has one."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import wrap
from assay.cli.terminal.report_parts import (
    failure_lines,
    next_step_lines,
    pick_lines,
    show_lines,
    show_rest,
    show_table,
    warning_lines,
)
from assay.cli.terminal.run_labels import label_run, shorten_labels
from assay.cli.terminal.size import columns, paragraph_width
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "check_report_outputs",
    "show_report",
    "show_short",
    "write_report",
    "wrote",
]

REASONS = 5  # candidates whose reasons are told at the end of a run
STEPS = 2  # things to do next that are told there


def check_report_outputs(outputs: Sequence[str]) -> None:
    """Refuse files that no report can be written to, before anything is measured."""
    if outputs:
        from assay.workflows.report_files.output_files import refuse_files

        refuse_files(outputs)


def write_report(outputs: Sequence[str], report: "Report") -> None:
    """Write each file: the extension picks the format, the name before it the chart or shape."""
    if outputs:
        from assay.workflows.report_files.output_files import write_files

        later = f"`assay report {report.id[:8]} -o FILE` writes it later" if report.id else ""
        write_files(report, outputs, later=later, wrote=wrote)


def wrote(path: str) -> None:
    """Say that a file is there now."""
    click.echo(sanitize(f"wrote {path}"), err=True)


def show_report(report: "Report", *, place: str = "") -> None:
    """Print all that people read: scores, settings, structure, verdicts, recommendations.

    ``place`` is what the report is called by whoever asks for it.
    """
    from assay.reports.runs.phrases.failures import failures
    from assay.reports.runs.phrases.headline import headline
    from assay.reports.runs.phrases.picks import picks
    from assay.reports.runs.phrases.race_bound import race_bound
    from assay.reports.runs.phrases.recommendations import recommendations

    click.echo(wrap(headline(report), out=True))
    show_table(report, _summary(report, width=columns()))
    show_lines(warning_lines(report), gap=False)
    show_lines(failures(report))
    _show_settings(report)
    _show_structure(report)
    _show_verdicts(report, place or report.id[:8] or "REPORT")
    told = [label_run(report, line) for line in recommendations(report)] + picks(report)
    show_lines(shorten_labels(report, [*told, *filter(None, [race_bound(report) if told else ""])]))
    show_lines(next_step_lines(report, most=STEPS))


def show_short(report: "Report", *, workspace: str | None = None, brief: bool = False) -> None:
    """Print a benchmark on about a screen: scores, verdicts, what to take, and where the rest is.

    In ``brief`` a line per run has scores and verdicts, and what to do next the caller says.
    """
    from assay.reports.runs.phrases.headline import headline
    from assay.reports.runs.tables.brief import brief as in_a_table

    click.echo(wrap(headline(report), out=True))
    width = columns()
    table = in_a_table(report, width=width) if brief else _summary(report, width=width, brief=True)
    show_table(report, table)
    show_lines(warning_lines(report), gap=False)
    show_lines(failure_lines(report))
    if not brief:
        _show_apart(report)
    _show_decided(report, brief=brief)
    show_lines(pick_lines(report))
    if not brief:
        show_lines(next_step_lines(report, most=STEPS))
    if not brief and report.id:
        where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
        rest = f"all of it: assay show {report.id[:8]}{where} [--run NAME | --query KEY]"
        learn = f"to learn from it: assay report {report.id[:8]}{where} [-o report.html]"
        show_rest([rest, learn])


def _show_apart(report: "Report") -> None:
    """Show what tells runs apart beside their scores: collections, and settings but for names."""
    from assay.reports.runs.tables.collections import collections
    from assay.reports.runs.tables.settings import settings

    for table in (collections(report), settings(report, named=False)):
        if table is not None:
            click.echo()
            show_table(report, table)


def _show_decided(report: "Report", *, brief: bool) -> None:
    """Show a line per candidate, with its reason where they are few; then what structure is."""
    from assay.reports.comparisons.decision_table import decision_lines, decision_table
    from assay.reports.runs.phrases.run_label import label_runs

    compared = report.comparisons
    few = compared is None or len(compared.candidates) <= REASONS
    if compared is not None and not few and not brief:
        click.echo()
        show_table(report, decision_table(compared, width=columns()))
    alone = {run: one for run, one in report.uncompared.items() if one.rule != "raced"}
    said = decision_lines(compared if few or brief else None, alone)
    said += [f"{run.name}: {run.structure.verdict}" for run in report.runs if run.structure]
    lines = [label_run(report, label_runs(report, line)) for line in said]
    show_lines(shorten_labels(report, lines))


def _show_settings(report: "Report") -> None:
    from assay.reports.runs.tables.collections import collections
    from assay.reports.runs.tables.repeats import repeats
    from assay.reports.runs.tables.settings import alike, settings

    for table in (collections(report), repeats(report), settings(report)):
        if table is not None:
            click.echo()
            show_table(report, table)
    if said := alike(report):
        click.echo(wrap(said, out=True))


def _show_structure(report: "Report") -> None:
    """Show what structure is worth beside its controls, for each run that ranks by it."""
    from assay.reports.structure.lines import lines
    from assay.reports.structure.summary import summary
    from assay.reports.terminal import terminal

    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    for name, structure in found:
        click.echo(f"\n{sanitize(name)}: what structure is worth")
        terminal(summary(structure))
        click.echo("\n".join(lines(structure, width=paragraph_width(), brief=True)))
    if found:
        click.echo("More on gates, receipts and correlations: -o FILE.md, or --json.")


def _show_verdicts(report: "Report", place: str) -> None:
    from assay.reports.comparisons.decision_table import decision_table
    from assay.reports.comparisons.verdicts import FEW, verdicts
    from assay.reports.runs.phrases.run_label import label_runs

    compared = report.comparisons
    if compared is None:
        return
    click.echo()
    if len(compared.candidates) > FEW:
        show_table(report, decision_table(compared, width=columns()))
        click.echo(f"Why, and what would change it: assay show {place} --run NAME\n")
    best = label_runs(report, str(report.winner.get("sentence") or ""))
    winner = {**report.winner, "sentence": best} if best else report.winner
    told = verdicts(compared, width=paragraph_width(), winner=winner)
    click.echo("\n".join(label_run(report, line) for line in told.split("\n")))


def _summary(report: "Report", *, width: int | None = None, brief: bool = False) -> "Table":
    from assay.workflows.report_files.report_tables import summary_of

    return summary_of(report, width=width, brief=brief)
