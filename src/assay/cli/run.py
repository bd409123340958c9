"""``assay run``: build, search, score and compare the configurations of a benchmark."""

import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from assay.cli._options import OUTPUT
from assay.cli._output import as_json, check_outputs, note, write
from assay.cli._progress import progress
from assay.cli._wrapped import wrapped

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = ["run"]


@click.command("run", short_help="Run a benchmark: which configuration to ship.")
@click.argument("benchmark", metavar="FILE")
@click.option(
    "--dataset", metavar="DATASET", help="Run over this one, with its own corpus, instead."
)
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON at full precision.")
@OUTPUT
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Start of the random numbers.",
)
@click.option(
    "--asks",
    type=click.IntRange(1, 1000),
    default=3,
    show_default=True,
    help="How often each query is asked; the median is its latency.",
)
@click.option(
    "--workspace",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where vectors are remembered (default: the nearest .assay).",
)
@click.option("--fresh", is_flag=True, help="Use no remembered vectors: embed all, and time it.")
@click.option(
    "--save-runs",
    metavar="FOLDER",
    help="Write a run file for each configuration: TREC's, or JSON where ids have spaces.",
)
def run(
    benchmark: str,
    outputs: tuple[str, ...],
    *,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Build each configuration of the benchmark in FILE, search with it, score and compare.

    FILE is YAML or JSON: a dataset, and a list of configurations. Exits with 0 once everything was
    measured, and with 1 if a configuration answered no judged query.
    """
    check_outputs(outputs)
    from assay.workflows.run import run as workflow

    report = workflow(benchmark, track=progress, **options)

    def value() -> Any:  # noqa: ANN401
        from assay.reports.runs.json import json

        return json(report)

    write(outputs, lambda extension: _tables(report, extension), value)
    for text in report.notes:
        note(text)
    if json_:
        click.echo(as_json(value()))
    else:
        _show(report)
    return int(any(one.status == "failed" for one in report.runs))


def _show(report: "Report") -> None:
    from assay.reports.comparisons.verdicts import verdicts
    from assay.reports.runs.headline import headline
    from assay.reports.runs.recommendations import recommendations
    from assay.reports.terminal import terminal

    click.echo(wrapped(headline(report), out=True))
    terminal(_summary(report))
    _show_structure(report)
    width = min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100
    if report.comparisons is not None:
        click.echo()
        click.echo(verdicts(report.comparisons, width=width))
    if told := recommendations(report):
        click.echo()
        click.echo("\n".join(told))


def _show_structure(report: "Report") -> None:
    """Show what structure is worth beside its controls, for each run that ranks by it."""
    from assay.reports.structure.lines import lines
    from assay.reports.structure.summary import summary
    from assay.reports.terminal import terminal

    width = min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100
    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    for name, structure in found:
        click.echo(f"\n{name}: what structure is worth")
        terminal(summary(structure))
        click.echo("\n".join(lines(structure, width=width, brief=True)))
    if found:
        click.echo("More on gates, receipts and correlations: -o FILE.md, or --json.")


def _summary(report: "Report") -> "Table":
    from assay.metrics import parse
    from assay.reports.runs.summary import summary

    named = [str(name) for name in report.benchmark["metrics"]]
    lower = frozenset(name for name in named if not parse(name).kind.higher_is_better)
    return summary(report, lower_is_better=lower)


def _tables(report: "Report", extension: str) -> "list[Table]":
    """Give values to programs, the summary and the verdicts to people."""
    from assay.reports.comparisons.decisions import decisions
    from assay.reports.comparisons.differences import differences
    from assay.reports.runs.values import values

    if extension in ("csv", "parquet"):
        return [values(report)]
    if extension == "tex":
        return [_summary(report)]
    told = [_summary(report), *_structures(report)]
    if report.comparisons is None:
        return told
    return [*told, decisions(report.comparisons), differences(report.comparisons)]


def _structures(report: "Report") -> "list[Table]":
    """Lay out what structure is worth, for each run that ranks by it: methods, then figures."""
    from dataclasses import replace

    from assay.reports.structure.figures import figures
    from assay.reports.structure.summary import summary

    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    return [
        table
        for name, structure in found
        for table in (
            replace(summary(structure), caption=f"{name}: {structure.verdict}"),
            figures(structure, caption=f"{name}: what its receipts tell"),
        )
    ]
