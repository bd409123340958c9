"""What is done again and what is forgotten: failed queries, and tapes that nobody works with."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.workspace.ledger._benchmarks import last_unit
from assay.workspace.ledger._database import batches, run
from assay.workspace.ledger._rows import SIZE
from assay.workspace.ledger._worker import is_alive

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "TapeUsage",
    "completed_units",
    "forget_tapes",
    "list_tapes",
    "reopen_units",
    "retry_units",
    "tapes_of_others",
    "timed_while_busy",
]

UNKNOWN_S = 3600.0  # how long a benchmark of another machine counts as at work after its last claim

# What the machine says when it is not the fault of what was asked for, in small letters.
MACHINE = (
    "no space left",
    "disk quota exceeded",
    "disk is full",
    "disk i/o error",
    "input/output error",
    "cannot allocate memory",
    "memoryerror",
    "out of memory",
    "too many open files",
    "database is locked",
    "in use by another process",
    "is writing this index",
)
_ANY = "error <> ''"
_OF_MACHINE = "(" + " OR ".join(f"lower({{0}}error) LIKE '%{said}%'" for said in MACHINE) + ")"
_WRONG = """WITH RECURSIVE wrong (key) AS (
    SELECT steps.unit FROM steps JOIN units ON units.key = steps.unit
        LEFT JOIN tapes ON tapes.key = units.tape
        WHERE steps.benchmark = :benchmark AND (units.state = 'failed'{failed} OR EXISTS (
        SELECT 1 FROM recorded WHERE recorded.tape = tapes.number AND {row}))
    UNION SELECT needs.unit FROM needs JOIN wrong ON needs.need = wrong.key)
    SELECT units.number, units.key, state, kind, worker, lease_until, tape,
    tapes.number AS tape_number FROM units JOIN wrong ON wrong.key = units.key
    LEFT JOIN tapes ON tapes.key = units.tape ORDER BY units.number"""
_NO_ERRORS = "DELETE FROM recorded WHERE tape = :number AND {row}"
_COUNTED = f"""UPDATE tapes SET
    rows = (SELECT count(*) FROM recorded WHERE recorded.tape = :number),
    bytes = (SELECT {SIZE} FROM recorded WHERE recorded.tape = :number)
    WHERE number = :number"""  # noqa: S608
_AGAIN = """UPDATE units SET state = 'pending', error = '',
    done = CASE WHEN done > :dropped THEN done - :dropped ELSE 0 END WHERE number = :number"""
_BESIDE = """UPDATE units SET state = 'pending', error = ''
    WHERE tape = :tape AND state IN ('completed', 'failed')"""
_FROM_THE_START = """UPDATE units SET state = 'pending', error = '', done = 0, bytes = 0
    WHERE tape = :tape AND state IN ('completed', 'failed')"""
_TAPES = "SELECT key, name, rows, bytes, created, used FROM tapes ORDER BY used, number"
_COMPLETED = "SELECT key FROM units WHERE key IN :keys AND state = 'completed'"
_TIMED_BEFORE = """SELECT key, facts FROM units WHERE key IN :keys AND kind = 'time'
    AND state = 'completed' AND finished < (SELECT created FROM benchmarks WHERE id = :benchmark)"""
_RUNNING = "SELECT key, worker, lease_until FROM units WHERE state = 'running'"
_AT_WORK = """SELECT id, worker, seen FROM benchmarks WHERE state = 'running'
    UNION SELECT workers.benchmark, workers.name, workers.seen FROM workers
    JOIN benchmarks ON benchmarks.id = workers.benchmark WHERE state = 'running'"""
_THEIRS = "SELECT unit FROM steps WHERE benchmark IN :keys"
_ON_TAPES = "SELECT DISTINCT tape FROM units WHERE key IN :keys"
_FOUND = "SELECT number, key, bytes FROM tapes WHERE key IN :keys"
_FORGET = (
    "DELETE FROM recorded WHERE tape IN :numbers",
    "DELETE FROM needs WHERE unit IN (SELECT key FROM units WHERE tape IN :keys)",
    "DELETE FROM units WHERE tape IN :keys",
    "DELETE FROM tapes WHERE number IN :numbers",
)
_NO_ROWS = "DELETE FROM recorded WHERE tape IN (SELECT number FROM tapes WHERE key = :tape)"
_EMPTY = "UPDATE tapes SET rows = 0, bytes = 0 WHERE key = :tape"
_ENDED = """SELECT tape FROM units WHERE key IN :keys AND state IN ('completed', 'failed')
    AND tape NOT IN (SELECT tape FROM units WHERE state = 'running')"""
_SUM_UP_AGAIN = """UPDATE units SET state = 'pending', error = '', fence = fence + 1,
    worker = NULL, lease_until = NULL WHERE key = :report"""


@dataclass(frozen=True, slots=True)
class TapeUsage:
    """A tape as something that takes space; ``used`` is when a benchmark last prepared it."""

    key: str
    name: str
    rows: int
    bytes: int
    created: float
    used: float


def list_tapes(connection: "Connection") -> list[TapeUsage]:
    """List all tapes, the longest unused first."""
    return [
        TapeUsage(row.key, row.name, row.rows, row.bytes, row.created, row.used)
        for row in run(connection, _TAPES)
    ]


def completed_units(connection: "Connection", keys: Collection[str]) -> set[str]:
    """Return those of some units that are completed."""
    found: set[str] = set()
    for some in batches(keys):
        found |= set(run(connection, _COMPLETED, {"keys": some}, lists=["keys"]).scalars())
    return found


def retry_units(
    connection: "Connection",
    benchmark: str,
    kinds: Collection[str] = (),
    *,
    now: float,
    among: Collection[str] = (),
    queries: Collection[str] | None = None,
    machine: bool = False,
) -> int:
    """Drop the rows with errors of a benchmark's units and of units that need these.

    Returns how many rows and failed units will be done again; what is being worked on is left, and
    so are units of other than the given kinds and keys, and rows of other ``queries``. Of the
    ``machine`` are only failures such as a full disk: what failed for what was asked for would fail
    again.
    """
    again, known = 0, frozenset(among)
    wrong, errors = _statements(machine=machine)
    held = _tapes(connection, _held(connection, now))
    for row in run(connection, wrong, {"benchmark": benchmark}).all():
        if row.tape in held or (known and row.key not in known):
            continue
        if kinds and row.kind not in kinds:
            continue
        tape, failed = {"number": row.tape_number}, row.state == "failed"
        dropped = _drop(connection, errors, row.tape_number, queries)
        if dropped:
            run(connection, _COUNTED, tape)
            run(connection, _BESIDE, {"tape": row.tape})
        if dropped or failed:
            run(connection, _AGAIN, {"number": row.number, "dropped": dropped})
        again += dropped + failed
    if again:  # a report of what failed may have been made meanwhile, or be in the making
        run(connection, _SUM_UP_AGAIN, {"report": last_unit("report", benchmark)})
    return again


def _drop(
    connection: "Connection", errors: str, tape: int | None, queries: Collection[str] | None
) -> int:
    """Drop rows of a tape, of some queries or of all; return how many."""
    if tape is None:
        return 0
    if queries is None:
        return run(connection, errors, {"number": tape}).rowcount
    some = f"{errors} AND query IN :queries"
    asked = ({"number": tape, "queries": part} for part in batches(queries))
    return sum(run(connection, some, one, lists=["queries"]).rowcount for one in asked)


def _statements(*, machine: bool) -> tuple[str, str]:
    """Write what finds units that went wrong, and what drops the rows of one that did."""
    failed = f" AND {_OF_MACHINE.format('units.')}" if machine else ""
    row = _OF_MACHINE.format("") if machine else _ANY
    found = _OF_MACHINE.format("recorded.") if machine else f"recorded.{_ANY}"
    return _WRONG.format(failed=failed, row=found), _NO_ERRORS.format(row=row)


def reopen_units(
    connection: "Connection", keys: Collection[str], spared: Collection[str] = ()
) -> None:
    """Let units that ended be done again from the start: what they made is not there any more.

    Units that recorded on the same tape lose their rows, too, and are done again; a tape that is
    ``spared``, or that somebody records on, is left as it is.
    """
    for some in batches(keys):
        ended = run(connection, _ENDED, {"keys": some}, lists=["keys"]).scalars().all()
        tapes = sorted(set(ended) - set(spared))
        for statement in (_NO_ROWS, _EMPTY, _FROM_THE_START) if tapes else ():
            run(connection, statement, [{"tape": tape} for tape in tapes])


def timed_while_busy(connection: "Connection", benchmark: str, keys: Collection[str]) -> list[str]:
    """Name those of some units that others timed before a benchmark began, on a busy machine."""
    found: list[str] = []
    for some in batches(keys):
        about = {"benchmark": benchmark, "keys": some}
        rows = run(connection, _TIMED_BEFORE, about, lists=["keys"]).all()
        found += [row.key for row in rows if json.loads(row.facts).get("busy")]
    return found


def forget_tapes(connection: "Connection", keys: Collection[str], now: float) -> int:
    """Remove tapes that nobody works on or with, and return how many bytes they took."""
    size = 0
    for some in batches(set(keys) - _at_work(connection, now)):
        found = run(connection, _FOUND, {"keys": some}, lists=["keys"]).all()
        chosen = {"numbers": [row.number for row in found], "keys": [row.key for row in found]}
        for statement in _FORGET if found else ():
            name = "keys" if ":keys" in statement else "numbers"
            run(connection, statement, {name: chosen[name]}, lists=[name])
        size += sum(row.bytes for row in found)
    return size


def tapes_of_others(connection: "Connection", benchmark: str, now: float) -> set[str]:
    """Collect the tapes of all benchmarks that are going on, but for one."""
    return _tapes(connection, _steps(connection, _going(connection, now) - {benchmark}))


def _at_work(connection: "Connection", now: float) -> set[str]:
    """Collect the tapes of units that somebody holds, and of benchmarks that are going on."""
    going = _steps(connection, _going(connection, now))
    return _tapes(connection, _held(connection, now) | going)


def _held(connection: "Connection", now: float) -> set[str]:
    """Collect the units that somebody works on."""
    running = run(connection, _RUNNING)
    return {key for key, worker, until in running if _works(worker or "", until or 0.0, now)}


def _tapes(connection: "Connection", units: Iterable[str]) -> set[str]:
    tapes: set[str] = set()
    for some in batches(units):
        tapes |= set(run(connection, _ON_TAPES, {"keys": some}, lists=["keys"]).scalars())
    return tapes


def _going(connection: "Connection", now: float) -> set[str]:
    """Return the benchmarks that somebody works on, or did not long ago."""
    return {
        benchmark
        for benchmark, worker, seen in run(connection, _AT_WORK)
        if _works(worker, seen + UNKNOWN_S, now)
    }


def _works(worker: str, until: float, now: float) -> bool:
    """Tell whether a worker is at it: its process lives or, if it is out of sight, its time."""
    alive = is_alive(worker)
    return until > now if alive is None else alive


def _steps(connection: "Connection", benchmarks: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for some in batches(benchmarks):
        found |= set(run(connection, _THEIRS, {"keys": some}, lists=["keys"]).scalars())
    return found
