"""How a service is: what is open in its ledger, who works, how much room is left."""

import shutil
import time
from dataclasses import dataclass
from typing import get_args

from assay.records.work import WorkState
from assay.workspace.ledger.ledger import LEASE_S, Ledger
from assay.workspace.locate import Workspace

__all__ = ["ServiceVitals", "read_vitals"]

STATES: tuple[str, ...] = get_args(WorkState)
LITTLE_BYTES = 500 * 1024 * 1024
LONG_S = 60.0  # for which work waits for a worker before that is a problem
_COUNTS = ", ".join(f"count(CASE WHEN state = '{one}' THEN 1 END)" for one in STATES)
_BENCHMARKS = f"""SELECT {_COUNTS} FROM benchmarks
    WHERE deleted IS NULL AND kind = 'benchmark'"""  # noqa: S608 - states are ours
_JOBS = f"SELECT {_COUNTS} FROM benchmarks WHERE kind <> 'benchmark'"  # noqa: S608
_WORKERS = "SELECT count(DISTINCT name) FROM workers WHERE seen > {since!r}"
_WAITING = """SELECT min(CASE WHEN started IS NULL THEN created ELSE started END) FROM benchmarks
    WHERE state IN ('pending', 'running') AND (state = 'running' OR kind <> 'benchmark')
    AND deleted IS NULL AND id NOT IN (SELECT benchmark FROM workers WHERE seen > {since!r})"""
_STEP = "SELECT version_num FROM alembic_version"


@dataclass(frozen=True, slots=True)
class ServiceVitals:
    """Benchmarks and jobs by state; ``workers`` are those that work on something now.

    ``waiting_s`` is for how long the oldest work has had no worker, 0 where none waits. ``step`` is
    that of the tables of the ``database``.
    """

    benchmarks: dict[str, int]
    jobs: dict[str, int]
    workers: int
    waiting_s: float
    disk_free_bytes: int
    database: str
    step: str

    @property
    def problems(self) -> tuple[str, ...]:
        """What an administrator should look at."""
        found = []
        if self.waiting_s > LONG_S:
            found.append(f"work has waited for a worker for {self.waiting_s:.0f} s")
        if self.disk_free_bytes < LITTLE_BYTES:
            found.append(f"only {self.disk_free_bytes // 1024**2:,} MB of disk are free")
        return tuple(found)


def read_vitals(ledger: Ledger, place: Workspace) -> ServiceVitals:
    """Look at a service; what cannot be reached raises an error that says so."""
    now = time.time()
    since = now - LEASE_S
    (workers,) = ledger.ask(_WORKERS.format(since=since))
    (oldest,) = ledger.ask(_WAITING.format(since=since))
    (step,) = ledger.ask(_STEP)
    return ServiceVitals(
        benchmarks=dict(zip(STATES, ledger.ask(_BENCHMARKS), strict=True)),
        jobs=dict(zip(STATES, ledger.ask(_JOBS), strict=True)),
        workers=workers,
        waiting_s=0.0 if oldest is None else max(0.0, now - oldest),
        disk_free_bytes=shutil.disk_usage(place.folder).free,
        database="PostgreSQL" if place.url else "SQLite",
        step=str(step),
    )
