"""The ledger: which work a benchmark consists of, who does it, and what was recorded of it."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.errors import CancelledError
from assay.records.work import (
    Claim,
    RecordedAnswer,
    StartedBenchmark,
    StoredJob,
    Unit,
    UnitState,
    WorkState,
)
from assay.workspace.ledger._benchmarks import (
    BenchmarkEntry,
    begin_benchmark,
    find_job,
    find_open_jobs,
    find_report,
    finish_benchmark,
    last_unit,
    list_benchmarks,
)
from assay.workspace.ledger._database import Database, run
from assay.workspace.ledger._rows import asked_rows, read_rows
from assay.workspace.ledger._schema import bring_up_to_date
from assay.workspace.ledger._service import LEASE_S, ServiceLedger
from assay.workspace.ledger._units import (
    RESUME,
    annotate_unit,
    begun_otherwise,
    claim_unit,
    count_others,
    end_unit,
    facts_of,
    fenced,
    prepare_units,
    record_rows,
    refuse_cancelled,
    refuse_others,
    unit_states,
)
from assay.workspace.ledger._upkeep import (
    TapeUsage,
    completed_units,
    forget_tapes,
    list_tapes,
    reopen_units,
    retry_units,
    tapes_of_others,
    timed_while_busy,
)
from assay.workspace.ledger._worker import worker_name
from assay.workspace.ledger._workers import (
    forget_worker,
    has_workers,
    machines_of,
    note_machine,
    note_worker,
    renew_worker,
    take_over_times,
    timing_machine,
    waits_for_times,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "LEASE_S",
    "BenchmarkEntry",
    "Ledger",
    "TapeUsage",
    "begun_otherwise",
    "last_unit",
    "open_ledger",
    "worker_name",
]

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_CANCEL = "UPDATE benchmarks SET cancel = 1 WHERE id = :id AND state <> 'completed'"


class Ledger(ServiceLedger):
    """Work that many processes and threads share, and that outlives each of them.

    A worker claims a unit, which gives it a fence number and a lease. Each batch of rows is one
    transaction that checks the number: a worker that was taken for dead stores nothing more. Leases
    are told by the clock of the database where machines share one, else by ``clock``.
    """

    def __init__(self, place: str, *, clock: Callable[[], float] = time.time) -> None:
        self._database = Database(place)
        self._clock = clock
        try:
            bring_up_to_date(self._database)
        except BaseException:
            self.close()
            raise

    def begin(  # noqa: PLR0913 - every option is a name of its own
        self,
        *,
        identity: str,
        name: str,
        about: Mapping[str, Any],
        runs: Sequence[str],
        resume: bool,
        completed: bool = False,
        fresh: bool = False,
        job: Mapping[str, Any] | None = None,
        if_new: Mapping[str, Any] = _NOTHING,
        kind: str = "benchmark",
        machine: str = "",
    ) -> StartedBenchmark:
        """Start a benchmark with all its runs, or resume one that was not completed.

        Whoever resumes gets the newest of the same identity, also while others work on it. It may
        be ``completed``, too, where queries that failed are to be asked again. A ``fresh`` one
        shares its work with no other. ``job`` is all that a process must know to continue it
        (and ``if_new``, where there was none to resume), ``machine`` the one whose times are taken.
        Of another ``kind`` than a benchmark is a job of one unit, which waits for a worker.
        """
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            begun = begin_benchmark(
                connection,
                identity=identity,
                name=name,
                about=about,
                runs=runs,
                resume=resume,
                completed=completed,
                fresh=fresh,
                job=job,
                if_new=if_new,
                kind=kind,
                machine=machine,
                worker=worker_name(),
                now=now,
            )
            if machine:  # else another one would take its times over at once
                note_worker(connection, worker_name(), machine, begun.id, now)
            return begun

    def job(self, benchmark: str) -> StoredJob:
        """Return what there is to do for a benchmark; the first letters of its id do."""
        with self._database.reading() as connection:
            return find_job(connection, benchmark)

    def open_jobs(self) -> list[StoredJob]:
        """List all that is not finished, benchmarks and other jobs, the oldest first."""
        with self._database.reading() as connection:
            return find_open_jobs(connection)

    def prepare(
        self,
        benchmark: str,
        units: Sequence[Unit],
        *,
        uses: Mapping[str, Sequence[str]] = _NOTHING,
        machine: str = "",
        whole: bool = False,
        renew: Collection[str] = (),
        renew_all: bool = False,
        queries: Collection[str] | None = None,
    ) -> None:
        """Note the units of a benchmark in the order to do them, and the units that runs use.

        A unit that any benchmark brought before keeps its rows and state. Those that are timed on
        ``machine`` are left out if another one has taken that over. Where they are the ``whole``
        work, and the benchmark has other units, it was started with another version: InputError.

        Units of the kinds to ``renew`` that are new to the benchmark, or all of them with
        ``renew_all``, are done again if they failed, of some ``queries`` if any are given, or were
        timed on a busy machine before the benchmark began, unless another one at work has them.
        That is one step with the rest: another process that joins must not sum up what is about to
        be done again.
        """
        with self._database.writing(alone=True) as connection:
            if whole:
                refuse_others(connection, benchmark, units)
            now = self._now(connection)
            new = prepare_units(connection, benchmark, units, uses, now, machine=machine)
            among = [unit.key for unit in units] if renew_all else new
            if among and renew:
                busy = timed_while_busy(connection, benchmark, among)
                reopen_units(connection, busy, tapes_of_others(connection, benchmark, now))
                retry_units(connection, benchmark, renew, now=now, among=among, queries=queries)

    def claim(
        self,
        benchmark: str,
        worker: str,
        *,
        lease_s: float = LEASE_S,
        kinds: Collection[str] = (),
        among: Collection[str] = (),
        machine: str = "",
    ) -> Claim | None:
        """Take the first unit that is free and has all that it needs; None if there is none now.

        It is one of these ``kinds``, and ``among`` these keys, where any are given; times are taken
        only on the ``machine`` whose times the benchmark has. A unit is free if it is pending, its
        worker's lease is over, or its worker is a dead process of this machine. A cancelled
        benchmark gives out nothing: CancelledError.
        """
        with self._database.writing() as connection:
            return claim_unit(
                connection,
                benchmark,
                worker,
                lease_s=lease_s,
                kinds=kinds,
                among=among,
                machine=machine,
                now=self._now(connection),
            )

    def record(
        self,
        claim: Claim,
        rows: Sequence[RecordedAnswer],
        *,
        beside: Mapping[str, Sequence[RecordedAnswer]] = _NOTHING,
    ) -> None:
        """Store rows once and for all, and keep the unit for a further lease.

        Rows ``beside`` go to other tapes, by their keys, in the same transaction. FencedError if
        the unit is not ours any more: nothing is stored. CancelledError if the benchmark is to
        stop: the rows are stored.
        """
        with self._database.writing() as connection:
            cancelled = record_rows(connection, claim, rows, beside, self._now(connection))
        if cancelled:
            problem = "the benchmark was cancelled"
            raise CancelledError(problem, where=claim.unit.name, hint=RESUME)

    def renew(self, claim: Claim) -> None:
        """Keep a unit for a further lease; FencedError and CancelledError as for rows."""
        self.record(claim, ())

    def complete(self, claim: Claim, facts: Mapping[str, Any] = _NOTHING) -> None:
        """Note that a unit is done, and what is to be known of it; FencedError if it is lost."""
        with self._database.writing() as connection:
            now = self._now(connection)
            if not end_unit(connection, claim, "completed", facts=facts, finished=now):
                raise fenced(claim)

    def fail(self, claim: Claim, error: str) -> None:
        """Note why a unit could not be done; its rows are kept."""
        with self._database.writing() as connection:
            if not end_unit(connection, claim, "failed", error=error):
                raise fenced(claim)

    def release(self, claim: Claim) -> None:
        """Let another worker continue a unit; nothing happens if one does already."""
        with self._database.writing() as connection:
            end_unit(connection, claim, "pending")

    def annotate(self, key: str, notes: Sequence[str]) -> None:
        """Add notes to the facts of a unit."""
        with self._database.writing() as connection:
            annotate_unit(connection, key, notes)

    def states(self, benchmark: str) -> dict[str, UnitState]:
        """Tell how far each unit of a benchmark is, in their order."""
        with self._database.reading() as connection:
            return unit_states(connection, benchmark)

    def completed(self, keys: Collection[str]) -> set[str]:
        """Return those of some units that are completed, whichever benchmark brought them."""
        with self._database.reading() as connection:
            return completed_units(connection, keys)

    def facts(self, key: str) -> dict[str, Any]:
        """Return what is known of a unit that is completed, whichever benchmark brought it."""
        with self._database.reading() as connection:
            return facts_of(connection, key)

    def rows(self, key: str) -> Iterator[RecordedAnswer]:
        """Read a tape by round, and then in the order in which it was recorded."""
        return read_rows(self._database, key)

    def asked(self, key: str) -> set[tuple[str, int]]:
        """Return which queries are on a tape, and in which rounds."""
        with self._database.reading() as connection:
            return asked_rows(connection, key)

    def retry_failed(
        self,
        benchmark: str,
        *,
        kinds: Collection[str] = (),
        among: Collection[str] = (),
        queries: Collection[str] | None = None,
        machine: bool = False,
    ) -> int:
        """Let queries and units that failed be done again, and all that was made from them.

        Returns how many there are, of the given kinds and keys, and of some ``queries`` if any are
        given; with ``machine`` only what the machine failed at, such as a full disk.
        """
        with self._database.writing(alone=True) as connection:
            return retry_units(
                connection,
                benchmark,
                kinds,
                now=self._now(connection),
                among=among,
                queries=queries,
                machine=machine,
            )

    def reopen(self, keys: Collection[str]) -> None:
        """Let units be done again from the start, because what they made is gone."""
        with self._database.writing(alone=True) as connection:
            reopen_units(connection, keys)

    def cancel(self, benchmark: str) -> None:
        """Tell whoever works on a benchmark to stop."""
        with self._database.writing() as connection:
            run(connection, _CANCEL, {"id": benchmark})

    def finish(
        self,
        benchmark: str,
        state: WorkState,
        *,
        report: bytes | None = None,
        error: str = "",
        failed_runs: Collection[str] = (),
        claim: Claim | None = None,
    ) -> None:
        """Note how a benchmark ended; a run is completed if its units are, failed if one is.

        The ``failed_runs`` failed by their results, whatever became of their units.

        Whoever sums up has a ``claim`` for it, which ends, too: FencedError if it is lost. Without
        one, a benchmark that is completed stays so, and one that was interrupted or has failed is
        not cancelled by the workers that this stopped.
        """
        with self._database.writing(alone=True) as connection:
            now = self._now(connection)
            ended = "failed" if error else "completed"
            if claim and not end_unit(connection, claim, ended, error=error, finished=now):
                raise fenced(claim)
            before = "" if claim else find_job(connection, benchmark).state
            if before == "completed":
                return
            if before in ("interrupted", "failed") and state == "cancelled":
                return
            finish_benchmark(
                connection,
                benchmark,
                state,
                report=report,
                error=error,
                failed_runs=failed_runs,
                now=now,
            )

    def attend(
        self, benchmark: str, worker: str, machine: str, about: Mapping[str, Any] = _NOTHING
    ) -> None:
        """Note that a worker is there, and on which machine; ``about`` describes that."""
        with self._database.writing() as connection:
            note_worker(connection, worker, machine, benchmark, self._now(connection))
            if about:
                note_machine(connection, machine, about)

    def stay(self, benchmark: str, worker: str) -> bool:
        """Note that a worker is still there; False if it is not listed any more.

        That is so after a backup was restored: what it does belongs to what was there before.
        """
        with self._database.writing() as connection:
            return renew_worker(connection, worker, benchmark, self._now(connection))

    def leave(self, benchmark: str, worker: str) -> None:
        """Note that a worker has left a benchmark."""
        with self._database.writing() as connection:
            forget_worker(connection, worker, benchmark)

    def has_workers(self, benchmark: str) -> bool:
        """Tell whether anybody works on a benchmark, on whichever machine."""
        with self._database.reading() as connection:
            return has_workers(connection, benchmark, since=self._now(connection) - LEASE_S)

    def count_beside(self, worker: str) -> int:
        """Count the other processes that are at work on the machine of a worker."""
        with self._database.reading() as connection:
            return count_others(connection, worker)

    def machines(self) -> dict[str, dict[str, Any]]:
        """Return the descriptions of all machines that ever worked here, by their names."""
        with self._database.reading() as connection:
            return machines_of(connection)

    def timing_machine(self, benchmark: str, machine: str) -> str:
        """Return the machine whose times a benchmark has.

        It is that of whoever began the benchmark. Once nobody of it is left, and times are still to
        be taken, it is the given one.
        """
        with self._database.reading() as connection:
            found = self._timing_machine(connection, benchmark, machine)
        if found is not None:
            return found
        with self._database.writing(alone=True) as connection:
            found = self._timing_machine(connection, benchmark, machine)
            if found is None:
                take_over_times(connection, benchmark, machine)
            return found or machine

    def waits_for_times(self, benchmark: str) -> bool:
        """Tell whether any times of a benchmark may still be taken; CancelledError if none is."""
        with self._database.reading() as connection:
            refuse_cancelled(connection, benchmark)
            return waits_for_times(connection, benchmark)

    def benchmarks(self) -> list[BenchmarkEntry]:
        """List all benchmarks, the newest first."""
        with self._database.reading() as connection:
            return list_benchmarks(connection)

    def report(self, benchmark: str) -> bytes | None:
        """Return the report that a benchmark finished with; the first letters of its id do."""
        with self._database.reading() as connection:
            return find_report(connection, benchmark)

    def ask(self, question: str) -> tuple[Any, ...]:
        """Answer a question in SQL by its only row."""
        with self._database.reading() as connection:
            return tuple(run(connection, question).one())

    def tapes(self) -> list[TapeUsage]:
        """List all tapes and what they take, the longest unused first."""
        with self._database.reading() as connection:
            return list_tapes(connection)

    def forget(self, keys: Collection[str]) -> int:
        """Remove tapes that no benchmark at work has use for, and return how many bytes that is."""
        with self._database.writing(alone=True) as connection:
            size = forget_tapes(connection, keys, self._now(connection))
        self._database.give_back()
        return size

    def close(self) -> None:
        """Let go of the database; it is opened again when it is needed."""
        self._database.close()

    def _timing_machine(self, connection: "Connection", benchmark: str, machine: str) -> str | None:
        now = self._now(connection)
        return timing_machine(connection, benchmark, machine, patience_s=LEASE_S, now=now)


def open_ledger(place: str | Path, *, clock: Callable[[], float] = time.time) -> Ledger:
    """Open the ledger in a file, or in PostgreSQL by its URL, and make it if need be."""
    return Ledger(str(place), clock=clock)
