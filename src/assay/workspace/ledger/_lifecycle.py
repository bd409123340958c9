"""The life of a benchmark of a service: noted, started, cancelled, gone on with, removed."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import ConflictError, NotFoundError, StaleError
from assay.records.work import Unit
from assay.text.quote import quote
from assay.workspace.ledger._benchmarks import (
    ENDED,
    ID_LETTERS,
    finish_benchmark,
    go_on,
    insert_runs,
    last_unit,
)
from assay.workspace.ledger._database import batches, run
from assay.workspace.ledger._rows import storable
from assay.workspace.ledger._units import prepare_units
from assay.workspace.ledger._upkeep import forget_tapes, retry_units
from assay.workspace.ledger._workers import has_workers
from assay.workspace.ledger.open_database import add_entry

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "bring_benchmark_back",
    "cancel_benchmark",
    "confirm_cancel",
    "create_benchmark",
    "delete_benchmark",
    "fail_benchmark",
    "is_to_stop",
    "purge_benchmarks",
    "resume_benchmark",
    "retry_benchmark",
    "settle_benchmark",
    "start_benchmark",
    "unknown_benchmark",
]

AT_ONCE = 100  # benchmarks that are removed in one transaction
_NEW = """INSERT INTO benchmarks (id, kind, identity, name, folded, about, job, machine, salt,
    state, cancel, worker, created, seen, author, parallel, lane) VALUES (:id, :kind, :identity,
    :name, :folded, :about, :job, '', :salt, 'pending', 0, '', :now, :now, :author, :parallel,
    :lane) ON CONFLICT (id) DO NOTHING RETURNING number"""
_MAPPING = "SELECT number FROM mappings WHERE id = :id AND deleted IS NULL"
_USE = "INSERT INTO mapping_uses (mapping, benchmark) VALUES (:mapping, :benchmark)"
_IDENTITY = "SELECT identity FROM benchmarks WHERE id = :id"
_START = """UPDATE benchmarks SET state = 'running', started = :now, seen = :now, start_key = :key,
    cancel = 0, revision = revision + 1
    WHERE id = :id AND kind = 'benchmark' AND state = 'pending' AND deleted IS NULL"""
_FIND = """SELECT id, kind, state, cancel, start_key, started, deleted, about, job, revision
    FROM benchmarks WHERE id = :id"""
_STOP = """UPDATE benchmarks SET cancel = 1, revision = revision + 1
    WHERE id = :id AND cancel = 0"""
_DELETE = "UPDATE benchmarks SET deleted = :now, revision = revision + 1 WHERE id = :id"
_BRING_BACK = "UPDATE benchmarks SET deleted = NULL, revision = revision + 1 WHERE id = :id"
_SETTLE = """UPDATE benchmarks SET job = :job, about = :about, revision = revision + 1
    WHERE id = :id"""
_CANCELLED = "SELECT cancel FROM benchmarks WHERE id = :id"
_STOPPING = """SELECT id FROM benchmarks WHERE id = :id AND cancel = 1
    AND state IN ('pending', 'running')"""
_RUNS_AGAIN = """UPDATE runs SET state = 'pending' WHERE benchmark = :id AND state = 'completed'
    AND name IN (SELECT uses.run FROM uses JOIN units ON units.key = uses.unit
    WHERE uses.benchmark = :id AND units.state = 'pending')"""
_DELETED = "SELECT id FROM benchmarks WHERE deleted < :before ORDER BY number LIMIT :most"
_THEIRS_ALONE = """SELECT DISTINCT units.tape FROM steps JOIN units ON units.key = steps.unit
    WHERE steps.benchmark IN :ids AND units.kind <> 'build' AND NOT EXISTS (
    SELECT 1 FROM units u JOIN steps s ON s.unit = u.key
    WHERE u.tape = units.tape AND s.benchmark NOT IN :ids)"""
_WITHOUT_TAPE = """FROM units WHERE tape IN :tapes AND kind <> 'build'
    AND NOT EXISTS (SELECT 1 FROM tapes WHERE tapes.key = units.tape)
    AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.unit = units.key)"""
_NEVER_RECORDED = (
    f"DELETE FROM needs WHERE unit IN (SELECT key {_WITHOUT_TAPE})",  # noqa: S608
    f"DELETE {_WITHOUT_TAPE}",
)
_LAST_UNITS = """DELETE FROM units WHERE kind IN ('report', 'import', 'index', 'resolve')
    AND key IN (SELECT unit FROM steps WHERE benchmark IN :ids)"""
_PURGE = (
    "DELETE FROM workers WHERE benchmark IN :ids",
    "DELETE FROM mapping_uses WHERE benchmark IN :ids",
    "DELETE FROM uses WHERE benchmark IN :ids",
    "DELETE FROM steps WHERE benchmark IN :ids",
    "DELETE FROM runs WHERE benchmark IN :ids",
    "DELETE FROM benchmarks WHERE id IN :ids",
)


def create_benchmark(  # noqa: PLR0913 - every option is a name of its own
    connection: "Connection",
    *,
    name: str,
    about: Mapping[str, Any],
    runs: Sequence[str],
    job: Mapping[str, Any],
    author: str,
    id_: str,
    identity: str,
    parallel: int,
    lane: str,
    kind: str,
    fresh: bool,
    mappings: Sequence[str],
    act: str,
    thing: str,
    now: float,
) -> tuple[str, bool]:
    """Note a benchmark, or another job, unless one with this id and identity is there."""
    new = id_ or uuid.uuid4().hex[:ID_LETTERS]
    called = storable(name)
    told: dict[str, Any] = {"id": new, "kind": kind, "name": called, "folded": called.casefold()}
    told |= {"about": json.dumps(dict(about)), "job": json.dumps(dict(job), default=str)}
    told |= {"identity": identity, "salt": new if fresh else "", "now": now}
    told |= {"author": storable(author), "parallel": parallel, "lane": lane}
    if run(connection, _NEW, told).one_or_none() is None:
        if run(connection, _IDENTITY, {"id": new}).scalar_one() != identity:
            problem = "the Idempotency-Key was used for another request"
            raise ConflictError(problem, where=new, hint="use a new key for a new request")
        return new, False
    insert_runs(connection, new, runs)
    _use_mappings(connection, new, mappings, author=author, now=now)
    if kind != "benchmark":
        unit = Unit(last_unit(kind, new), kind, kind)
        prepare_units(connection, new, [unit], {}, now)
        after: dict[str, Any] = {"job": new}
    else:
        act, thing, after = "benchmark.create", new, {"name": called, "mappings": [*mappings]}
    if act:
        _add_entry(connection, act, thing, author=author, now=now, after=after)
    return new, True


def start_benchmark(
    connection: "Connection",
    benchmark: str,
    key: str,
    *,
    revision: int | None,
    author: str,
    now: float,
) -> None:
    """Let workers begin; whoever started it before with the same key is not refused."""
    told = {"id": storable(benchmark), "key": storable(key), "now": now}
    row = _find(connection, benchmark)
    if key and row.started is not None and row.start_key == told["key"]:
        return
    _refuse_stale(row, revision)
    if row.kind != "benchmark":
        raise unknown_benchmark(benchmark)
    if run(connection, _START, told).rowcount != 1:
        hints = {"running": "wait until it has ended", "completed": "create another benchmark"}
        hint = hints.get(row.state, "resume it, or create another benchmark")
        raise _conflict(row, "started again", hint)
    _note(connection, row, "start", author=author, now=now)


def cancel_benchmark(
    connection: "Connection",
    benchmark: str,
    *,
    revision: int | None,
    author: str,
    since: float,
    now: float,
) -> None:
    """Tell the workers of a benchmark to stop; without any it is cancelled at once."""
    row = _find(connection, benchmark, revision=revision)
    if row.state in ENDED:
        raise _conflict(row, "cancelled any more", "only what is pending or running can be")
    if run(connection, _STOP, {"id": benchmark}).rowcount:  # else somebody asked for it before
        _note(connection, row, "cancel", author=author, now=now)
    if not has_workers(connection, benchmark, since=since):
        finish_benchmark(connection, benchmark, "cancelled", now=now)


def confirm_cancel(connection: "Connection", benchmark: str, now: float) -> None:
    """Note that a worker stopped for a cancellation; one resumed meanwhile is not cancelled."""
    if run(connection, _STOPPING, {"id": benchmark}).one_or_none():
        finish_benchmark(connection, benchmark, "cancelled", now=now)


def resume_benchmark(
    connection: "Connection", benchmark: str, *, revision: int | None, author: str, now: float
) -> None:
    """Let workers go on with what was cancelled, was interrupted or has failed."""
    row = _find(connection, benchmark, revision=revision)
    if row.state not in ENDED or row.state == "completed":
        hints = {"pending": "start it", "running": "wait until it has ended, or cancel it"}
        hint = hints.get(row.state, "what is completed can be retried where queries failed")
        raise _conflict(row, "resumed", hint)
    go_on(connection, benchmark, _last(row), now=now)
    _note(connection, row, "resume", author=author, now=now)


def retry_benchmark(
    connection: "Connection", benchmark: str, *, revision: int | None, author: str, now: float
) -> int:
    """Let what failed be done again, and tell how much that is; all else stays as it is."""
    row = _find(connection, benchmark, revision=revision)
    if row.state not in ENDED:
        hint = "start it" if row.state == "pending" else "wait until it has ended, or cancel it"
        raise _conflict(row, "retried", hint)
    again = retry_units(connection, benchmark, now=now)
    if again or row.state != "completed":
        go_on(connection, benchmark, _last(row), now=now)
        run(connection, _RUNS_AGAIN, {"id": benchmark})
    _note(connection, row, "retry", author=author, now=now, after={"retried": again})
    return again


def delete_benchmark(
    connection: "Connection", benchmark: str, *, revision: int | None, author: str, now: float
) -> None:
    """Mark a benchmark as deleted, unless it is running."""
    row = _find(connection, benchmark, revision=revision)
    if row.state == "running":
        raise _conflict(row, "deleted", "cancel it first")
    run(connection, _DELETE, {"id": benchmark, "now": now})
    _note(connection, row, "delete", author=author, now=now)


def bring_benchmark_back(
    connection: "Connection", benchmark: str, *, author: str, now: float
) -> None:
    """Take the mark of a deleted benchmark away, if the mappings that it uses are there."""
    row = _find(connection, benchmark, deleted=True)
    _refuse_without_mappings(connection, row)
    run(connection, _BRING_BACK, {"id": benchmark})
    _note(connection, row, "undelete", author=author, now=now)


def purge_benchmarks(connection: "Connection", before: float, now: float) -> int:
    """Remove some of those that were deleted before a time, and count them.

    Stage outputs that no other benchmark has go with them.
    """
    ids = run(connection, _DELETED, {"before": before, "most": AT_ONCE}).scalars().all()
    if not ids:
        return 0
    asked = {"ids": [*ids]}
    tapes = run(connection, _THEIRS_ALONE, asked, lists=["ids"]).scalars().all()
    run(connection, _LAST_UNITS, asked, lists=["ids"])
    for statement in _PURGE:
        run(connection, statement, asked, lists=["ids"])
    forget_tapes(connection, tapes, now)
    for some in batches(tapes):
        for statement in _NEVER_RECORDED:
            run(connection, statement, {"tapes": some}, lists=["tapes"])
    return len(ids)


def settle_benchmark(
    connection: "Connection", benchmark: str, job: Mapping[str, Any], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Keep what the first worker found in the data, and return what counts from then on."""
    row = _find(connection, benchmark)
    stored = json.loads(row.job) if row.job else {}
    if stored.get("contents"):
        return dict(stored)
    told = {"job": json.dumps(dict(job), default=str)}
    told |= {"about": json.dumps({**json.loads(row.about), **about})}
    run(connection, _SETTLE, {"id": benchmark, **told})
    return dict(json.loads(told["job"]))


