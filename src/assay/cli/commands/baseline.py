"""``assay baseline``: bless a report, and see what was blessed."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.gate_options import BASELINES, gate_checks
from assay.cli.options import JSON, WORKSPACE
from assay.cli.terminal.output import as_json, note, wrap

if TYPE_CHECKING:
    from assay.workflows.bless import BlessResult

__all__ = ["baseline"]


@click.group("baseline", short_help="Bless, show and list the baselines that gates compare with.")
def baseline() -> None:
    """Bless a report as the baseline of its benchmark, or show what was blessed.

    A baseline is a small file in the folder assay-baselines: commit it. It changes only when
    somebody blesses another report.
    """


@baseline.command("bless", short_help="Make a report the baseline of its benchmark.")
@click.argument("report", metavar="REPORT")
@click.option("--name", metavar="NAME", help="Its name (default: the name of the benchmark).")
@click.option("--run", "runs", multiple=True, metavar="NAME", help="Only this run; repeatable.")
@gate_checks
@BASELINES
@WORKSPACE
@JSON
def bless(
    report: str,
    *,
    name: str | None,
    runs: tuple[str, ...],
    baselines: str | None,
    workspace: str | None,
    json_: bool,
    **checks: Any,  # noqa: ANN401 - those of gate_checks
) -> None:
    """Make REPORT, a file or an id, the baseline that `assay gate CURRENT` compares with.

    The checks given are stored with it, and are those of every gate that is given none; without
    any, the checks of the baseline that is replaced stay.
    """
    from assay.workflows.bless import bless as workflow

    places: dict[str, Any] = {"baselines": baselines, "workspace": workspace}
    done = workflow(report, name=name, runs=runs, **places, **checks)
    for text in done.notes:
        note(text)
    if json_:
        from assay.reports.gates.baselines import baseline_json

        click.echo(as_json(baseline_json(done.baseline)))
        return
    _show_blessed(done)


def _show_blessed(done: "BlessResult") -> None:
    from assay.reports.gates.baselines import blessed_lines, scores_table
    from assay.reports.terminal import terminal

    for line in blessed_lines(done.baseline, done.earlier):
        click.echo(wrap(line, out=True))
    click.echo()
    terminal(scores_table(done.baseline, done.earlier))
    click.echo(wrap(f"wrote {done.baseline.file}: commit it"), err=True)


@baseline.command("show", short_help="Show one baseline: scores, age, commit, checks, history.")
@click.argument("name", required=False, metavar="[NAME]")
@BASELINES
@JSON
def show(name: str | None, *, baselines: str | None, json_: bool) -> None:
    """Show the baseline NAME, a name or a file; it can be omitted if there is only one."""
    from datetime import UTC, datetime

    from assay.reports.gates.baselines import baseline_json, baseline_lines, scores_table
    from assay.reports.terminal import terminal
    from assay.workflows.baseline import show_baseline

    found = show_baseline(name, folder=baselines)
    if json_:
        click.echo(as_json(baseline_json(found)))
        return
    for line in baseline_lines(found, now=datetime.now(UTC)):
        click.echo(wrap(line, out=True))
    click.echo()
    terminal(scores_table(found))


@baseline.command("list", short_help="List the baselines of this repository.")
@BASELINES
@JSON
def list_(*, baselines: str | None, json_: bool) -> None:
    """List the baselines with their age, commit, runs and primary scores."""
    from datetime import UTC, datetime

    from assay.reports.gates.baselines import baseline_json, baselines_table
    from assay.reports.terminal import terminal
    from assay.workflows.baseline import list_baselines

    found = list_baselines(folder=baselines)
    if json_:
        click.echo(as_json([baseline_json(one) for one in found]))
    elif not found:
        click.echo("no baseline has been blessed: assay baseline bless REPORT")
    else:
        terminal(baselines_table(found, now=datetime.now(UTC)))
