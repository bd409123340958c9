"""Which workers are at work, on which machine, and whose clock takes the times of a benchmark."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.workspace.ledger._database import run
from assay.workspace.ledger._worker import is_alive

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["machines_of", "note_machine", "note_worker", "timing_machine"]

_MACHINE = """INSERT INTO machines (id, description) VALUES (:id, :description)
    ON CONFLICT (id) DO UPDATE SET description = excluded.description"""
_MACHINES = "SELECT id, description FROM machines"
_SEEN = """INSERT INTO workers (name, machine, benchmark, seen)
    VALUES (:name, :machine, :benchmark, :now) ON CONFLICT (name) DO UPDATE SET
    machine = excluded.machine, benchmark = excluded.benchmark, seen = excluded.seen"""
_OLD = "DELETE FROM workers WHERE seen < :before"
_TIMING = "SELECT machine FROM benchmarks WHERE id = :benchmark"
_THERE = "SELECT name, seen FROM workers WHERE benchmark = :benchmark AND machine = :machine"
_TAKE_OVER = (
    """DELETE FROM uses WHERE benchmark = :benchmark AND unit IN
    (SELECT key FROM units WHERE kind = 'time')""",
    """DELETE FROM steps WHERE benchmark = :benchmark AND unit IN
    (SELECT key FROM units WHERE kind = 'time')""",
    "UPDATE benchmarks SET machine = :machine WHERE id = :benchmark",
)
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


def timing_machine(
    connection: "Connection", benchmark: str, machine: str, *, patience_s: float, now: float
) -> str:
    """Return the machine whose times a benchmark has: the given one, if nobody of it is left."""
    current = run(connection, _TIMING, {"benchmark": benchmark}).scalar() or ""
    if current == machine:
        return machine
    there = run(connection, _THERE, {"benchmark": benchmark, "machine": current})
    if current and any(_is_there(name, seen, now - patience_s) for name, seen in there):
        return str(current)
    for statement in _TAKE_OVER:  # what the other machine should have timed is not wanted any more
        run(connection, statement, {"benchmark": benchmark, "machine": machine})
    return machine


def _is_there(worker: str, seen: float, since: float) -> bool:
    alive = is_alive(worker)
    return seen > since if alive is None else alive
