"""``assay report``: the findings of a benchmark, on the screen or in files."""

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import REPORT_OUTPUT, URL, WORKSPACE, refuse_workspace
from assay.cli.terminal.analysis import show_analysis
from assay.cli.terminal.output import as_json
from assay.cli.terminal.report import check_report_outputs, wrote
from assay.cli.terminal.report_parts import show_commands
from assay.cli.terminal.text_file import is_text, write_texts
from assay.errors import UsageError
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["report"]


@click.command(short_help="Show the findings of a report; write pages, charts and data.")
@click.argument("report", required=False, metavar="[REPORT]")
@REPORT_OUTPUT
@click.option("--run", metavar="NAME", help="The run for a chart or layout that shows one run.")
@click.option(
    "--load",
    type=click.FloatRange(min=0, min_open=True),
    metavar="QPS",
    help="Simulate this many queries per second.",
)
@click.option(
    "--cores", type=click.IntRange(1, 100_000), metavar="N", help="Number of cores for --load."
)
@click.option(
    "--price", type=click.FloatRange(min=0), metavar="P", help="Price of a core per hour."
)
@click.option("--all", "all_", is_flag=True, help="Print all tables.")
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@WORKSPACE
@URL
def report(
    report: str | None,
    outputs: tuple[str, ...],
    *,
    run: str | None,
    all_: bool,
    json_: bool,
    url: str | None,
    **options: Any,  # noqa: ANN401
) -> int:
    """Show the findings of the REPORT of a benchmark: a file, or an id of the workspace.

    Without REPORT, the newest report of the workspace is used. One screen shows which run to ship,
    which stage loses relevant documents, the effect of each setting, and what to do next; --all
    adds the tables. With -o the report is written instead: as a page (html, md), as data, as text
    or as a chart. With --url it is a benchmark of that service, by its id or name.
    """
    if run is not None and not outputs:
        hint = "add -o FILE; `assay show REPORT --run NAME` shows one run in full"
        raise UsageError("--run needs -o with a chart or layout that shows one run", hint=hint)
    from assay.workflows.report import report as workflow

    check_report_outputs(outputs)
    files = [path for path in outputs if not is_text(path)]
    refuse_workspace(url, options["workspace"])
    opened, place = (report, "") if url is None else _fetched(url, report)
    told = workflow(opened, files, run=run, wrote=wrote, **options)
    write_texts(outputs, lambda: show_analysis(told, whole=all_), wrote=wrote)
    if json_:
        from assay.reports.runs.json.json import json

        click.echo(as_json(json(told)))
    elif not outputs:
        if url is None:
            _show_which(told, report, options["workspace"])
        show_analysis(told, whole=all_)
        _show_rest(place or shlex.quote(report or told.id[:8]), options, whole=all_)
    return 0


def _fetched(url: str, named: str | None) -> "tuple[Report, str]":
    """Fetch a report from a service; return also how commands name it."""
    from assay.cli.remote.reports import open_remote

    fetched, place, _ = open_remote(url, named)
    return fetched, place


def _show_which(told: "Report", place: str | None, workspace: str | None) -> None:
    """Say which report it is and from when, where no file was given."""
    from assay.benchmarks.open_report import list_benchmarks

    if not told.id or (place is not None and Path(place).exists()):
        return
    made = [one.created for one in list_benchmarks(workspace=workspace) if one.id == told.id]
    when = time.strftime(" of %Y-%m-%d %H:%M", time.localtime(made[0])) if made else ""
    newest = ", the newest in the workspace" if place is None else ""
    click.echo(sanitize(f"report {told.id[:8]}{when}{newest}"))


def _show_rest(place: str, options: dict[str, Any], *, whole: bool) -> None:
    """Say how to see all tables and how to share them, with the same options."""
    named = ("load", "cores", "price", "workspace")
    given = [(f"--{name}", options[name]) for name in named if options[name] is not None]
    asked = "".join(f" {name} {shlex.quote(_plain(value))}" for name, value in given)
    command = f"assay report {place}{asked}"
    more = [] if whole else [(f"{command} --all", "all tables")]
    show_commands("More", [*more, (f"{command} -o report.html", "a page to share")])


def _plain(value: object) -> str:
    """Write a number as it was given."""
    return str(value).removesuffix(".0")
