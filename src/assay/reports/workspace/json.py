"""The state of a workspace, for programs."""

from typing import Any

from assay.reports.workspace.table import WorkspaceFacts

__all__ = ["json"]


def json(state: WorkspaceFacts, *, newest: str) -> dict[str, Any]:
    """Gather the database and what lies beside it."""
    database = state.database
    return {
        "workspace": str(state.folder),
        "database": {
            "kind": database.kind,
            "place": database.place,
            "step": database.step,
            "newest_step": newest,
            "bytes": database.bytes,
        },
        "counts": dict(database.counts),
        "beside": {part.name: {"count": part.count, "bytes": part.bytes} for part in state.beside},
    }
