"""Worker processes that are watched: restarted when they die, and stopped when they should."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from assay.errors import AssayError, UsageError
from assay.text.quote import quote
from assay.workflows.jobs._worker_link import WorkerLink, can_measure_memory
from assay.workspace.ledger.ledger import Ledger, open_ledger
from assay.workspace.locate import Workspace

__all__ = ["Supervisor"]

LOGGER = logging.getLogger("assay.workers")
LOOK_S = 0.1
CANCEL_LOOK_S = 0.2
GRACE_S = 0.4  # for which a worker may stop a cancelled job by itself; all in all it is a second
DRAIN_S = 10.0
ATTEMPTS = 3  # workers that may die of a job before it counts as failed
FIRST_BREAK_S = 0.1
LONGEST_BREAK_S = 30.0
REPEAT_S = 30.0  # after which the log repeats a problem that lasts
STABLE_S = 60.0  # after which a worker counts as started well
MB = 1024 * 1024


class Supervisor:
    """Worker processes of this machine on one workspace, embedded in this process.

    A worker that dies is started again, after a break that grows while that happens again. A job
    that ``ATTEMPTS`` workers have died of fails. A worker that needs more than ``memory_limit``
    bytes is killed, and its job fails. One that does not stop a cancelled job by itself, as while
    it builds an index, is killed, too: what was recorded stays. ``environment`` is that of workers,
    by default ours; ``tell`` is given lines for a log.
    """

    def __init__(
        self,
        place: Workspace,
        *,
        processes: int = 1,
        memory_limit: int | None = None,
        environment: Mapping[str, str] | None = None,
        tell: Callable[[str], None] = LOGGER.info,
    ) -> None:
        if memory_limit is not None and not can_measure_memory():
            hint = "limit the memory of the whole service, e.g. with systemd or a container"
            raise UsageError("memory limits of workers are supported on Linux only", hint=hint)
        self._place, self._limit, self._tell = place, memory_limit, tell
        self._environment = environment
        self._slots = [_Slot() for _ in range(processes)]
        self._deaths: Counter[str] = Counter()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the workers, and watch them in a thread."""
        self._thread = threading.Thread(target=self._watch, name="workers", daemon=True)
        self._thread.start()

    def notify(self, ids: Collection[str]) -> None:
        """Do nothing: these workers notice by themselves what changes in the database."""

    def stop(self) -> None:
        """Let the workers release their work; those that take longer than 10 s are killed."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        links = [slot.link for slot in self._slots if slot.link is not None]
        for link in links:
            link.drain()
        until = time.monotonic() + DRAIN_S
        for link in links:
            link.wait(until - time.monotonic())

    def kill(self) -> None:
        """End all workers at once."""
        self._stopped.set()
        for slot in self._slots:
            if slot.link is not None:
                slot.link.kill()

    def pids(self) -> list[int]:
        """List the processes that run."""
        links = [slot.link for slot in self._slots]
        return [link.pid for link in links if link is not None]

    def _watch(self) -> None:
        ledger: Ledger | None = None
        try:
            while not self._stopped.wait(LOOK_S):
                for slot in self._slots:
                    try:
                        ledger = ledger or open_ledger(self._place.database)
                        self._look_at(slot, ledger)
                    except Exception as error:  # noqa: BLE001 - nobody else restarts workers
                        slot.pause(time.monotonic())
                        if slot.is_news(str(error), time.monotonic()):
                            self._tell(f"workers: {error}")
        finally:
            if ledger is not None:
                ledger.close()

    def _look_at(self, slot: "_Slot", ledger: Ledger) -> None:
        now = time.monotonic()
        if slot.link is None:
            if now >= slot.starts:
                slot.link = WorkerLink(self._place, self._tell, environment=self._environment)
            return
        code = slot.link.ended()
        if code is not None:
            self._ended(slot, slot.link, code, ledger)
        elif known := slot.link.job:
            self._look_at_job(slot, slot.link, known["id"], ledger)
        else:
            slot.cancelled = None
            self._renew(slot.link)

    def _look_at_job(self, slot: "_Slot", link: WorkerLink, job: str, ledger: Ledger) -> None:
        now = time.monotonic()
        if self._limit is not None and (used := link.memory()) > self._limit:
            self._kill(slot, link, ledger)
            hint = "use a smaller model or a smaller corpus, or raise --memory-limit, and resume"
            limit = f"the limit of {self._limit // MB:,} MB per worker"
            problem = f"not enough memory: {used // MB:,} MB exceed {limit}"
            self._fail(ledger, job, AssayError(problem, hint=hint))
        elif now >= slot.next_look:
            slot.next_look = now + CANCEL_LOOK_S
            if not ledger.is_cancelled(job):
                slot.cancelled = None
            elif slot.cancelled is None:
                slot.cancelled = now
        if slot.cancelled is not None and now >= slot.cancelled + GRACE_S and link.job:
            self._kill(slot, link, ledger)
            ledger.confirm_cancel(job)

    def _ended(self, slot: "_Slot", link: WorkerLink, code: int, ledger: Ledger) -> None:
        """Start another worker a little later; its job is claimed again by whoever is first."""
        job = link.job.get("id", "")  # none where it was told to stop
        slot.end(time.monotonic())
        if code or job:
            self._tell(f"worker {link.pid} ended unexpectedly ({_reason(code)})")
        if not job:
            return
        ledger.drop_job(link.job["worker"], job)
        self._deaths[job] += 1
        if self._deaths[job] >= ATTEMPTS:
            problem = f"{ATTEMPTS} worker processes ended unexpectedly ({_reason(code)})"
            hint = "check the log of the workers and the memory of the machine, then resume"
            self._fail(ledger, job, AssayError(problem, hint=hint))

    def _fail(self, ledger: Ledger, job: str, error: AssayError) -> None:
        self._deaths.pop(job, None)
        self._tell(f"failed: {quote(job)}: {error}")
        ledger.fail_job(job, str(error))

    def _kill(self, slot: "_Slot", link: WorkerLink, ledger: Ledger) -> None:
        """End a worker at once; it cannot note any more that it has left its job."""
        link.kill()
        link.ended()
        slot.end(time.monotonic(), at_once=True)
        if link.job:  # it may have stopped by itself before
            ledger.drop_job(link.job["worker"], link.job["id"])

    def _renew(self, link: WorkerLink) -> None:
        """Replace a worker that keeps much memory after its jobs: the next job needs it."""
        if self._limit is not None and link.completed and link.memory() > self._limit / 2:
            link.drain()


@dataclass(slots=True)
class _Slot:
    """The place of a worker process: the process, or when the next one is started."""

    link: WorkerLink | None = None
    starts: float = 0.0
    failures: int = 0
    cancelled: float | None = None  # since when its job is to stop
    next_look: float = 0.0
    problem: str = ""
    told: float = 0.0  # when the log got this problem

    def is_news(self, problem: str, now: float) -> bool:
        """Tell whether the log needs a problem: a new one, or one that it got a while ago."""
        if problem == self.problem and now < self.told + REPEAT_S:
            return False
        self.problem, self.told = problem, now
        return True

    def end(self, now: float, *, at_once: bool = False) -> None:
        """Note that its process has ended; ``at_once`` where that was our will."""
        worked = self.link is not None and self.link.completed > 0
        stable = self.link is not None and now - self.link.began > STABLE_S
        self.link, self.cancelled = None, None
        if at_once or worked or stable:
            self.failures = 0
        if at_once:
            self.starts = now
        else:
            self.pause(now)

    def pause(self, now: float) -> None:
        """Wait before the next process is started: longer each time."""
        self.starts = now + min(LONGEST_BREAK_S, FIRST_BREAK_S * 2.0 ** min(self.failures, 16))
        self.failures += 1


def _reason(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
