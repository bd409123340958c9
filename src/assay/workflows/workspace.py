"""Workspace: what its database holds, a copy of it while others use it, and the way back."""

from dataclasses import dataclass
from pathlib import Path

from assay.records import Track, untracked
from assay.workspace.backups.backup import BackupResult, backup
from assay.workspace.backups.restore import RestoreResult, restore
from assay.workspace.database_state import DatabaseState, read_database
from assay.workspace.locate import locate
from assay.workspace.usage import UsagePart, must_be_readable, usage

__all__ = ["WorkspaceState", "backup_workspace", "restore_workspace", "show_workspace"]

BESIDE = ("builds", "indexes", "vectors", "tokens")  # what is in no backup, and is made again


@dataclass(frozen=True, slots=True)
class WorkspaceState:
    """Where a workspace is, its database, and what lies beside that."""

    folder: Path
    database: DatabaseState
    beside: tuple[UsagePart, ...]


def show_workspace(*, workspace: str | Path | None = None) -> WorkspaceState:
    """Look at a workspace; nothing is made or changed, and no step is taken."""
    place = locate(given=workspace)
    must_be_readable(place)
    state = read_database(place.database)
    beside = tuple(part for part in usage(place) if part.name in BESIDE)
    return WorkspaceState(place.folder, state, beside)


def backup_workspace(
    file: str | Path,
    *,
    workspace: str | Path | None = None,
    force: bool = False,
    track: Track = untracked,
) -> BackupResult:
    """Copy the ledger and the store of a workspace into a file, also while others write.

    A folder that has the file as `ledger.sqlite` is a workspace; indexes are built again in it.
    """
    place = locate(given=workspace)
    must_be_readable(place)
    return backup(place.database, file, force=force, track=track)


def restore_workspace(
    file: str | Path,
    *,
    workspace: str | Path | None = None,
    force: bool = False,
    track: Track = untracked,
) -> RestoreResult:
    """Replace all that the database of a workspace contains by a backup, all or nothing.

    Content is replaced only with ``force``, and is backed up before. Others may have the database
    open: a service continues with the restored content.
    """
    return restore(locate(given=workspace), file, force=force, track=track)
