"""``assay workspace``: where it is, what is in its database, a copy of that, and the way back."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import WORKSPACE
from assay.cli.terminal.output import as_json, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["workspace"]


def _common(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the options that all have."""
    return WORKSPACE(click.option("--json", "json_", is_flag=True, help="Print JSON.")(command))


@click.group("workspace", short_help="Show, back up and restore the database of the workspace.")
def workspace() -> None:
    """Show the database of a workspace, copy it while it is in use, or restore a copy.

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
    indexes and cached vectors, which are rebuilt when needed; `assay workspace restore` restores
    it.
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


@workspace.command("restore", short_help="Replace the database by a backup.")
@click.argument("file", type=click.Path())
@click.option("--force", is_flag=True, help="Replace a database that is not empty.")
@_common
def restore(file: str, *, force: bool, workspace: str | None, json_: bool) -> None:
    """Replace the content of the workspace's database by the backup in FILE, all or nothing.

    A database that is not empty is replaced only with --force, and is backed up to the folder
    backups of the workspace first. A service can keep running: benchmarks in progress continue from
    the restored state. Tokens that are revoked now stay revoked.
    """
    from assay.cli.terminal.progress import progress
    from assay.workflows.workspace import restore_workspace

    done = restore_workspace(file, workspace=workspace, force=force, track=progress)
    saved = None if done.saved is None else str(done.saved)
    if json_:
        about = {"file": str(done.file), "database": done.place, "backup_step": done.backup_step}
        click.echo(as_json({**about, "step": done.step, "saved": saved}))
        return
    version = f"schema version {done.backup_step}"
    version += f", upgraded to {done.step}" if done.step != done.backup_step else ""
    click.echo(wrap(f"restored {done.place} from {done.file} ({version})"), err=True)
    if saved is not None:
        click.echo(wrap(f"the content before is in {saved}"), err=True)
