"""Execute a layout: indexes, stages and whole searches, each once, whoever else works on it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from assay.benchmarks.work.context import ExecutionContext, Manner
from assay.benchmarks.work.layout import Layout, Trial
from assay.benchmarks.work.piece_work import PieceWork
from assay.benchmarks.work.worker import Job
from assay.records import Claim

__all__ = ["TakenOverError", "execute"]

PAUSE_S = 0.2  # between two looks whether another machine has taken its times


class TakenOverError(Exception):
    """Another machine has taken over the timing: the layout is not that of the benchmark."""


def execute(layout: Layout, context: ExecutionContext, manner: Manner | None = None) -> None:
    """Do all that is left to do of a layout, or wait until others have done it.

    What is to be timed on another machine is left to its workers; TakenOverError if they are gone,
    or if it was to be timed here, and another machine has taken that over.
    """
    work = PieceWork(layout, context, manner or Manner())
    execution = _Execution(layout, context, work.manner, work)
    execution.prepare()
    try:
        execution.do()
    finally:
        work.close_systems()
    _wait_for_times(layout, context)


def _wait_for_times(layout: Layout, context: ExecutionContext) -> None:
    timed = {piece.timed.key for piece in layout.pieces.values() if piece.timed}
    if not timed:
        return
    ledger, benchmark, machine = context.ledger, context.benchmark, layout.plot.machine
    while machine != context.machine and ledger.waits_for_times(benchmark):
        if ledger.timing_machine(benchmark, context.machine) != machine:
            raise TakenOverError
        time.sleep(PAUSE_S)
    unchanged = ledger.timing_machine(benchmark, context.machine) == machine
    if not unchanged or not timed <= ledger.states(benchmark).keys():
        raise TakenOverError


@dataclass(frozen=True, eq=False)
class _Execution:
    """The units of a layout, and what one process does for each."""

    layout: Layout
    context: ExecutionContext
    manner: Manner
    work: PieceWork

    def prepare(self) -> None:
        """Note all units, and repeat those whose results are gone or cannot be used."""
        layout, ledger, benchmark = self.layout, self.context.ledger, self.context.benchmark
        units = layout.units()
        uses: dict[str, list[str]] = {}
        for trial in layout.trials:
            uses.setdefault(trial.chosen.name, []).extend(layout.units_of(trial))
        kinds = {unit.kind for unit in units} - (set() if self.manner.rebuild else {"build"})
        ledger.prepare(
            benchmark,
            units,
            uses=uses,
            machine=layout.plot.machine,
            whole=not self.manner.confined,
            renew=sorted(kinds),
            renew_all=self.manner.retry,
            queries=self._retried(),
        )
        self._rebuild_removed()
        among = [unit.key for unit in units] if self.manner.confined else []
        ledger.retry_failed(
            benchmark, kinds=sorted(kinds), among=among, queries=self._retried(), machine=True
        )

    def _retried(self) -> list[str] | None:
        """Name the queries that are asked again if they failed; None for all."""
        if not self.manner.confined:
            return None
        every = (query for one in self.layout.collections for query in one.queries)
        names = [query.fingerprint for query in every]
        return [name for name in names if name not in self.manner.spared]

    def _rebuild_removed(self) -> None:
        """Let indexes that were removed be made again.

        Only what was completed before this check: what another worker completes during it exists,
        and must not be removed.
        """
        states = self.context.ledger.states(self.context.benchmark)
        over = [key for key in self.layout.builds if states[key].state == "completed"]
        gone = [key for key in over if not self.context.opened.is_made(key)]
        self.context.ledger.reopen(gone)

    def do(self) -> None:
        """Work until all units are done, by whomever, or cannot be done."""
        kinds = {unit.kind for unit in self.layout.units()}
        kinds -= set() if self.work.is_timing else {"time"}
        jobs, confined = self._jobs(), self.manner.confined
        self.context.worker.through(jobs, kinds=sorted(kinds), confined=confined)

    def _jobs(self) -> dict[str, Job]:
        jobs: dict[str, Job] = {}
        builds = self.layout.builds
        for at, (key, trial) in enumerate(builds.items(), 1):
            step = f"index {at}/{len(builds)}: " if len(builds) > 1 else ""
            jobs[key] = partial(self._index, trial, step)
        for piece in self.layout.pieces.values():
            if piece.found:
                jobs[piece.found.key] = partial(self.work.find, piece)
            if piece.timed and self.work.is_timing:
                jobs[piece.timed.key] = partial(self.work.time, piece)
        return jobs

    def _index(self, trial: Trial, step: str, claim: Claim) -> Mapping[str, Any]:
        busy, opened = self.context.together or bool(claim.others), self.context.opened
        return opened.make(trial.build, trial.collection, trial.chosen, step=step, busy=busy)
