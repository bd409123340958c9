"""Which workers are at work, on which machine, and whose clock takes the times of a benchmark."""

import json
import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from assay.workspace.ledger._benchmarks import last_unit
from assay.workspace.ledger._database import run
from assay.workspace.ledger._worker import is_alive

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "choose_job",
    "forget_worker",
    "has_workers",
    "machines_of",
    "note_machine",
    "note_worker",
    "renew_worker",
    "take_over_times",
    "timing_machine",
    "waits_for_times",
]

_MACHINE = """INSERT INTO machines (id, description) VALUES (:id, :description)
    ON CONFLICT (id) DO UPDATE SET description = excluded.description"""
_MACHINES = "SELECT id, description FROM machines"
_SEEN = """INSERT INTO workers (name, machine, benchmark, seen)
    VALUES (:name, :machine, :benchmark, :now) ON CONFLICT (name) DO UPDATE SET
    machine = excluded.machine, benchmark = excluded.benchmark, seen = excluded.seen"""
_STILL = "UPDATE workers SET seen = :now WHERE name = :name AND benchmark = :benchmark"
_OLD = "DELETE FROM workers WHERE seen < :before"
_LEFT = "DELETE FROM workers WHERE name = :name AND benchmark = :benchmark"
_TIMING = "SELECT machine FROM benchmarks WHERE id = :benchmark"
_THERE = "SELECT name, seen FROM workers WHERE benchmark = :benchmark AND machine = :machine"
_ANYWHERE = "SELECT name, seen FROM workers WHERE benchmark = :benchmark"
_TAKE_OVER = (
    """DELETE FROM uses WHERE benchmark = :benchmark AND unit IN
    (SELECT key FROM units WHERE kind = 'time')""",
    """DELETE FROM steps WHERE benchmark = :benchmark AND unit IN
    (SELECT key FROM units WHERE kind = 'time')""",
    "UPDATE benchmarks SET machine = :machine WHERE id = :benchmark",
)
# Times that may still be taken: what waits for something that failed never is.
_TIMES = """WITH RECURSIVE vain (key) AS (
    SELECT units.key FROM steps JOIN units ON units.key = steps.unit
        WHERE steps.benchmark = :benchmark AND units.state = 'failed'
    UNION SELECT needs.unit FROM needs JOIN vain ON needs.need = vain.key)
    SELECT units.state IN ('pending', 'running') AND vain.key IS NULL
    FROM steps JOIN units ON units.key = steps.unit LEFT JOIN vain ON vain.key = units.key
    WHERE steps.benchmark = :benchmark AND units.kind = 'time'"""
_OPEN = """SELECT id, kind, cancel, parallel, lane FROM benchmarks
    WHERE state IN ('pending', 'running') AND (state = 'running' OR kind <> 'benchmark')
    AND deleted IS NULL ORDER BY number"""
_EVERYWHERE = "SELECT name, benchmark, seen FROM workers WHERE seen > :since"
_REPORT = "SELECT state FROM units WHERE key = :report"
FORGOTTEN_S = 24 * 3600.0  # after which a worker that was not seen again is not listed any more


def note_machine(connection: "Connection", machine: str, about: Mapping[str, Any]) -> None:
    """Keep what a machine is, under the name that its times have."""
    run(connection, _MACHINE, {"id": machine, "description": json.dumps(dict(about))})


def machines_of(connection: "Connection") -> dict[str, dict[str, Any]]:
    """Return what is known of all machines, by their names."""
    return {name: json.loads(about) for name, about in run(connection, _MACHINES)}


def note_worker(
    connection: "Connection", worker: str, machine: str, benchmark: str, now: float
) -> None:
    """Note that a worker is there; whoever has not been seen for long is forgotten."""
    about = {"name": worker, "machine": machine, "benchmark": benchmark, "now": now}
    run(connection, _OLD, {"before": now - FORGOTTEN_S})
    run(connection, _SEEN, about)


