"""``assay workspace``: where it is, what is in its database, and a copy of that."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.output import as_json, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["workspace"]


def _common(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the options that both have."""
    folder = click.option(
        "--workspace",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Which workspace (default: the nearest .assay).",
    )
    return folder(click.option("--json", "json_", is_flag=True, help="Print JSON.")(command))


@click.group("workspace", short_help="Show the workspace's database, and back it up.")
def workspace() -> None:
    """Look at the database of a workspace, and copy it while it is in use.

    It holds benchmarks, their stored outputs and reports, and what a service keeps: datasets,
    mappings, judgments, events, tokens. `assay cache` shows what takes space in the workspace.
    """


@workspace.command("show", short_help="Show where it is, its step, sizes and counts.")
@_common
def show(*, workspace: str | None, json_: bool) -> None:
    """Show where the workspace is, which database it has, its step, its size and its counts.

    Nothing is changed: a database of an earlier Assay is upgraded by the next command that uses it.
    """
    from assay.workflows.workspace import show_workspace
    from assay.workspace.ledger.open_database import NEWEST

    found = show_workspace(workspace=workspace)
    if json_:
        from assay.reports.workspace.json import json

        click.echo(as_json(json(found, newest=NEWEST)))
        return
    from assay.reports.terminal import terminal
    from assay.reports.workspace.table import line_beside, table

    click.echo(wrap(found.database.place, out=True))
    if found.database.step is None:
        click.echo("no database yet")
    else:
        terminal(table(found, newest=NEWEST))
    if line := line_beside(found):
        click.echo(wrap(line, out=True))


@workspace.command("backup", short_help="Copy the database into a file, also while it is used.")
@click.argument("file", type=click.Path())
@click.option("--force", is_flag=True, help="Write over FILE.")
@_common
def backup(file: str, *, force: bool, workspace: str | None, json_: bool) -> None:
    """Copy the database of the workspace to FILE, in the state that it has now.

    Others may go on meanwhile. FILE is written whole or not at all. Indexes and remembered vectors
    are not in it: they are made again when they are needed. To restore it, put it as ledger.sqlite
    into a folder, and name that folder with --workspace.
    """
    from assay.cli.terminal.progress import progress
    from assay.reports.cache.size import size
    from assay.workflows.workspace import backup_workspace

    done = backup_workspace(file, workspace=workspace, force=force, track=progress)
    if json_:
        about = {"source": done.source, "file": str(done.file), "step": done.step}
        click.echo(as_json({**about, "bytes": done.bytes}))
        return
    click.echo(wrap(f"wrote {done.file}, {size(done.bytes)}, step {done.step}"), err=True)
