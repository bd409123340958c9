"""The ledger: which work a benchmark consists of, who does it, and what was recorded of it."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assay.errors import CancelledError
from assay.records.work import Claim, RecordedAnswer, StartedBenchmark, Unit, UnitState, WorkState
from assay.workspace.ledger._benchmarks import (
    BenchmarkEntry,
    begin_benchmark,
    find_report,
    finish_benchmark,
    list_benchmarks,
)
from assay.workspace.ledger._database import Database, run
from assay.workspace.ledger._rows import asked_rows, read_rows
from assay.workspace.ledger._schema import bring_up_to_date
from assay.workspace.ledger._units import (
    claim_unit,
    end_unit,
    fenced,
    prepare_units,
    record_rows,
    unit_states,
)
from assay.workspace.ledger._upkeep import (
    TapeUsage,
    forget_units,
    list_tapes,
    reopen_units,
    retry_units,
)
from assay.workspace.ledger._worker import worker_name

__all__ = ["BenchmarkEntry", "Ledger", "TapeUsage", "open_ledger", "worker_name"]

LEASE_S = 30.0
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_CANCEL = "UPDATE benchmarks SET cancel = 1 WHERE id = :id"


class Ledger:
    """Work that many processes and threads share, and that outlives each of them.

    A worker claims a unit, which gives it a fence number and a lease. Each batch of rows is one
    transaction that checks the number: a worker that was taken for dead stores nothing more.
    """

    def __init__(self, place: str, *, clock: Callable[[], float] = time.time) -> None:
        self._database = Database(place)
        self._clock = clock
        try:
            bring_up_to_date(self._database)
        except BaseException:
            self.close()
            raise

    def begin(
        self,
        *,
        identity: str,
        name: str,
        about: Mapping[str, Any],
        runs: Sequence[str],
        resume: bool,
        completed: bool = False,
    ) -> StartedBenchmark:
        """Begin a benchmark with all its runs, or go on with one that was not completed.

        Whoever resumes gets the newest of the same identity, also while others work on it. It may
        be ``completed``, too, where queries that failed are to be asked again.
        """
        with self._database.writing(alone=True) as connection:
            return begin_benchmark(
                connection,
                identity=identity,
                name=name,
                about=about,
                runs=runs,
                resume=resume,
                completed=completed,
                worker=worker_name(),
                now=self._clock(),
            )

    def prepare(
        self,
        benchmark: str,
        units: Sequence[Unit],
        *,
        uses: Mapping[str, Sequence[str]] = _NOTHING,
    ) -> None:
        """Note the units of a benchmark in the order to do them, and the units that runs use.

        A unit that any benchmark brought before keeps its rows and state; where it is completed
        but holds fewer rows than are wanted now, it is gone on with.
        """
        with self._database.writing(alone=True) as connection:
            prepare_units(connection, benchmark, units, uses, self._clock())

    def claim(
        self,
        benchmark: str,
        worker: str,
        *,
        lease_s: float = LEASE_S,
        kinds: Collection[str] = (),
        among: Collection[str] = (),
    ) -> Claim | None:
        """Take the first unit that is free and has all that it needs; None if there is none now.

        It is one of these ``kinds``, and ``among`` these keys, where any are given. A unit is free
        if it is pending, its worker's lease is over, or its worker is a dead process of this
        machine. A cancelled benchmark gives out nothing: CancelledError.
        """
        with self._database.writing() as connection:
            return claim_unit(
                connection,
                benchmark,
                worker,
                lease_s=lease_s,
                kinds=kinds,
                among=among,
                now=self._clock(),
            )

    def record(self, claim: Claim, rows: Sequence[RecordedAnswer]) -> None:
        """Store rows once and for all, and keep the unit for a further lease.

        FencedError if it is not ours any more: nothing is stored. CancelledError if the benchmark
        is to stop: the rows are stored.
        """
        with self._database.writing() as connection:
            cancelled = record_rows(connection, claim, rows, self._clock())
        if cancelled:
            hint = "go on with --resume"
            raise CancelledError("the benchmark was cancelled", where=claim.unit.name, hint=hint)

    def renew(self, claim: Claim) -> None:
        """Keep a unit for a further lease; FencedError and CancelledError as for rows."""
        self.record(claim, ())

    def complete(self, claim: Claim, facts: Mapping[str, Any] = _NOTHING) -> None:
        """Note that a unit is done, and what is to be known of it; FencedError if it is lost."""
        with self._database.writing() as connection:
            now = self._clock()
            if not end_unit(connection, claim, "completed", facts=facts, finished=now):
                raise fenced(claim)

    def fail(self, claim: Claim, error: str) -> None:
        """Note why a unit could not be done; its rows are kept."""
        with self._database.writing() as connection:
            if not end_unit(connection, claim, "failed", error=error):
                raise fenced(claim)

    def release(self, claim: Claim) -> None:
        """Let somebody else go on with a unit; nothing happens if somebody does already."""
        with self._database.writing() as connection:
            end_unit(connection, claim, "pending")

    def states(self, benchmark: str) -> dict[str, UnitState]:
        """Tell how far each unit of a benchmark is, in their order."""
        with self._database.reading() as connection:
            return unit_states(connection, benchmark)

    def rows(self, key: str) -> Iterator[RecordedAnswer]:
        """Read what a unit recorded, by round and then in the order in which it was recorded."""
        return read_rows(self._database, key)

    def asked(self, key: str) -> set[tuple[str, int]]:
        """Return which queries a unit recorded, and in which rounds."""
        with self._database.reading() as connection:
            return asked_rows(connection, key)

    def retry_failed(
        self,
        benchmark: str,
        *,
        kinds: Collection[str] = (),
        among: Collection[str] = (),
        machine: bool = False,
    ) -> int:
        """Let queries and units that failed be done again, and all that was made from them.

        Returns how many there are, of the given kinds and keys; with ``machine`` only what the
        machine failed at, such as a full disk.
        """
        now = self._clock()
        with self._database.writing(alone=True) as connection:
            return retry_units(connection, benchmark, kinds, now=now, among=among, machine=machine)

    def reopen(self, keys: Collection[str]) -> None:
        """Let units be done again from the start, because what they made is gone."""
        with self._database.writing(alone=True) as connection:
            reopen_units(connection, keys)

    def cancel(self, benchmark: str) -> None:
        """Tell whoever works on a benchmark to stop."""
        with self._database.writing() as connection:
            run(connection, _CANCEL, {"id": benchmark})

    def finish(self, benchmark: str, state: WorkState, *, report: bytes | None = None) -> None:
        """Note how a benchmark ended; a run is completed if its units are, failed if one is."""
        with self._database.writing(alone=True) as connection:
            finish_benchmark(connection, benchmark, state, report, self._clock())

    def benchmarks(self) -> list[BenchmarkEntry]:
        """List all benchmarks, the newest first."""
        with self._database.reading() as connection:
            return list_benchmarks(connection)

    def report(self, benchmark: str) -> bytes | None:
        """Return the report that a benchmark finished with; the first letters of its id do."""
        with self._database.reading() as connection:
            return find_report(connection, benchmark)

    def tapes(self) -> list[TapeUsage]:
        """List all units and what they take, the longest unused first."""
        with self._database.reading() as connection:
            return list_tapes(connection)

    def forget(self, keys: Collection[str]) -> int:
        """Remove units that no benchmark at work has use for, and return how many bytes that is."""
        with self._database.writing(alone=True) as connection:
            size = forget_units(connection, keys, self._clock())
        self._database.give_back()
        return size

    def close(self) -> None:
        """Let go of the database; it is opened again when it is needed."""
        self._database.close()


def open_ledger(place: str | Path, *, clock: Callable[[], float] = time.time) -> Ledger:
    """Open the ledger in a file, or in PostgreSQL by its URL, and make it if need be."""
    return Ledger(str(place), clock=clock)