def fail_benchmark(connection: "Connection", benchmark: str, error: str, now: float) -> None:
    """Note why a benchmark or a job cannot be done, unless it has ended; its workers stop."""
    if _find(connection, benchmark).state not in ENDED:
        run(connection, _STOP, {"id": benchmark})
        finish_benchmark(connection, benchmark, "failed", error=error, now=now)


def is_to_stop(connection: "Connection", benchmark: str) -> bool:
    """Tell whether whoever works on a benchmark is to stop; one that was removed is over."""
    return run(connection, _CANCELLED, {"id": storable(benchmark)}).scalar() != 0


def unknown_benchmark(benchmark: str, noun: str = "benchmark") -> NotFoundError:
    """Say that nothing has an id."""
    hint = f"it may have been deleted; list the {noun}s to see which ones exist"
    return NotFoundError(f"unknown {noun} {quote(benchmark[:60])}", hint=hint)


def _use_mappings(
    connection: "Connection", benchmark: str, mappings: Sequence[str], *, author: str, now: float
) -> None:
    """Note which mappings a new benchmark uses; NotFoundError if one was deleted meanwhile.

    The benchmark is noted in the same transaction, which runs alone: a mapping is either deleted
    before it or in use after it.
    """
    for mapping in mappings:
        number = run(connection, _MAPPING, {"id": storable(mapping)}).scalar()
        if number is None:
            raise unknown_benchmark(mapping, "mapping")
        run(connection, _USE, {"mapping": number, "benchmark": benchmark})
        told = {"benchmark": benchmark}
        _add_entry(connection, "mapping.use", mapping, author=author, now=now, after=told)


