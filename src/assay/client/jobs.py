"""Jobs of a service in the background, other than benchmarks."""

from collections.abc import Iterator

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.client.watch import watch
from assay.records.service import JobStatus

__all__ = ["JobVerbs"]

PLACE = "jobs"


class JobVerbs:
    """List, await and cancel the jobs that index corpora and resolve mappings."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self, *, kind: str = "", state: str = "") -> Iterator[JobStatus]:
        """List jobs, the newest first."""
        return self._connection.pages(f"/{PLACE}", JobStatus, kind=kind, state=state)

    def get(self, job: str) -> JobStatus:
        """Return how far a job is, and what it came to."""
        return decode(JobStatus, self._connection.get(item_path(PLACE, job)))

    def wait(self, job: str, *, timeout_s: float | None = None) -> JobStatus:
        """Wait until a job has ended; UnavailableError if it takes longer than ``timeout_s``."""
        for _ in watch(self._connection, PLACE, job, timeout_s=timeout_s):
            pass
        return self.get(job)

    def cancel(self, job: str) -> JobStatus:
        """Cancel a job: at once, or as soon as its worker has stopped."""
        return decode(JobStatus, self._connection.send("POST", item_path(PLACE, job, "cancel")))
