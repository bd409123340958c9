"""Benchmarks and their runs: started or resumed, finished, listed, and found by their ids."""

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records.work import StartedBenchmark, StoredJob, WorkState
from assay.text.join_list import first_named
from assay.workspace.disk.near_paths import nearest
from assay.workspace.ledger._database import run
from assay.workspace.ledger._rows import pack, storable, unpack
from assay.workspace.ledger._worker import is_alive

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "BenchmarkEntry",
    "begin_benchmark",
    "find_job",
    "find_open_jobs",
    "find_report",
    "finish_benchmark",
    "go_on",
    "insert_runs",
    "last_unit",
    "list_benchmarks",
]

ID_LETTERS = 12
ENDED = ("completed", "failed", "cancelled", "interrupted")

_SAME = """SELECT id, state, salt FROM benchmarks
    WHERE identity = :identity AND state <> 'pending' AND deleted IS NULL {unfinished} {fresh}
    ORDER BY number DESC LIMIT 1"""
_NEW = """INSERT INTO benchmarks (id, kind, identity, name, folded, about, job, machine, salt,
    state, cancel, worker, created, started, seen) VALUES (:id, :kind, :identity, :name, :folded,
    :about, :job, :machine, :salt, :state, 0, :worker, :now, :started, :now)"""
_GO_ON = """UPDATE benchmarks SET state = 'running', cancel = 0, seen = :now, finished = NULL,
    error = '', started = coalesce(started, :now), revision = revision + 1 WHERE id = :id"""
_CALLED = """UPDATE benchmarks SET worker = :worker, name = :name, folded = :folded,
    about = :about, job = :job WHERE id = :id"""
_SUM_UP_AGAIN = """UPDATE units SET state = 'pending', error = ''
    WHERE key = :last AND state <> 'running'"""
_RUNS_GO_ON = """UPDATE runs SET state = 'pending'
    WHERE benchmark = :id AND state IN ('failed', 'cancelled')"""
_RUN = """INSERT INTO runs (benchmark, name, place, state) VALUES (:id, :name, :place, 'pending')
    ON CONFLICT (benchmark, name) DO UPDATE SET place = excluded.place"""
_UNITS_OF_RUNS = """SELECT runs.name, units.state FROM runs
    LEFT JOIN uses ON uses.benchmark = runs.benchmark AND uses.run = runs.name
    LEFT JOIN units ON units.key = uses.unit WHERE runs.benchmark = :id"""
_RUN_ENDS = "UPDATE runs SET state = :state WHERE benchmark = :id AND name = :name"
_END = """UPDATE benchmarks SET state = :state, finished = :finished, error = :error,
    report = coalesce(:report, report), revision = revision + 1 WHERE id = :id"""
_LIST = """SELECT id, name, identity, about, state, worker, created, finished, author,
    length(report) IS NOT NULL AS told FROM benchmarks WHERE kind = 'benchmark' AND deleted IS NULL
    ORDER BY number DESC"""
_LIST_WORKERS = "SELECT benchmark, name FROM workers"
_LIST_RUNS = "SELECT benchmark, name, state FROM runs ORDER BY benchmark, place"
_LIST_UNITS = """SELECT benchmark, count(*), count(CASE WHEN units.state = 'completed' THEN 1 END)
    FROM steps LEFT JOIN units ON units.key = steps.unit GROUP BY benchmark"""
_IS_THERE = "SELECT id FROM benchmarks WHERE id = :id"
_IDS = "SELECT id FROM benchmarks ORDER BY number DESC"
_REPORT = "SELECT report FROM benchmarks WHERE id = :id"
_JOB = """SELECT id, kind, name, state, job, salt, error, created
    FROM benchmarks WHERE id = :id"""
_OPEN_JOBS = """SELECT id, kind, name, state, job, salt, error, created
    FROM benchmarks WHERE state IN ('pending', 'running') AND deleted IS NULL
    AND (state = 'running' OR kind <> 'benchmark') ORDER BY number"""