def _refuse_without_mappings(connection: "Connection", row: "Row[Any]") -> None:
    """Refuse to bring a benchmark back without a mapping that it uses.

    A mapping is never there without its dataset and its corpus.
    """
    pins = json.loads(row.job).get("mappings", ()) if row.job else ()
    for mapping in (str(pin["mapping"]) for pin in pins):
        if run(connection, _MAPPING, {"id": storable(mapping)}).scalar() is None:
            hint = f"first bring mapping {mapping} back, with its dataset and its corpus"
            raise ConflictError(f"its mapping {mapping} was deleted", where=row.id, hint=hint)


def _find(
    connection: "Connection", benchmark: str, *, deleted: bool = False, revision: int | None = None
) -> "Row[Any]":
    """Find a benchmark by its whole id, and let nobody else change it until the end."""
    lock = " FOR UPDATE" if connection.dialect.name == "postgresql" else ""
    row = run(connection, f"{_FIND}{lock}", {"id": storable(benchmark)}).one_or_none()
    if row is None:
        raise unknown_benchmark(benchmark, "deleted benchmark" if deleted else "benchmark")
    if deleted and row.deleted is None:
        hint = "there is nothing to bring back"
        raise NotFoundError("the benchmark is not deleted", where=row.id, hint=hint)
    if row.deleted is not None and not deleted:
        hint = "an editor can bring it back with undelete"
        raise NotFoundError("the benchmark was deleted", where=row.id, hint=hint)
    _refuse_stale(row, revision)
    return row


