"""Upgrade the database of a workspace, after a backup of it was made."""

from contextlib import closing
from pathlib import Path

from assay.workspace.backups._backup_folder import current_step, save, take_turn
from assay.workspace.ledger.open_database import NEWEST, open_database
from assay.workspace.locate import Workspace

__all__ = ["upgrade_with_backup"]

PATIENCE_S = 1800.0  # for another process that backs up and upgrades the same database


def upgrade_with_backup(workspace: Workspace) -> Path | None:
    """Bring a database of an older version to this one; return the backup made before, if any.

    Of several processes that start at once one does it, and the others wait for that. A database
    that is new, up to date or of a newer version is left alone.
    """
    if not _is_older(workspace):
        return None
    with take_turn(workspace, patience_s=PATIENCE_S):
        if not _is_older(workspace):  # another process was faster
            return None
        saved = save(workspace, f"version-{current_step(workspace)}-before-{NEWEST}")
        with closing(open_database(workspace.database)):
            return saved


def _is_older(workspace: Workspace) -> bool:
    step = current_step(workspace)
    return step is not None and step < NEWEST
