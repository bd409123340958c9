"""How a report is shown and written, for every command that has one."""

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import wrap
from assay.cli.terminal.report_parts import (
    answer_lines,
    doubt_lines,
    failure_lines,
    next_step_lines,
    show_commands,
    show_lines,
    show_table,
    warning_lines,
)
from assay.cli.terminal.run_labels import label_run, shorten_labels
from assay.cli.terminal.size import LOG, columns, paragraph_width
from assay.cli.terminal.text_file import TEXT, is_text, write_texts
from assay.records.command import report_place
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "check_report_outputs",
    "show_more",
    "show_report",
    "show_short",
    "write_report",
    "wrote",
]

REASONS = 5  # verdicts that are explained on the first screen
STEPS = 2  # next steps that are given there
RUNS = 20  # rows of the table there


def check_report_outputs(outputs: Sequence[str]) -> None:
    """Refuse files that no report can be written to, before anything is measured."""
    if outputs:
        from assay.workflows.report_files.output_files import refuse_files

        refuse_files(outputs, also=[TEXT])


def write_report(
    outputs: Sequence[str], report: "Report", *, show: Callable[["Report"], None] | None = None
) -> list[str]:
    """Write each file: the extension selects the format, the name before it the chart or layout.

    ``show`` prints what a text file holds, by default the first screen. Returns what was written,
    for ``wrote`` to say below the results.
    """
    written: list[str] = []
    if outputs:
        from assay.workflows.report_files.output_files import write_files

        later = f"`assay report {report_place(report)} -o FILE` writes it later"
        later = later if report.id else ""
        files = [path for path in outputs if not is_text(path)]
        write_files(report, files, later=later, wrote=written.append)
        write_texts(outputs, lambda: (show or show_short)(report), wrote=written.append)
    return written


def wrote(*paths: str) -> None:
    """Say that files were written."""
    for path in paths:
        click.echo(sanitize(f"wrote {path}"), err=True)


def show_report(report: "Report", *, place: str = "") -> None:
    """Print the whole report: the answer, scores, settings, verdicts and recommendations.

    ``place`` is the file or id by which the user named the report.
    """
    from assay.reports.runs.phrases.failures import failures
    from assay.reports.runs.phrases.recommendations import recommendations

    show_lines(answer_lines(report), gap=False)
    click.echo()
    show_table(report, _summary(report, width=columns()))
    show_lines(warning_lines(report), gap=False)
    show_lines(failures(report))
    _show_settings(report)
    place = place or report.id[:8] or "REPORT"
    _show_structure(report, place)
    _show_verdicts(report, place)
    best = [label_run(report, line) for line in recommendations(report)]
    show_lines(shorten_labels(report, best))
    show_lines(doubt_lines(report))
    show_lines(next_step_lines(report, most=STEPS))


def show_short(report: "Report", *, steps: int = STEPS) -> None:
    """Print a benchmark on one screen: the answer, a line per run, doubts, and next ``steps``."""
    from assay.reports.runs.tables.brief import brief
    from assay.reports.runs.tables.collections import collections

    show_lines(answer_lines(report), gap=False)
    click.echo()
    show_table(report, brief(report, width=columns() or LOG, most=RUNS, whole=columns() is None))
    show_lines(warning_lines(report), gap=False)
    if (several := collections(report)) is not None:
        click.echo()
        show_table(report, several)
    show_lines(failure_lines(report))
    show_lines(_explained(report))
    show_lines(doubt_lines(report))
    show_lines(next_step_lines(report, most=steps))


def show_more(report: "Report", *, workspace: str | None = None) -> None:
    """List the commands that show more of the report."""
    if not report.id:
        return
    place = report_place(report) + (f" --workspace {shlex.quote(workspace)}" if workspace else "")
    learn = (f"assay report {place}", "findings: losses by stage, effect of each setting")
    all_ = (f"assay show {place}", "all metrics, settings and verdicts (--run NAME, --query KEY)")
    html = (f"assay report {place} -o report.html", "a page to share")
    show_commands("More", [learn, all_, html])


def _explained(report: "Report") -> list[str]:
    """Explain the verdicts other than SHIP."""
    from assay.reports.runs.phrases.doubts import open_verdicts

    return shorten_labels(report, open_verdicts(report, most=REASONS))


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


def _show_structure(report: "Report", place: str) -> None:
    """Show the effect of coherence beside its controls, for each run that uses it."""
    from assay.reports.structure.lines import lines
    from assay.reports.structure.summary import summary
    from assay.reports.terminal import terminal

    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    for name, structure in found:
        click.echo(f"\n{sanitize(name)}: effect of coherence")
        terminal(summary(structure))
        click.echo("\n".join(lines(structure, width=paragraph_width(), brief=True)))
    if found:
        more = f"assay report {place} -o report.md"
        click.echo(f"Gates, receipts and correlations: {more}, or --json")


def _show_verdicts(report: "Report", place: str) -> None:
    from assay.reports.comparisons.decision_table import decision_table
    from assay.reports.comparisons.verdicts import FEW, judge_next, verdicts

    compared = report.comparisons
    if compared is None:
        return
    click.echo()
    if len(compared.candidates) > FEW:
        show_table(report, decision_table(compared, width=columns()))
        click.echo(f"Reasons, and what would change each: assay show {place} --run NAME")
    if told := verdicts(compared, width=paragraph_width(), best=False):
        click.echo("\n".join(label_run(report, line) for line in told.split("\n")))
    if report.benchmark.get("unjudged") != "zero" and (documents := judge_next(compared)):
        click.echo(f"\n{documents}")


def _summary(report: "Report", *, width: int | None = None) -> "Table":
    from assay.workflows.report_files.report_tables import summary_of

    return summary_of(report, width=width)