@dataclass(frozen=True, slots=True)
class BenchmarkEntry:
    """A benchmark in the ledger: ``done`` of its ``total`` units are completed.

    ``runs`` maps names to states, in order; times are seconds since 1970; ``reported`` tells
    whether its report is kept, ``interrupted`` whether all that worked on it are known to be gone.
    What a service created has an ``author``.
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
    author: str = ""


def last_unit(kind: str, job: str) -> str:
    """Name the unit that ends a job: for a benchmark, that of its report."""
    return f"{kind}-{job}"


def begin_benchmark(  # noqa: PLR0913 - every option is a name of its own
    connection: "Connection",
    *,
    identity: str,
    name: str,
    about: Mapping[str, Any],
    runs: Sequence[str],
    resume: bool,
    completed: bool = False,
    fresh: bool = False,
    job: Mapping[str, Any] | None = None,
    if_new: Mapping[str, Any],
    kind: str = "benchmark",
    machine: str = "",
    worker: str,
    now: float,
) -> StartedBenchmark:
    """Resume the newest benchmark of this identity that is not completed, or start one.

    Where one may also be ``completed``, the newest of all is meant; a ``fresh`` one shares its work
    with no other. It is then called as it is now: the identity holds the work, and no names.
    """
    same = _SAME.format(
        unfinished="" if completed else "AND state <> 'completed'",
        fresh="AND salt <> ''" if fresh else "",
    )
    found = run(connection, same, {"identity": identity}).one_or_none() if resume else None
    told: dict[str, Any] = {"name": storable(name), "worker": worker, "now": now}
    told["folded"] = told["name"].casefold()
    told["about"] = json.dumps(dict(about))
    whole = None if job is None else {**job, **(if_new if found is None else {})}
    told["job"] = None if whole is None else json.dumps(whole, default=str)
    if found is not None:
        begun = StartedBenchmark(found.id, resumed=True, state=found.state, salt=found.salt)
        run(connection, _CALLED, {"id": begun.id, **told})
        go_on(connection, begun.id, last_unit("report", begun.id), now=now)
    else:
        new = uuid.uuid4().hex[:ID_LETTERS]
        begun = StartedBenchmark(new, resumed=False, state="pending", salt=new if fresh else "")
        who: dict[str, Any] = {"id": new, "kind": kind, "machine": machine, "salt": begun.salt}
        who["state"] = "running" if kind == "benchmark" else "pending"  # until somebody claims it
        who["started"] = now if kind == "benchmark" else None
        run(connection, _NEW, {"identity": identity, **who, **told})
    insert_runs(connection, begun.id, runs)
    return begun


def insert_runs(connection: "Connection", benchmark: str, runs: Sequence[str]) -> None:
    """Note the runs of a benchmark, in their order; those that are there keep their state."""
    places = enumerate(dict.fromkeys(runs))
    if runs:
        run(connection, _RUN, [{"id": benchmark, "name": each, "place": at} for at, each in places])


def go_on(connection: "Connection", benchmark: str, last: str, *, now: float) -> None:
    """Let a benchmark be worked on again; ``last`` is its unit that sums up."""
    run(connection, _GO_ON, {"id": benchmark, "now": now})
    run(connection, _RUNS_GO_ON, {"id": benchmark})
    run(connection, _SUM_UP_AGAIN, {"last": last})


def finish_benchmark(
    connection: "Connection",
    benchmark: str,
    state: WorkState,
    *,
    report: bytes | None = None,
    error: str = "",
    failed_runs: Collection[str] = (),
    now: float,
) -> None:
    """Write how a benchmark ended; each of its runs ends as its units did, or has failed."""
    ended: dict[str, Any] = {
        "id": benchmark,
        "state": state,
        "finished": now if state in ENDED else None,
        "report": None if report is None else pack(report),
        "error": storable(error),
    }
    run(connection, _END, ended)
    states: dict[str, set[str | None]] = {}
    for name, of_unit in run(connection, _UNITS_OF_RUNS, {"id": benchmark}):
        states.setdefault(name, set()).add(of_unit)
    lost = set(failed_runs)
    ends = [
        {
            "id": benchmark,
            "name": name,
            "state": "failed" if name in lost else _of_run(of_units, state),
        }
        for name, of_units in states.items()
    ]
    if ends:
        run(connection, _RUN_ENDS, ends)


def _of_run(of_units: set[str | None], state: WorkState) -> WorkState:
    if "failed" in of_units:
        return "failed"
    if of_units == {"completed"}:
        return "completed"
    return "pending" if state == "interrupted" else state  # it waits to be resumed


def list_benchmarks(connection: "Connection") -> list[BenchmarkEntry]:
    """List all benchmarks, the newest first."""
    runs: dict[str, dict[str, WorkState]] = {}
    for benchmark, name, state in run(connection, _LIST_RUNS):
        runs.setdefault(benchmark, {})[name] = state
    workers: dict[str, list[str]] = {}
    for benchmark, name in run(connection, _LIST_WORKERS):
        workers.setdefault(benchmark, []).append(name)
    counts = {benchmark: (total, done) for benchmark, total, done in run(connection, _LIST_UNITS)}
    return [
        _listed(row, runs.get(row.id, {}), counts, [row.worker or "", *workers.get(row.id, ())])
        for row in run(connection, _LIST)
    ]


def _listed(
    row: "Row[*tuple[Any, ...]]",
    runs: dict[str, WorkState],
    counts: dict[str, tuple[int, int]],
    workers: Sequence[str],
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
        interrupted=row.state == "interrupted"
        or (row.state == "running" and all(is_alive(one) is False for one in workers)),
        author=row.author or "",
    )


def find_report(connection: "Connection", benchmark: str) -> bytes | None:
    """Return the report of the benchmark whose id begins like this."""
    report = run(connection, _REPORT, {"id": _found(connection, benchmark)}).scalar_one()
    return None if report is None else unpack(report)


def find_job(connection: "Connection", benchmark: str) -> StoredJob:
    """Return what there is to do for the benchmark whose id begins like this."""
    return _job(run(connection, _JOB, {"id": _found(connection, benchmark)}).one())


def find_open_jobs(connection: "Connection") -> list[StoredJob]:
    """List what is not finished, the oldest first; benchmarks only once they are started."""
    return [_job(row) for row in run(connection, _OPEN_JOBS)]


def _job(row: "Row[*tuple[Any, ...]]") -> StoredJob:
    content = json.loads(row.job) if row.job else {}
    told = (row.id, row.kind, row.name, row.state, content, row.salt, row.error, row.created)
    return StoredJob(*told)


def _found(connection: "Connection", benchmark: str) -> str:
    if run(connection, _IS_THERE, {"id": storable(benchmark)}).one_or_none():
        return benchmark
    ids = run(connection, _IDS).scalars().all()
    found = [each for each in ids if benchmark and each.startswith(benchmark)]
    if len(found) != 1:
        raise _not_one(benchmark, found, ids)
    return str(found[0])


def _not_one(benchmark: str, found: Sequence[str], ids: Sequence[str]) -> InputError:
    near = nearest(benchmark, ids)
    listed = first_named(found or near or list(ids), 5)
    if found:
        problem = f"ambiguous id: {len(found)} benchmarks start with it"
        hint = f"give more characters of the id: {listed}"
    else:
        problem = "unknown benchmark id"
        known = f"did you mean {listed}?" if near else f"available: {listed}"
        hint = known if ids else "run one first: assay run FILE"
    return InputError(problem, where=benchmark or "id", hint=hint)
