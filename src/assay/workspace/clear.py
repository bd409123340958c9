"""Remove all of a kind that a workspace holds, but for what a living process works on."""

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from assay.workspace._shrink_files import count_of, memory_bytes, remove_index, shrink
from assay.workspace.builds import Builds
from assay.workspace.disk.faults import explained
from assay.workspace.disk.folder_locks import GONE
from assay.workspace.locate import Workspace
from assay.workspace.usage import indexes_in, must_be_readable, open_tapes, tapes_in

__all__ = ["KINDS", "REBUILT", "ClearResult", "clear"]

REBUILT = ("tapes", "builds", "vectors", "tokens", "indexes")
"""What is made again when it is needed: it costs only time."""
KINDS = (*REBUILT, "reports")


@dataclass(frozen=True, slots=True)
class ClearResult:
    """How many of a kind were removed, the bytes that this freed, and how many are in use."""

    name: str
    removed: int
    freed: int
    in_use: int = 0


def clear(workspace: Workspace, kinds: Sequence[str]) -> tuple[ClearResult, ...]:
    """Remove all of these kinds; a kind that is not there is no mistake."""
    acts = {
        "tapes": _tapes,
        "builds": _builds,
        "vectors": _vectors,
        "tokens": _tokens,
        "indexes": _indexes,
        "reports": _reports,
    }
    must_be_readable(workspace)
    with explained(workspace.folder):
        return tuple(acts[kind](workspace) for kind in KINDS if kind in kinds)


def _tapes(workspace: Workspace) -> ClearResult:
    found = open_tapes(workspace)
    if found is None:
        return ClearResult("tapes", 0, 0)
    with closing(found):
        before = len(tapes_in(found))
        freed = found.forget([unit.key for unit in found.tapes()])
        left = len(tapes_in(found))
    return ClearResult("tapes", before - left, freed, left)


def _builds(workspace: Workspace) -> ClearResult:
    builds = Builds(workspace.builds)
    keys = list(builds.sizes())
    freed = builds.sweep() + builds.forget(keys)
    left = len(builds.sizes())
    return ClearResult("builds", len(keys) - left, freed, left)


def _vectors(workspace: Workspace) -> ClearResult:
    return _memory("vectors", workspace)


def _tokens(workspace: Workspace) -> ClearResult:
    return _memory("tokens", workspace)


def _memory(name: str, workspace: Workspace) -> ClearResult:
    path = getattr(workspace, name)
    before = count_of(path)
    freed = shrink(path, to_bytes=0) if memory_bytes(path) else 0
    left = count_of(path)
    return ClearResult(name, max(0, before - left), max(0, freed), left)


def _indexes(workspace: Workspace) -> ClearResult:
    freed, found = 0, indexes_in(workspace)
    for folder in found:
        freed += remove_index(folder)
    for folder in workspace.indexes.glob(f"*{GONE}"):
        shutil.rmtree(folder, ignore_errors=True)
    left = len(indexes_in(workspace))
    return ClearResult("indexes", len(found) - left, freed, left)


def _reports(workspace: Workspace) -> ClearResult:
    if not workspace.has_database:
        return ClearResult("reports", 0, 0)
    from assay.workspace.ledger.forget_reports import forget_reports

    return ClearResult("reports", *forget_reports(workspace.database))