def _refuse_stale(row: "Row[Any]", revision: int | None) -> None:
    """Refuse a change of another state than the one that its author saw."""
    if revision is not None and revision != row.revision:
        hint = "read it again before changing it"
        raise StaleError("the benchmark has changed", where=row.id, hint=hint)


def _note(
    connection: "Connection",
    row: "Row[Any]",
    verb: str,
    *,
    author: str,
    now: float,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Note what a person does to a benchmark or a job; workers have no entries."""
    if author:
        act = f"{'benchmark' if row.kind == 'benchmark' else 'job'}.{verb}"
        told = {"before": {"state": row.state}, "after": after}
        _add_entry(connection, act, row.id, author=author, now=now, **told)


def _add_entry(
    connection: "Connection",
    act: str,
    thing: str,
    *,
    author: str,
    now: float,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    told = {"before": json.dumps(before or {}), "after": json.dumps(after or {})}
    writer = storable(author).replace("\\", "\\\\")  # in texts of the store a backslash is two
    add_entry(connection, act, thing, author=writer, now=now, **told)


def _last(row: "Row[Any]") -> str:
    return last_unit("report" if row.kind == "benchmark" else row.kind, row.id)


def _conflict(row: "Row[Any]", cannot: str, hint: str) -> ConflictError:
    what = "benchmark" if row.kind == "benchmark" else "job"
    state = "is already running" if row.state == "running" else f"is {row.state}"
    return ConflictError(f"the {what} {state} and cannot be {cannot}", where=row.id, hint=hint)
