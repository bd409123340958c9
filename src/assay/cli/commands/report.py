"""``assay report``: what is to be learnt from a benchmark, on the screen or in files."""

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import REPORT_OUTPUT
from assay.cli.terminal.analysis import show_analysis
from assay.cli.terminal.output import as_json
from assay.cli.terminal.report import wrote
from assay.cli.terminal.report_parts import show_rest
from assay.errors import UsageError
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["report"]


@click.command(short_help="Tell what is to be learnt from a report; write pages and charts.")
@click.argument("report", required=False, metavar="[REPORT]")
@REPORT_OUTPUT
@click.option("--run", metavar="NAME", help="The run that a chart or a shape of others is about.")
@click.option(
    "--load",
    type=click.FloatRange(min=0, min_open=True),
    metavar="QPS",
    help="Simulate that many queries per second.",
)
@click.option("--cores", type=click.IntRange(1, 100_000), metavar="N", help="On so many cores.")
@click.option(
    "--price", type=click.FloatRange(min=0), metavar="P", help="What a core costs for an hour."
)
@click.option("--all", "all_", is_flag=True, help="Print a table for each question, too.")
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@click.option(
    "--workspace",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where benchmarks are kept (default: the nearest .assay).",
)
def report(
    report: str | None,
    outputs: tuple[str, ...],
    *,
    run: str | None,
    all_: bool,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Tell what is to be learnt from the REPORT of a benchmark, a file or an id of the workspace.

    Without REPORT it is the newest of the workspace. On one screen it tells what to take, which
    stage loses the relevant documents, what each setting is worth, and what to do next; --all has
    the tables behind it. With -o it is written instead: as a page to forward (html, md), as data,
    or as a chart.
    """
    if run is not None and not outputs:
        hint = "add -o FILE; `assay show REPORT --run NAME` tells all that was measured of it"
        raise UsageError("--run is about a chart or a shape of others", hint=hint)
    from assay.workflows.report import report as workflow

    told = workflow(report, outputs, run=run, wrote=wrote, **options)
    if json_:
        from assay.reports.runs.json.json import json

        click.echo(as_json(json(told)))
    elif not outputs:
        _show_which(told, report, options["workspace"])
        show_analysis(told, whole=all_)
        _show_rest(report or told.id[:8], options, whole=all_)
    return 0


def _show_which(told: "Report", place: str | None, workspace: str | None) -> None:
    """Say which report it is and from when, to whoever named no file."""
    from assay.benchmarks.open_report import list_benchmarks

    if not told.id or (place is not None and Path(place).exists()):
        return
    made = [one.created for one in list_benchmarks(workspace=workspace) if one.id == told.id]
    when = time.strftime(" of %Y-%m-%d %H:%M", time.localtime(made[0])) if made else ""
    newest = ", the newest of the workspace" if place is None else ""
    click.echo(sanitize(f"report {told.id[:8]}{when}{newest}"))


def _show_rest(place: str, options: dict[str, Any], *, whole: bool) -> None:
    """Say how to see all of it and how to forward it, with what was asked for."""
    named = ("load", "cores", "price", "workspace")
    given = [(f"--{name}", options[name]) for name in named if options[name] is not None]
    asked = "".join(f" {name} {shlex.quote(_plain(value))}" for name, value in given)
    command = f"assay report {shlex.quote(place)}{asked}"
    more = [] if whole else [f"all tables: {command} --all"]
    show_rest([*more, f"to forward it: {command} -o report.html"])


def _plain(value: object) -> str:
    """Write a number as it was given."""
    return str(value).removesuffix(".0")
