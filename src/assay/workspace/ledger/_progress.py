"""How far benchmarks and other jobs are: one, a page of them, or all that are open."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.records.pages import check_limit, make_page, read_cursor
from assay.records.service import (
    BenchmarkProgress,
    BenchmarkStatus,
    JobStatus,
    Page,
    RunProgress,
)
from assay.workspace.ledger._database import batches, run
from assay.workspace.ledger._lifecycle import unknown_benchmark
from assay.workspace.ledger._rows import storable, unpack

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "ended_since",
    "find_job_status",
    "find_status",
    "page_jobs",
    "page_statuses",
    "progress_of",
]

# The length of a report is known without reading it, unlike whether it is NULL.
_STATUS = """SELECT number, id, name, state, author, created, started, finished, error, parallel,
    length(report) IS NOT NULL AS told, deleted, revision, cancel FROM benchmarks"""
_ONE = f"{_STATUS} WHERE id = :id AND kind = 'benchmark'"
_PAGE = f"""{_STATUS} WHERE number IN (SELECT number FROM benchmarks WHERE kind = 'benchmark'
    AND deleted IS {{deleted}} AND number < :before {{state}} {{named}}
    ORDER BY number DESC LIMIT :page) ORDER BY number DESC"""  # noqa: S608
_RUNS = "SELECT benchmark, name, state FROM runs WHERE benchmark IN :ids ORDER BY benchmark, place"
_UNITS = """SELECT steps.benchmark, count(*) AS total,
    count(CASE WHEN units.state = 'completed' THEN 1 END) AS done,
    min(CASE WHEN units.state = 'running' THEN units.name END) AS stage
    FROM steps LEFT JOIN units ON units.key = steps.unit
    WHERE steps.benchmark IN :ids GROUP BY steps.benchmark"""
_OPEN = """SELECT id, name, kind, state, error FROM benchmarks WHERE state IN ('pending', 'running')
    AND (state = 'running' OR kind <> 'benchmark') AND deleted IS NULL ORDER BY number"""
_ENDED = "SELECT id FROM benchmarks WHERE finished > :time"
_THESE = "SELECT id, name, kind, state, error FROM benchmarks WHERE id IN :ids ORDER BY number"
# A completed unit may have recorded nothing: all that it asks for was on its tape before.
_OF_RUNS = """SELECT runs.benchmark, runs.name, runs.state, runs.place, count(uses.unit) AS units,
    count(CASE WHEN units.state = 'completed' THEN 1 END) AS ended,
    max(CASE WHEN units.kind <> 'time' THEN units.total END) AS queries,
    sum(units.total) AS expected, sum(CASE WHEN units.state = 'completed'
        OR units.done > units.total THEN units.total ELSE units.done END) AS recorded
    FROM runs LEFT JOIN uses ON uses.benchmark = runs.benchmark AND uses.run = runs.name
    LEFT JOIN units ON units.key = uses.unit WHERE runs.benchmark IN :ids
    GROUP BY runs.benchmark, runs.name, runs.state, runs.place
    ORDER BY runs.benchmark, runs.place"""
_JOB = """SELECT number, id, kind, name, state, created, finished, error, report FROM benchmarks
    WHERE kind <> 'benchmark' AND deleted IS NULL"""


def find_status(connection: "Connection", benchmark: str) -> BenchmarkStatus:
    """Return how far the benchmark with this whole id is, also if it is marked as deleted."""
    row = run(connection, _ONE, {"id": storable(benchmark)}).one_or_none()
    if row is None:
        raise unknown_benchmark(benchmark)
    return _statuses(connection, [row])[row.id]


def page_statuses(
    connection: "Connection", *, limit: int, cursor: str, state: str, contains: str, deleted: bool
) -> Page[BenchmarkStatus]:
    """List benchmarks, the newest first: of a state, and with a text in their names."""
    statement = _PAGE.format(
        deleted="NOT NULL" if deleted else "NULL",
        state="AND state = :state" if state else "",
        named="AND folded LIKE :pattern ESCAPE '!'" if contains else "",
    )
    asked: dict[str, Any] = {"page": check_limit(limit)}
    asked |= {"before": read_cursor(cursor, "benchmarks", first=2**62)}
    asked |= {"state": storable(state)} if state else {}
    asked |= {"pattern": _pattern(contains)} if contains else {}
    rows = run(connection, statement, asked).all()
    made = _statuses(connection, rows[:limit])
    return make_page(rows, limit, "benchmarks", lambda row: made[row.id])


def progress_of(
    connection: "Connection", ids: Collection[str] | None
) -> dict[str, BenchmarkProgress]:
    """Return how far some are, or all that can be worked on, the oldest first."""
    if ids is None:
        rows = run(connection, _OPEN).all()
    else:
        rows = _all(connection, _THESE, {storable(one) for one in ids})
    found = [row.id for row in rows]
    counts = {row.benchmark: row for row in _all(connection, _UNITS, found)}
    runs: dict[str, list[RunProgress]] = {}
    for row in _all(connection, _OF_RUNS, found):
        runs.setdefault(row.benchmark, []).append(_of_run(row))
    return {row.id: _progress(row, counts.get(row.id), runs.get(row.id, ())) for row in rows}


def ended_since(connection: "Connection", time: float) -> list[str]:
    """Return the ids of the benchmarks and jobs that ended after a time."""
    return list(run(connection, _ENDED, {"time": time}).scalars())


def page_jobs(
    connection: "Connection", *, limit: int, cursor: str, kind: str, state: str, identity: str
) -> Page[JobStatus]:
    """List jobs other than benchmarks, the newest first."""
    given = {"kind": kind, "state": state, "identity": identity}
    given = {name: value for name, value in given.items() if value}
    more = " ".join(f"AND {name} = :{name}" for name in given)
    statement = f"{_JOB} {more} AND number < :before ORDER BY number DESC LIMIT :page"
    asked: dict[str, Any] = {"page": check_limit(limit)}
    asked |= {"before": read_cursor(cursor, "jobs", first=2**62)}
    asked |= {name: storable(value) for name, value in given.items()}
    return make_page(run(connection, statement, asked).all(), limit, "jobs", _job_status)


def find_job_status(connection: "Connection", job: str) -> JobStatus:
    """Return how far the job with this whole id is, and what it came to."""
    row = run(connection, f"{_JOB} AND id = :id", {"id": storable(job)}).one_or_none()
    if row is None:
        raise unknown_benchmark(job, "job")
    return _job_status(row)


def _pattern(text: str) -> str:
    """Write a pattern of LIKE that finds a text anywhere in a folded name; ``!`` escapes."""
    return f"%{re.sub('[!%_]', lambda found: f'!{found[0]}', storable(text).casefold())}%"


def _all(
    connection: "Connection", statement: str, ids: Collection[str]
) -> "list[Row[*tuple[Any, ...]]]":
    found: list[Row[*tuple[Any, ...]]] = []
    for some in batches(ids):
        found += run(connection, statement, {"ids": some}, lists=["ids"]).all()
    return found


def _statuses(connection: "Connection", rows: "Sequence[Row[Any]]") -> dict[str, BenchmarkStatus]:
    ids = [row.id for row in rows]
    runs: dict[str, dict[str, Any]] = {}
    for benchmark, name, state in _all(connection, _RUNS, ids):
        runs.setdefault(benchmark, {})[name] = state
    counts = {row.benchmark: row for row in _all(connection, _UNITS, ids)}
    return {row.id: _status(row, runs.get(row.id, {}), counts.get(row.id)) for row in rows}


def _status(
    row: "Row[Any]", runs: Mapping[str, Any], counted: "Row[Any] | None"
) -> BenchmarkStatus:
    done, total = _counts(row, counted)
    return BenchmarkStatus(
        id=row.id,
        name=row.name,
        state=row.state,
        author=row.author,
        created=row.created,
        started=row.started,
        finished=row.finished,
        error=row.error,
        parallel=row.parallel,
        runs=runs,
        done=done,
        total=total,
        reported=bool(row.told),
        deleted=row.deleted is not None,
        revision=row.revision,
        cancelling=bool(row.cancel) and row.state == "running",
    )


def _progress(
    row: "Row[Any]", counted: "Row[Any] | None", runs: Sequence[RunProgress]
) -> BenchmarkProgress:
    done, total = _counts(row, counted)
    stage = counted.stage if counted is not None and row.state == "running" else None
    told = (row.id, row.name, row.kind, row.state, done, total)
    return BenchmarkProgress(*told, runs=tuple(runs), stage=stage or "", error=row.error)


def _counts(row: "Row[Any]", counted: "Row[Any] | None") -> tuple[int, int]:
    if counted is None:
        return 0, 0
    done = counted.total if row.state == "completed" else counted.done  # tapes may be gone by now
    return done, counted.total


def _of_run(row: "Row[Any]") -> RunProgress:
    """Count in queries: a run is as far as its stages are on average."""
    expected, queries = row.expected or 0, row.queries or 0
    done, total = row.ended, row.units
    if expected and queries:
        done, total = int(queries * (row.recorded or 0) / expected), queries
    if row.state == "completed":
        done = total
    return RunProgress(row.name, row.state, done, total)


def _job_status(row: "Row[Any]") -> JobStatus:
    result = {} if row.report is None else json.loads(unpack(row.report))
    told = (row.id, row.kind, row.name, row.state, row.created, row.finished, row.error)
    return JobStatus(*told, result=result)
