"""Benchmarks and their runs: begun or gone on with, finished, listed, and found by their ids."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records.work import StartedBenchmark, WorkState
from assay.text.join_list import first_named
from assay.workspace.ledger._database import run
from assay.workspace.ledger._rows import pack, storable, unpack
from assay.workspace.ledger._worker import is_alive
from assay.workspace.near_paths import nearest

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "BenchmarkEntry",
    "begin_benchmark",
    "find_report",
    "finish_benchmark",
    "list_benchmarks",
]

ID_LETTERS = 12
ENDED = ("completed", "failed", "cancelled")

_UNFINISHED = """SELECT id, state FROM benchmarks
    WHERE identity = :identity AND state <> 'completed' ORDER BY number DESC LIMIT 1"""
_NEWEST = """SELECT id, state FROM benchmarks
    WHERE identity = :identity ORDER BY number DESC LIMIT 1"""
_NEW = """INSERT INTO benchmarks (id, identity, name, about, state, cancel, worker, created, seen)
    VALUES (:id, :identity, :name, :about, 'running', 0, :worker, :now, :now)"""
_GO_ON = """UPDATE benchmarks SET state = 'running', cancel = 0, worker = :worker, seen = :now,
    finished = NULL, name = :name, about = :about WHERE id = :id"""
_RUNS_GO_ON = """UPDATE runs SET state = 'pending'
    WHERE benchmark = :id AND state IN ('failed', 'cancelled')"""
_RUN = """INSERT INTO runs (benchmark, name, place, state) VALUES (:id, :name, :place, 'pending')
    ON CONFLICT (benchmark, name) DO UPDATE SET place = excluded.place"""
_UNITS_OF_RUNS = """SELECT runs.name, units.state FROM runs
    LEFT JOIN uses ON uses.benchmark = runs.benchmark AND uses.run = runs.name
    LEFT JOIN units ON units.key = uses.unit WHERE runs.benchmark = :id"""
_RUN_ENDS = "UPDATE runs SET state = :state WHERE benchmark = :id AND name = :name"
_END = """UPDATE benchmarks SET state = :state, finished = :finished,
    report = coalesce(:report, report) WHERE id = :id"""
_LIST = """SELECT id, name, identity, about, state, worker, created, finished,
    report IS NOT NULL AS told FROM benchmarks ORDER BY number DESC"""
_LIST_RUNS = "SELECT benchmark, name, state FROM runs ORDER BY benchmark, place"
_LIST_UNITS = """SELECT benchmark, count(*), count(CASE WHEN units.state = 'completed' THEN 1 END)
    FROM steps LEFT JOIN units ON units.key = steps.unit GROUP BY benchmark"""
_IDS = "SELECT id FROM benchmarks ORDER BY number DESC"
_REPORT = "SELECT report FROM benchmarks WHERE id = :id"


@dataclass(frozen=True, slots=True)
class BenchmarkEntry:
    """A benchmark in the ledger: ``done`` of its ``total`` units are completed.

    ``runs`` maps names to states, in order; times are seconds since 1970; ``reported`` tells
    whether its report is kept, ``interrupted`` whether the process that ran it is known to be gone.
    """

    id: str
    name: str
    identity: str
    state: WorkState
    created: float
    finished: float | None
    runs: Mapping[str, WorkState]
    done: int
    total: int
    about: Mapping[str, Any]
    reported: bool
    interrupted: bool = False


def begin_benchmark(  # noqa: PLR0913 - every option is a name of its own
    connection: "Connection",
    *,
    identity: str,
    name: str,
    about: Mapping[str, Any],
    runs: Sequence[str],
    resume: bool,
    completed: bool = False,
    worker: str,
    now: float,
) -> StartedBenchmark:
    """Go on with the newest benchmark of this identity that is not completed, or begin one.

    Where one may also be ``completed``, it is gone on with the newest of all. It is then called as
    it is now: the identity holds the work, and no names.
    """
    newest = _NEWEST if completed else _UNFINISHED
    found = run(connection, newest, {"identity": identity}).one_or_none() if resume else None
    told = {"name": storable(name), "about": json.dumps(dict(about)), "worker": worker, "now": now}
    if found is not None:
        begun = StartedBenchmark(found.id, resumed=True, state=found.state)
        run(connection, _GO_ON, {"id": begun.id, **told})
        run(connection, _RUNS_GO_ON, {"id": begun.id})
    else:
        begun = StartedBenchmark(uuid.uuid4().hex[:ID_LETTERS], resumed=False, state="pending")
        run(connection, _NEW, {"id": begun.id, "identity": identity, **told})
    places = enumerate(dict.fromkeys(runs))
    if runs:
        run(connection, _RUN, [{"id": begun.id, "name": each, "place": at} for at, each in places])
    return begun


def finish_benchmark(
    connection: "Connection", benchmark: str, state: WorkState, report: bytes | None, now: float
) -> None:
    """Write how a benchmark ended; each of its runs ends as its units did."""
    ended = {"id": benchmark, "state": state, "finished": now if state in ENDED else None}
    run(connection, _END, {**ended, "report": None if report is None else pack(report)})
    states: dict[str, set[str | None]] = {}
    for name, of_unit in run(connection, _UNITS_OF_RUNS, {"id": benchmark}):
        states.setdefault(name, set()).add(of_unit)
    ends = [
        {"id": benchmark, "name": name, "state": _of_run(of_units, state)}
        for name, of_units in states.items()
    ]
    if ends:
        run(connection, _RUN_ENDS, ends)


def _of_run(of_units: set[str | None], state: WorkState) -> WorkState:
    if "failed" in of_units:
        return "failed"
    return "completed" if of_units == {"completed"} else state


def list_benchmarks(connection: "Connection") -> list[BenchmarkEntry]:
    """List all benchmarks, the newest first."""
    runs: dict[str, dict[str, WorkState]] = {}
    for benchmark, name, state in run(connection, _LIST_RUNS):
        runs.setdefault(benchmark, {})[name] = state
    counts = {benchmark: (total, done) for benchmark, total, done in run(connection, _LIST_UNITS)}
    return [_listed(row, runs.get(row.id, {}), counts) for row in run(connection, _LIST)]


def _listed(
    row: "Row[*tuple[Any, ...]]", runs: dict[str, WorkState], counts: dict[str, tuple[int, int]]
) -> BenchmarkEntry:
    total, done = counts.get(row.id, (0, 0))
    return BenchmarkEntry(
        id=row.id,
        name=row.name,
        identity=row.identity,
        state=row.state,
        created=row.created,
        finished=row.finished,
        runs=runs,
        done=total if row.state == "completed" else done,  # its tapes may be forgotten since
        total=total,
        about=json.loads(row.about),
        reported=bool(row.told),
        interrupted=row.state == "running" and is_alive(row.worker or "") is False,
    )


def find_report(connection: "Connection", benchmark: str) -> bytes | None:
    """Return the report of the benchmark whose id begins like this."""
    ids = run(connection, _IDS).scalars().all()
    found = [each for each in ids if each == benchmark] or [
        each for each in ids if benchmark and each.startswith(benchmark)
    ]
    if len(found) != 1:
        raise _not_one(benchmark, found, ids)
    report = run(connection, _REPORT, {"id": found[0]}).scalar_one()
    return None if report is None else unpack(report)


def _not_one(benchmark: str, found: Sequence[str], ids: Sequence[str]) -> InputError:
    shown = found or nearest(benchmark, ids) or list(ids)
    listed = first_named(shown, 5)
    if found:
        problem, hint = f"{len(found)} benchmarks begin so", f"write more of it: {listed}"
    else:
        problem = "no benchmark has this id"
        hint = f"there are: {listed}" if ids else "run one first: assay run FILE"
    return InputError(problem, where=benchmark or "id", hint=hint)
