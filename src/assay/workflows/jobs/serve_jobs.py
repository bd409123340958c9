"""Do the jobs of a workspace as they come, without end."""

import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field

from assay.benchmarks.work.worker import Worker
from assay.errors import AssayError, CancelledError, FencedError, UnavailableError
from assay.records.work import StoredJob
from assay.searches.environment import machine_name
from assay.text.quote import quote
from assay.workflows.jobs.perform import perform
from assay.workspace.changes import open_changes
from assay.workspace.ledger.ledger import Ledger, open_ledger, worker_name
from assay.workspace.locate import Workspace

__all__ = ["JobNews", "serve_jobs"]

POLL_S = 1.0  # a worker that dies changes nothing in the database, so it is looked at in any case
PAUSE_S = 0.1  # at least, between two looks while others change the database all the time
AGAIN_S = 5.0  # after which a job is tried again that others work on, or whose server was away
MEMORY = "not enough memory"
MEMORY_HINT = "reduce the work, or free memory and resume the benchmark"


@dataclass(frozen=True, slots=True)
class JobNews:
    """A worker has begun a job, or stopped: its ``state`` is running, or how that ended."""

    worker: str
    id: str
    name: str
    state: str
    error: str = ""


Tell = Callable[[JobNews], None]


def serve_jobs(place: Workspace, *, tell: Tell = lambda _: None) -> None:
    """Do one job after another, and wait for the next; an interrupt is the only end.

    A job that cannot be done is noted as failed, and does not end the loop.
    """
    with (
        closing(open_ledger(place.database)) as ledger,
        closing(open_changes(place.database)) as changes,
    ):
        service = _Loop(place, ledger, worker_name(), machine_name(), tell)
        while True:
            if not service.work():
                changes.wait(POLL_S)
                time.sleep(PAUSE_S)


@dataclass(frozen=True, eq=False)
class _Loop:
    """What a worker remembers from one job to the next: those that it leaves alone for a while."""

    place: Workspace
    ledger: Ledger
    worker: str
    machine: str
    tell: Tell
    skipped: dict[str, float] = field(default_factory=dict)  # until when, on the monotonic clock

    def work(self) -> bool:
        """Do a job, if there is one."""
        now = time.monotonic()
        skip = [job for job, until in self.skipped.items() if until > now]
        try:
            job = self.ledger.take_job(self.worker, self.machine, skip=skip)
        except UnavailableError:  # the database is away; the next look finds it again
            return False
        if job is None:
            return False
        self.tell(JobNews(self.worker, job.id, job.name, "running"))
        state, error = self._do(job)
        self.tell(JobNews(self.worker, job.id, job.name, state, error))
        return True

    def _do(self, job: StoredJob) -> tuple[str, str]:
        try:
            with Worker(self.ledger, job.id, self.worker, self.machine).present():
                perform(job, self.place)
        except (CancelledError, FencedError) as error:
            return "stopped", error.problem  # its hint names an option of `assay run`
        except UnavailableError as error:
            self._skip(job)
            return "postponed", str(error)
        except AssayError as error:
            return self._failed(job, str(error))
        except MemoryError:
            return self._failed(job, str(AssayError(MEMORY, hint=MEMORY_HINT)))
        except Exception as error:  # noqa: BLE001 - a fault of ours in one job ends no other
            return self._failed(job, f"internal error ({type(error).__name__}: {error})")
        return "completed", ""

    def _failed(self, job: StoredJob, error: str) -> tuple[str, str]:
        """Note why a job failed, unless others still work on it: they may see what we cannot."""
        try:
            if self.ledger.has_workers(job.id):
                self._skip(job)
                return "postponed", error
            self.ledger.fail_job(job.id, error)
        except AssayError as why:
            self._skip(job)
            return "postponed", f"{error}\ncannot be noted for {quote(job.name)}: {why}"
        return "failed", error

    def _skip(self, job: StoredJob) -> None:
        self.skipped[job.id] = time.monotonic() + AGAIN_S
        with suppress(AssayError):
            self.ledger.drop_job(self.worker, job.id)
