"""Workers: claim a unit of work, do it, and record it, so that a kill loses nothing."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

from assay.benchmarks.work.ask import STUDIED
from assay.errors import AssayError, CancelledError, FencedError, InputError, UnavailableError
from assay.records import Claim, RecordedAnswer, Unit, UnitState
from assay.records.work import WorkState
from assay.workspace.ledger.ledger import LEASE_S, begun_otherwise, last_unit

__all__ = ["Job", "LedgerTape", "Worker", "untold"]

PAUSE_S = 0.05  # between two looks at what others are working on
LOOKS = 3  # after which what is pending, while nobody works, is known to wait in vain
BEAT_S = min(5.0, LEASE_S / 5)  # between two signs of life
_PRESENT: set[tuple[str, str]] = set()  # benchmarks and workers of this process that attend
Job = Callable[[Claim], Mapping[str, Any]]
"""Does the work of a claim, and tells what is to be known of it."""


class WorkLedger(Protocol):
    """What of the ledger a worker needs."""

    def prepare(self, benchmark: str, units: Sequence[Unit]) -> None:
        """Note units."""

    def finish(
        self,
        benchmark: str,
        state: WorkState,
        *,
        report: bytes | None = ...,
        error: str = ...,
        failed_runs: Collection[str] = ...,
        claim: Claim | None = ...,
    ) -> None:
        """Note how the benchmark ended."""

    def claim(
        self,
        benchmark: str,
        worker: str,
        *,
        kinds: Collection[str] = ...,
        among: Collection[str] = ...,
        machine: str = ...,
    ) -> Claim | None:
        """Claim a unit of work that is free."""

    def record(
        self,
        claim: Claim,
        rows: Sequence[RecordedAnswer],
        *,
        beside: Mapping[str, Sequence[RecordedAnswer]] = ...,
    ) -> None:
        """Record rows of a claim, and others ``beside`` it."""

    def renew(self, claim: Claim) -> None:
        """Say that the work goes on."""

    def complete(self, claim: Claim, facts: Mapping[str, Any] = ...) -> None:
        """Say that the work is done."""

    def fail(self, claim: Claim, error: str) -> None:
        """Say that it cannot be done."""

    def release(self, claim: Claim) -> None:
        """Leave it to others."""

    def rows(self, key: str) -> Iterable[RecordedAnswer]:
        """Read recorded rows."""

    def states(self, benchmark: str) -> dict[str, UnitState]:
        """Tell how far each piece is."""

    def attend(self, benchmark: str, worker: str, machine: str) -> None:
        """Note that a worker is there."""

    def stay(self, benchmark: str, worker: str) -> bool:
        """Note that a worker is still there; False if it is not listed any more."""

    def leave(self, benchmark: str, worker: str) -> None:
        """Note that a worker has left."""


@dataclass(frozen=True, slots=True)
class LedgerTape:
    """The recorded outputs of a claim.

    Results are recorded without the time that they took: that belongs to a machine, and is recorded
    separately. ``times`` names that record, where results are timed while they are found; a claim
    for ``timing`` records there.
    """

    ledger: WorkLedger
    claim: Claim
    times: str = ""
    timing: bool = False

    def rows(self) -> Iterable[RecordedAnswer]:
        """Return what is on it."""
        return self.ledger.rows(self.claim.unit.tape or self.claim.unit.key)

    def record(self, rows: Sequence[RecordedAnswer]) -> None:
        """Add to it, as long as the work is ours."""
        found = rows if self.timing else [replace(row, times={}) for row in rows]
        timed = [replace(row, value=None) for row in rows if row.round < STUDIED]
        try:
            self.ledger.record(self.claim, found, beside={self.times: timed} if self.times else {})
        except (FencedError, CancelledError):
            raise
        except AssayError as error:
            raise _UnworkableError(error) from error


class _UnworkableError(Exception):
    """No worker can work here, e.g. the disk of the ledger is full: no fault of this unit."""

    def __init__(self, reason: AssayError) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Worker:
    """One of perhaps several that work on a benchmark; ``machine`` names the one that it is on."""

    ledger: WorkLedger
    benchmark: str
    name: str
    machine: str = ""

    def through(
        self, jobs: Mapping[str, Job], *, kinds: Collection[str], confined: bool = False
    ) -> None:
        """Work until all these jobs are done, by whomever, or cannot be done.

        One that is ``confined`` leaves alone what is not among its jobs: in a race it belongs to a
        block of queries that comes later.
        """
        idle, among = 0, [*jobs] if confined else []
        while idle < LOOKS and (jobs or not confined):
            claim = self.ledger.claim(
                self.benchmark, self.name, kinds=kinds, among=among, machine=self.machine
            )
            if claim is not None:
                self._do(claim, jobs)
                idle = 0
                continue
            states = self.ledger.states(self.benchmark)
            left = {states[key].state for key in jobs if key in states}
            if left <= {"completed", "failed"}:
                break
            # What is pending now waits for something that failed, or was let go of this moment.
            idle = 0 if "running" in left else idle + 1
            time.sleep(PAUSE_S)
        self._refuse_lost()

    def conclude(
        self,
        sum_up: Callable[[], bytes],
        *,
        kind: str = "report",
        failed_runs: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Sum the benchmark up to its report, or wait until another worker has.

        Once it has summed up, ``failed_runs`` names the runs that failed by their results.

        That is a unit, too: if its worker dies, another takes over. Its error is raised in every
        process. A job of another ``kind`` has no other unit.
        """
        unit, failed = Unit(last_unit(kind, self.benchmark), kind, kind), list[AssayError]()
        self.ledger.prepare(self.benchmark, [unit])

        def job(claim: Claim) -> Mapping[str, Any]:
            try:
                report = sum_up()
            except (FencedError, CancelledError, UnavailableError):
                raise
            except AssayError as error:
                self._refuse_lost()
                self.ledger.finish(self.benchmark, "failed", error=str(error), claim=claim)
                failed.append(error)
                raise
            self._refuse_lost()  # what was missing may be in what is there now
            self.ledger.finish(
                self.benchmark,
                "completed",
                report=report,
                failed_runs=failed_runs(),
                claim=claim,
            )
            return {}

        self.through({unit.key: job}, kinds=[unit.kind], confined=True)
        if failed:
            raise failed[0]
        state = self.ledger.states(self.benchmark).get(unit.key)
        if state is None:
            problem = "the benchmark was removed while it ran"
            raise InputError(problem, where=self.benchmark, hint="run it again")
        if state.state == "failed":
            problem, hint = untold(state.error)
            raise InputError(problem, hint=hint)

    @contextmanager
    def present(self) -> Iterator[None]:
        """Attend: send heartbeats, also between two units of work, and leave in the end.

        Whatever goes wrong after the work was taken away, as by a backup that was restored, is an
        UnavailableError: it says nothing of the job as it is now. Where this process attends
        already, whoever began that goes on with it, and leaves.
        """
        self.ledger.attend(self.benchmark, self.name, self.machine)
        if (self.benchmark, self.name) in _PRESENT:
            yield
            return
        _PRESENT.add((self.benchmark, self.name))
        try:
            with _beating(lambda: self.ledger.stay(self.benchmark, self.name)):
                yield
        except (CancelledError, FencedError, UnavailableError):
            raise
        except Exception:
            self._refuse_lost()
            raise
        finally:
            _PRESENT.discard((self.benchmark, self.name))
            with suppress(AssayError):
                self.ledger.leave(self.benchmark, self.name)

    def _refuse_lost(self) -> None:
        """Refuse to go on where this worker attended, and is not listed any more."""
        attends = (self.benchmark, self.name) in _PRESENT
        if attends and not self.ledger.stay(self.benchmark, self.name):
            problem = "the work was taken away, as by a backup that was restored"
            raise UnavailableError(problem, where=self.benchmark, hint="run it again with --resume")

    def _do(self, claim: Claim, jobs: Mapping[str, Job]) -> None:
        """Do one; an error that somebody could act on is its end, anything else ends the worker."""
        try:
            with _beating(lambda: self.ledger.renew(claim)):  # however long one step of it takes
                facts = _known(jobs, claim)(claim)
        except FencedError:  # it belongs to another by now, who has all that we recorded
            return
        except _UnworkableError as error:
            self._let_go(claim)
            raise error.reason from None
        except (CancelledError, UnavailableError):
            self._let_go(claim)
            raise
        except AssayError as error:
            with suppress(FencedError):
                self.ledger.fail(claim, str(error))
        except BaseException:
            self._let_go(claim)
            raise
        else:
            with suppress(FencedError):
                self.ledger.complete(claim, facts)

    def _let_go(self, claim: Claim) -> None:
        with suppress(AssayError):
            self.ledger.release(claim)


@contextmanager
def _beating(beat: Callable[[], object]) -> Iterator[None]:
    """Give signs of life in a thread, until it is over."""
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(BEAT_S):
            with suppress(Exception):  # whoever records next is told
                beat()

    beats = threading.Thread(target=go_on, daemon=True)
    beats.start()
    try:
        yield
    finally:
        over.set()
        beats.join()  # the last beat must not come after the end of what it is for


def _known(jobs: Mapping[str, Job], claim: Claim) -> Job:
    """Find what is to be done; what another version began has other names, and is left to it."""
    job = jobs.get(claim.unit.key)
    if job is None:
        raise _UnworkableError(begun_otherwise(claim.unit.name))
    return job


def untold(text: str) -> tuple[str, str]:
    """Read where and what of an error, and what to do."""
    first, _, hint = text.partition("\n  hint: ")
    return first, hint
