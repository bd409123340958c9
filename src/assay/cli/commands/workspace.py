"""``assay workspace``: where it is, what is in its database, and a copy of that."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import WORKSPACE
from assay.cli.terminal.output import as_json, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["workspace"]


def _common(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the options that both have."""
    return WORKSPACE(click.option("--json", "json_", is_flag=True, help="Print JSON.")(command))


@click.group("workspace", short_help="Show and back up the database of the workspace.")
def workspace() -> None:
    """Show the database of a workspace, or copy it while it is in use.

    It contains benchmarks, their stage outputs and reports, and the data of a service: datasets,
    mappings, judgments, events and access tokens. `assay cache` shows the disk usage.
    """


@workspace.command("show", short_help="Show its location, schema version, size and counts.")
@_common
def show(*, workspace: str | None, json_: bool) -> None:
    """Show the location, type, schema version, size and counts of the workspace's database.

    Nothing is changed. A database of an older version is upgraded by the next command that uses it.
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


@workspace.command("backup", short_help="Copy the database to a file, even while it is in use.")
@click.argument("file", type=click.Path())
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@_common
def backup(file: str, *, force: bool, workspace: str | None, json_: bool) -> None:
    """Copy the current state of the workspace's database to FILE.

    Other processes can keep using it. FILE is written completely or not at all. It does not contain
    indexes and cached vectors, which are rebuilt when needed. To restore the backup, save it as
    ledger.sqlite in a folder and pass that folder with --workspace.
    """
    from assay.cli.terminal.progress import progress
    from assay.reports.cache.size import size
    from assay.workflows.workspace import backup_workspace

    done = backup_workspace(file, workspace=workspace, force=force, track=progress)
    if json_:
        about = {"source": done.source, "file": str(done.file), "step": done.step}
        click.echo(as_json({**about, "bytes": done.bytes}))
        return
    held = f"{size(done.bytes)}, schema version {done.step}"
    click.echo(wrap(f"wrote {done.file} ({held})"), err=True)
