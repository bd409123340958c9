"""Workers: claim a piece of work, do it, and record it, so that a kill loses nothing."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from assay.errors import AssayError, CancelledError, FencedError, InputError
from assay.records import Claim, RecordedAnswer, UnitState

__all__ = ["Job", "LedgerTape", "Worker", "untold"]

PAUSE_S = 0.05  # between two looks at what others are working on
LOOKS = 3  # after which what is pending, while nobody works, is known to wait in vain
BEAT_S = 5.0  # between two signs of life
Job = Callable[[Claim], Mapping[str, Any]]
"""Does the work of a claim, and tells what is to be known of it."""


class WorkLedger(Protocol):
    """What of the ledger a worker needs."""

    def claim(
        self,
        benchmark: str,
        worker: str,
        *,
        kinds: Collection[str] = ...,
        among: Collection[str] = ...,
    ) -> Claim | None:
        """Take a piece of work that is free."""

    def record(self, claim: Claim, rows: Sequence[RecordedAnswer]) -> None:
        """Put rows on the tape of a claim."""

    def renew(self, claim: Claim) -> None:
        """Say that the work goes on."""

    def complete(self, claim: Claim, facts: Mapping[str, Any] = ...) -> None:
        """Say that the work is done."""

    def fail(self, claim: Claim, error: str) -> None:
        """Say that it cannot be done."""

    def release(self, claim: Claim) -> None:
        """Leave it to others."""

    def rows(self, key: str) -> Iterable[RecordedAnswer]:
        """Read a tape."""

    def states(self, benchmark: str) -> dict[str, UnitState]:
        """Tell how far each piece is."""


@dataclass(frozen=True, slots=True)
class LedgerTape:
    """The tape of a claim."""

    ledger: WorkLedger
    claim: Claim

    def rows(self) -> Iterable[RecordedAnswer]:
        """Return what is on it."""
        return self.ledger.rows(self.claim.unit.key)

    def record(self, rows: Sequence[RecordedAnswer]) -> None:
        """Add to it, as long as the work is ours."""
        try:
            self.ledger.record(self.claim, rows)
        except (FencedError, CancelledError):
            raise
        except AssayError as error:
            raise _UnworkableError(error) from error


class _UnworkableError(Exception):
    """Nobody can work here, as where the ledger's disk is full: no fault of this piece of work."""

    def __init__(self, reason: AssayError) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Worker:
    """One of perhaps several that work on a benchmark.

    One that is ``confined`` leaves alone what is not among its jobs: in a race it belongs to a
    block of queries that comes later.
    """

    ledger: WorkLedger
    benchmark: str
    name: str
    confined: bool = False

    def through(self, jobs: Mapping[str, Job], *, kinds: Collection[str]) -> None:
        """Work until all these jobs are done, by whomever, or cannot be done."""
        idle, among = 0, [*jobs] if self.confined else []
        while idle < LOOKS and (jobs or not self.confined):
            claim = self.ledger.claim(self.benchmark, self.name, kinds=kinds, among=among)
            if claim is not None:
                self._do(claim, jobs)
                idle = 0
                continue
            states = self.ledger.states(self.benchmark)
            left = {states[key].state for key in jobs if key in states}
            if left <= {"completed", "failed"}:
                return
            # What is pending now waits for something that failed, or was let go of this moment.
            idle = 0 if "running" in left else idle + 1
            time.sleep(PAUSE_S)

    def _do(self, claim: Claim, jobs: Mapping[str, Job]) -> None:
        """Do one; an error that somebody could act on is its end, anything else ends the worker."""
        try:
            with self._alive(claim):
                facts = _known(jobs, claim)(claim)
        except FencedError:  # it belongs to another by now, who has all that we recorded
            return
        except _UnworkableError as error:
            self._let_go(claim)
            raise error.reason from None
        except CancelledError:
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
    def _alive(self, claim: Claim) -> Iterator[None]:
        """Give signs of life while the work goes on, however long one step of it takes."""
        over = threading.Event()

        def beat() -> None:
            while not over.wait(BEAT_S):
                with suppress(AssayError):  # whoever records next is told
                    self.ledger.renew(claim)

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()


def _known(jobs: Mapping[str, Job], claim: Claim) -> Job:
    """Find what is to be done; what another version began has other names, and is left to it."""
    job = jobs.get(claim.unit.key)
    if job is None:
        problem = "it was begun with another version of Assay, of a library or of a model"
        hint = "run it again without --resume"
        raise _UnworkableError(InputError(problem, where=claim.unit.name, hint=hint))
    return job


def untold(text: str) -> tuple[str, str]:
    """Read where and what of an error, and what to do."""
    first, _, hint = text.partition("\n  hint: ")
    return first, hint
