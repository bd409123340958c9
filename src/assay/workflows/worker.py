"""Worker: the pending and running jobs of a workspace -> how they ended."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import AssayError, CancelledError, InputError
from assay.records import Track, untracked
from assay.workflows.jobs.perform import perform
from assay.workspace.locate import Workspace, locate

if TYPE_CHECKING:
    from assay.records.work import StoredJob

__all__ = ["WorkerResult", "worker"]


@dataclass(frozen=True, slots=True)
class WorkerResult:
    """How a job ended: its ``state`` is completed, failed, cancelled or interrupted."""

    id: str
    kind: str
    name: str
    state: str
    error: str = ""


def worker(
    job: str | None = None, *, workspace: str | Path | None = None, progress: Track = untracked
) -> list[WorkerResult]:
    """Work on a benchmark or another job, or on all pending and running ones of a workspace.

    Everything a worker needs is in the workspace: it continues the work of a process that died, and
    shares the work of one that is running. ``job`` is an id or its first characters. Returns when
    nothing is left to do.
    """
    place = locate(given=workspace)
    if not place.has_database:
        hint = "specify the folder with --workspace, or a database with ASSAY_DATABASE_URL"
        problem = "no benchmark was started in this workspace"
        raise InputError(problem, where=str(place.folder), hint=hint)
    return [*_results(place, job, progress)]


def _results(place: Workspace, job: str | None, track: Track) -> Iterator[WorkerResult]:
    done: set[str] = set()
    while left := [one for one in _jobs(place, job) if one.id not in done]:
        for one in left:
            done.add(one.id)
            yield _worked(one, place, track)


def _jobs(place: Workspace, job: str | None) -> "list[StoredJob]":
    from assay.workspace.ledger.ledger import open_ledger

    with closing(open_ledger(place.database)) as ledger:
        return ledger.open_jobs() if job is None else [ledger.job(job)]


def _worked(job: "StoredJob", place: Workspace, track: Track) -> WorkerResult:
    try:
        perform(job, place, track=track)
    except CancelledError as error:
        (stored,) = _jobs(place, job.id)
        state = "interrupted" if stored.state == "interrupted" else "cancelled"
        return WorkerResult(job.id, job.kind, job.name, state, str(error))
    except AssayError as error:
        return WorkerResult(job.id, job.kind, job.name, "failed", str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours in one job holds up no other
        told = f"{type(error).__name__}: {error}"
        return WorkerResult(job.id, job.kind, job.name, "failed", told)
    return WorkerResult(job.id, job.kind, job.name, "completed")
