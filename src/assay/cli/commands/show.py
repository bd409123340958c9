"""``assay show``: what a benchmark measured, as a whole, by run or by query."""

import shlex
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import URL, WORKSPACE, refuse_workspace
from assay.cli.terminal.notes import show_notes
from assay.cli.terminal.output import as_json, note, wrap
from assay.cli.terminal.report import show_report
from assay.cli.terminal.report_parts import show_commands
from assay.cli.terminal.size import columns, paragraph_width
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.records import Candidate, Report, Run
    from assay.workspace.ledger.ledger import BenchmarkEntry

__all__ = ["show"]


@click.command(short_help="List reports; show one: whole, one run, or one query.")
@click.argument("report", required=False, metavar="[REPORT]")
@click.option("--run", "run_name", metavar="NAME", help="Show one run in full.")
@click.option(
    "--query", metavar="KEY", help="Show one query: scores and top documents of every run."
)
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@WORKSPACE
@URL
def show(
    report: str | None,
    *,
    run_name: str | None,
    query: str | None,
    json_: bool,
    workspace: str | None,
    url: str | None,
) -> int:
    """Show the REPORT of a benchmark, a file or the id (or its beginning) of one in the workspace.

    Without REPORT the benchmarks of the workspace are listed, newest first; --run and --query show
    a part of the newest report. With --url it is a benchmark of that service, by its id or name.
    """
    if run_name is not None and query is not None:
        raise UsageError("--run and --query exclude each other", hint="remove one of them")
    refuse_workspace(url, workspace)
    if report is None and run_name is None and query is None:
        if url is None:
            return _list(workspace, json_=json_)
        from assay.cli.remote.listing import list_remote

        return list_remote(url, json_=json_)
    from assay.workflows.show import find_query, find_run

    opened, place, named = _opened(report, workspace, url)
    wanted = run_name or named
    if query is not None:
        _show_query(opened, find_query(opened, query), json_=json_)
    elif wanted:
        _show_run(opened, find_run(opened, wanted), json_=json_)
    else:
        _show_whole(opened, place, workspace, json_=json_)
    return 0


def _opened(
    report: str | None, workspace: str | None, url: str | None
) -> "tuple[Report, str, str]":
    """Open a report, here or on a service; return it, how commands name it, and a run it names."""
    from assay.benchmarks.open_report import split_run

    if url is not None:
        from assay.cli.remote.reports import open_remote

        return open_remote(url, report)
    from assay.workflows.show import show as workflow

    if report is None:
        from assay.workflows.report import newest

        report = newest(workspace)
    place, named = split_run(report)
    return workflow(place, workspace=workspace), shlex.quote(place), named


def _list(workspace: str | None, *, json_: bool) -> int:
    from assay.benchmarks.open_report import list_benchmarks
    from assay.reports.runs.tables.benchmark_list import benchmark_list, benchmark_list_json
    from assay.reports.terminal import terminal

    found = list_benchmarks(workspace=workspace)
    if json_:
        click.echo(as_json(benchmark_list_json(found)))
    elif found:
        terminal(benchmark_list(found))
        _note_unfinished(found)
    else:
        note("no benchmarks in this workspace yet; `assay run FILE` creates one")
    return 0


def _note_unfinished(listed: "Sequence[BenchmarkEntry]") -> None:
    """Say how what was interrupted or cancelled continues: here, or by its service."""
    again = "to resume, run the same command with --resume"
    there = "to resume, run `assay run ID --resume --url URL`"
    ours, served = ([one for one in listed if bool(one.author) is at] for at in (False, True))
    if any(one.interrupted for one in ours):
        note(f"interrupted: {again}")
    if any(one.interrupted for one in served):
        note("interrupted: a benchmark of a service continues when the service runs again")
    if any(one.state == "cancelled" for one in ours):
        note(f"cancelled: {again}")
    if any(one.state == "cancelled" for one in served):
        note(f"cancelled by a service: {there}")


def _show_whole(report: "Report", place: str, workspace: str | None, *, json_: bool) -> None:
    from assay.reports.runs.json.json import json

    if json_:
        show_notes(report)
        click.echo(as_json(json(report)))
        return
    show_report(report, place=place)
    if report.notes:
        click.echo(err=True)
    show_notes(report)
    where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
    learn = f"assay report {place}{where}"
    show_commands("More", [(learn, "findings: losses by stage, effect of each setting")])


def _show_run(report: "Report", run: "Run", *, json_: bool) -> None:
    from assay.reports.comparisons.verdicts import verdict_words
    from assay.reports.runs.phrases.failures import failures
    from assay.reports.runs.phrases.run_label import run_label
    from assay.reports.runs.phrases.stopped_runs import stopped_runs
    from assay.reports.runs.tables.detail import detail
    from assay.reports.terminal import terminal

    if json_:
        click.echo(as_json(_run_json(report, run)))
        return
    also = f", same as {', '.join(run.aliases)}" if run.aliases else ""
    click.echo(wrap(f"{run.name}{also}: {run.status}, {run.fingerprint[:12]}", out=True))
    for line in dict.fromkeys([*failures(report), *stopped_runs(report)]):
        if line.startswith((f"{run.name}: ", f"{run_label(report, run.name)}: ")):
            click.echo(wrap(line, out=True))
    for table in detail(report, run):
        click.echo()
        terminal(table)
    if (candidate := _candidate(report, run)) and report.comparisons:
        click.echo()
        click.echo(verdict_words(candidate, report.comparisons.primary, width=paragraph_width()))
    for text in run.notes:
        note(text)


def _candidate(report: "Report", run: "Run") -> "Candidate | None":
    candidates = report.comparisons.candidates if report.comparisons else ()
    return next((one for one in candidates if one.run == run.name), None)


def _run_json(report: "Report", run: "Run") -> dict[str, Any]:
    """Return a run of a report with its comparison and its verdict, where it has them."""
    from assay.reports.runs.json.json import json

    whole = json(report)
    found: dict[str, Any] = whole["runs"][report.runs.index(run)]
    for key, part in (("comparison", "comparisons"), ("verdict", "verdicts")):
        found[key] = next((one for one in whole[part] if one["run"] == run.name), None)
    return found


def _show_query(report: "Report", query: str, *, json_: bool) -> None:
    from assay.reports.runs.phrases.run_numbers import number_runs
    from assay.reports.runs.tables.of_query import of_query, of_query_json
    from assay.reports.terminal import terminal

    if json_:
        click.echo(as_json(of_query_json(report, query)))
        return
    text = str(report.queries.get(query, {}).get("text") or "")
    named = f"{query}: {text}" if text and text != query else query
    click.echo(wrap(named, out=True))
    names = [run.name for run in report.runs]
    for table in of_query(report, query, width=columns()):
        click.echo()
        terminal(number_runs(table, names))
