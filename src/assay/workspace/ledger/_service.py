"""What a service asks of the ledger: benchmarks that wait, are started, watched and shared out."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records.service import (
    BenchmarkProgress,
    BenchmarkStatus,
    JobStatus,
    Page,
    RunProgress,
)
from assay.records.work import StoredJob
from assay.text.quote import quote_value
from assay.workspace.ledger._benchmarks import find_job, finish_benchmark
from assay.workspace.ledger._database import Database
from assay.workspace.ledger._lifecycle import (
    bring_benchmark_back,
    cancel_benchmark,
    confirm_cancel,
    create_benchmark,
    delete_benchmark,
    fail_benchmark,
    is_to_stop,
    purge_benchmarks,
    resume_benchmark,
    retry_benchmark,
    settle_benchmark,
    start_benchmark,
)
from assay.workspace.ledger._progress import (
    ended_since,
    find_job_status,
    find_status,
    page_jobs,
    page_statuses,
    progress_of,
)
from assay.workspace.ledger._workers import choose_job, forget_worker, note_worker

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["LEASE_S", "ServiceLedger"]

VARIABLE = "ASSAY_LEASE_S"
LEAST_S, MOST_S = 0.1, 86_400.0


def _read_lease() -> float:
    """Read how long a worker keeps a unit without a sign of life; all machines use the same."""
    given = os.environ.get(VARIABLE, "").strip() or "30"
    with suppress(ValueError):
        if LEAST_S <= float(given) <= MOST_S:
            return float(given)
    hint = f"expected a number of seconds from {LEAST_S} to {MOST_S:,.0f}"
    raise InputError(f"invalid value {quote_value(given, 40)}", where=VARIABLE, hint=hint)


LEASE_S = _read_lease()


class ServiceLedger:
    """The part of a ledger that a service and its workers use; each call is one transaction.

    A benchmark is created pending, and is worked on once it is started. Whatever changes its state
    counts its ``revision`` up.
    """

    _database: Database
    _clock: Callable[[], float]

    def create(  # noqa: PLR0913 - every option is a name of its own
        self,
        *,
        name: str,
        about: Mapping[str, Any],
        runs: Sequence[str],
        job: Mapping[str, Any],
        author: str,
        id_: str = "",
        identity: str = "",
        parallel: int = 1,
        lane: str = "",
        kind: str = "benchmark",
        fresh: bool = False,
        mappings: Sequence[str] = (),
        act: str = "",
        thing: str = "",
    ) -> tuple[str, bool]:
        """Note a benchmark that nobody works on until it is started; return its id.

        Whether it is new is returned, too: one with this ``id_`` and the same ``identity`` may be
        there already; of another identity: ConflictError. At most ``parallel`` workers share it (0:
        any number), and one that is for a single worker waits while others work in its ``lane``,
        which names what they would fight for, such as an index; several names are separated by
        spaces. A job of another ``kind`` waits for no start; ``act`` and ``thing`` are the entry of
        the audit log for it, if it gets one. ``mappings`` of the store cannot be deleted while the
        benchmark is there; if one is deleted already: NotFoundError.
        """
        with self._database.writing(alone=True) as connection:
            return create_benchmark(
                connection,
                name=name,
                about=about,
                runs=runs,
                job=job,
                author=author,
                id_=id_,
                identity=identity,
                parallel=parallel,
                lane=lane,
                kind=kind,
                fresh=fresh,
                mappings=mappings,
                act=act,
                thing=thing,
                now=self._now(connection),
            )

    def start(
        self, benchmark: str, *, key: str = "", revision: int | None = None, author: str = ""
    ) -> BenchmarkStatus:
        """Let workers begin with a benchmark, once: a second start is a ConflictError.

        A start that is sent again has the same ``key``, and changes nothing. This and other changes
        take the ``revision`` that their author saw; if it is another by now: StaleError. With an
        ``author`` they add an entry to the audit log.
        """
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            start_benchmark(connection, benchmark, key, revision=revision, author=author, now=now)
            return find_status(connection, benchmark)

    def request_cancel(
        self, benchmark: str, *, revision: int | None = None, author: str = ""
    ) -> None:
        """Cancel a benchmark or a job: at once, or as soon as its workers have stopped."""
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            told: dict[str, Any] = {"revision": revision, "author": author, "now": now}
            cancel_benchmark(connection, benchmark, since=now - LEASE_S, **told)

    def confirm_cancel(self, benchmark: str) -> None:
        """Note that a worker has stopped, as it was told; one resumed since then goes on."""
        with self._database.writing(alone=True) as connection:
            confirm_cancel(connection, benchmark, self._now(connection))

    def resume(self, benchmark: str, *, revision: int | None = None, author: str = "") -> None:
        """Go on with a benchmark that was cancelled or interrupted, or has failed."""
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            resume_benchmark(connection, benchmark, revision=revision, author=author, now=now)

    def retry(self, benchmark: str, *, revision: int | None = None, author: str = "") -> int:
        """Do again what failed in a benchmark that has ended, and return how much that is.

        One that is completed, and in which nothing failed, stays so.
        """
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            told: dict[str, Any] = {"revision": revision, "author": author, "now": now}
            return retry_benchmark(connection, benchmark, **told)

    def delete(self, benchmark: str, *, revision: int | None = None, author: str = "") -> None:
        """Mark a benchmark as deleted, unless it is running; `undelete` brings it back."""
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            delete_benchmark(connection, benchmark, revision=revision, author=author, now=now)

    def undelete(self, benchmark: str, *, author: str = "") -> None:
        """Bring a deleted benchmark back; ConflictError if a mapping that it uses is deleted."""
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            bring_benchmark_back(connection, benchmark, author=author, now=now)

    def purge_benchmarks(self, before: float) -> int:
        """Remove for good what was deleted before a time; call it until nothing is left (0)."""
        with self._database.writing(alone=True) as connection:
            removed = purge_benchmarks(connection, before, self._now(connection))
        if removed:
            self._database.give_back()
        return removed

    def settle(
        self, benchmark: str, *, job: Mapping[str, Any], about: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Keep the job with the ``contents`` of its data, unless another worker was first.

        Returns the job that counts for all of them.
        """
        with self._database.writing(alone=True) as connection:
            return settle_benchmark(connection, benchmark, job, about)

    def fail_job(self, benchmark: str, error: str) -> None:
        """Note why a benchmark or a job cannot be done; nothing happens if it has ended."""
        with self._database.writing(alone=True) as connection:
            fail_benchmark(connection, benchmark, error, self._now(connection))

    def is_cancelled(self, benchmark: str) -> bool:
        """Tell whether whoever works on a benchmark is to stop."""
        with self._database.reading() as connection:
            return is_to_stop(connection, benchmark)

    def find(self, benchmark: str) -> BenchmarkStatus:
        """Return how far a benchmark is, by its whole id; also one that is marked as deleted."""
        with self._database.reading() as connection:
            return find_status(connection, benchmark)

    def find_runs(self, benchmark: str) -> tuple[RunProgress, ...]:
        """Return how far each run of a benchmark is, in their order."""
        with self._database.reading() as connection:
            find_status(connection, benchmark)
            return progress_of(connection, [benchmark])[benchmark].runs

    def page(
        self,
        *,
        limit: int = 50,
        cursor: str = "",
        state: str = "",
        contains: str = "",
        deleted: bool = False,
    ) -> Page[BenchmarkStatus]:
        """List benchmarks, the newest first: of a state, and with a text in their names."""
        with self._database.reading() as connection:
            return page_statuses(
                connection,
                limit=limit,
                cursor=cursor,
                state=state,
                contains=contains,
                deleted=deleted,
            )

    def progress(self, ids: Collection[str] | None = None) -> dict[str, BenchmarkProgress]:
        """Return how far some benchmarks and jobs are, or all that can be worked on."""
        with self._database.reading() as connection:
            return progress_of(connection, ids)

    def ended_within(self, seconds: float) -> list[str]:
        """Return the ids of the benchmarks and jobs that ended in the last seconds."""
        with self._database.reading() as connection:
            return ended_since(connection, self._now(connection) - seconds)

    def jobs(
        self,
        *,
        limit: int = 50,
        cursor: str = "",
        kind: str = "",
        state: str = "",
        identity: str = "",
    ) -> Page[JobStatus]:
        """List the jobs that are no benchmarks, the newest first; or those of an identity."""
        with self._database.reading() as connection:
            return page_jobs(
                connection, limit=limit, cursor=cursor, kind=kind, state=state, identity=identity
            )

    def job_status(self, job: str) -> JobStatus:
        """Return how far a job is that is no benchmark, and what it came to."""
        with self._database.reading() as connection:
            return find_job_status(connection, job)

    def take_job(
        self, worker: str, machine: str = "", *, skip: Collection[str] = ()
    ) -> StoredJob | None:
        """Join the oldest open job that has room for a further worker; None if there is none.

        Some may be left to others. The worker counts from now on, as long as it attends, until it
        leaves the job. What is to be cancelled is, if its workers are gone.
        """
        with self._database.reading() as connection:
            now = self._now(connection)
            if not any(choose_job(connection, worker, skip, since=now - LEASE_S)):
                return None  # nothing to be written: nobody waits for those who look
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            chosen, left = choose_job(connection, worker, skip, since=now - LEASE_S)
            for each in left:
                finish_benchmark(connection, each, "cancelled", now=now)
            if not chosen:
                return None
            note_worker(connection, worker, machine, chosen, now)
            return find_job(connection, chosen)

    def drop_job(self, worker: str, benchmark: str) -> None:
        """Note that a worker has left a job."""
        with self._database.writing() as connection:
            forget_worker(connection, worker, benchmark)

    def _now(self, connection: "Connection") -> float:
        return self._database.now(connection, self._clock)