def renew_worker(connection: "Connection", worker: str, benchmark: str, now: float) -> bool:
    """Note that a worker is still there; False if it is not listed any more."""
    about = {"name": worker, "benchmark": benchmark, "now": now}
    return run(connection, _STILL, about).rowcount == 1


def forget_worker(connection: "Connection", worker: str, benchmark: str) -> None:
    """Note that a worker has left a benchmark."""
    run(connection, _LEFT, {"name": worker, "benchmark": benchmark})


def has_workers(connection: "Connection", benchmark: str, *, since: float) -> bool:
    """Tell whether anybody works on a benchmark."""
    there = run(connection, _ANYWHERE, {"benchmark": benchmark})
    return any(_is_there(name, seen, since) for name, seen in there)


def choose_job(
    connection: "Connection", worker: str, skip: Collection[str], *, since: float
) -> tuple[str, list[str]]:
    """Return the oldest job that a worker may join, and those that are cancelled and left alone.

    One that waits for a lane keeps that lane from younger ones: else it could wait for ever.
    """
    jobs, there = run(connection, _OPEN).all(), _workers(connection, worker, since)
    lanes = {job.id: set(job.lane.split()) for job in jobs}
    busy = {name: lanes[name] for name in there if name in lanes}
    left = [job.id for job in jobs if job.cancel and job.id not in there]
    taken: set[str] = set().union(*busy.values())
    for job in jobs:
        if job.cancel or job.id in skip or there.get(job.id, 0) >= _most(job):
            continue
        if job.parallel != 1 or not taken & lanes[job.id]:
            return str(job.id), left
        taken |= lanes[job.id]
    return "", left


def timing_machine(
    connection: "Connection", benchmark: str, machine: str, *, patience_s: float, now: float
) -> str | None:
    """Return the machine whose times a benchmark has; None if the given one should take them.

    That is so where times are still to be taken, and nobody of the other machine is left.
    """
    current = run(connection, _TIMING, {"benchmark": benchmark}).scalar() or ""
    if current == machine:
        return machine
    there = run(connection, _THERE, {"benchmark": benchmark, "machine": current})
    if current and any(_is_there(name, seen, now - patience_s) for name, seen in there):
        return str(current)
    return None if not current or _are_wanted(connection, benchmark) else str(current)


def take_over_times(connection: "Connection", benchmark: str, machine: str) -> None:
    """Let a machine take the times; what another one should have timed is not wanted any more."""
    for statement in _TAKE_OVER:
        run(connection, statement, {"benchmark": benchmark, "machine": machine})


def waits_for_times(connection: "Connection", benchmark: str) -> bool:
    """Tell whether any times of a benchmark may still be taken."""
    return any(run(connection, _TIMES, {"benchmark": benchmark}).scalars())


def _are_wanted(connection: "Connection", benchmark: str) -> bool:
    """Tell whether times are still to be taken: perhaps nobody has laid out which, so far."""
    report = {"report": last_unit("report", benchmark)}
    if run(connection, _REPORT, report).scalar() in ("running", "completed"):
        return False
    left = run(connection, _TIMES, {"benchmark": benchmark}).scalars().all()
    return not left or any(left)


def _is_there(worker: str, seen: float, since: float) -> bool:
    """Tell whether a worker gives signs of life; its process may live, and do something else."""
    return is_alive(worker) is not False and seen > since


def _workers(connection: "Connection", but: str, since: float) -> dict[str, int]:
    """Count the workers of each job that give signs of life, but for one."""
    counts: dict[str, int] = {}
    for name, job, seen in run(connection, _EVERYWHERE, {"since": since}):
        if name != but and _is_there(name, seen, since):
            counts[job] = counts.get(job, 0) + 1
    return counts


def _most(job: "Row[Any]") -> float:
    """Return how many workers a job has room for; one that is no benchmark is a single unit."""
    return job.parallel or (math.inf if job.kind == "benchmark" else 1)
