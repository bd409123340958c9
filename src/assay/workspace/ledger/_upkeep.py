"""What is done again and what is forgotten: failed queries, and tapes that nobody works with."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.workspace.ledger._database import batches, run
from assay.workspace.ledger._rows import SIZE
from assay.workspace.ledger._worker import is_alive

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["TapeUsage", "forget_units", "list_tapes", "reopen_units", "retry_units"]

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
        WHERE steps.benchmark = :benchmark AND (units.state = 'failed'{failed} OR EXISTS (
        SELECT 1 FROM recorded WHERE recorded.unit = units.number AND {row}))
    UNION SELECT needs.unit FROM needs JOIN wrong ON needs.need = wrong.key)
    SELECT number, units.key, state, kind, worker, lease_until FROM units
    JOIN wrong ON wrong.key = units.key ORDER BY number"""
_NO_ERRORS = "DELETE FROM recorded WHERE unit = :number AND {row}"
_AGAIN = f"""UPDATE units SET state = 'pending', error = '',
    done = (SELECT count(*) FROM recorded WHERE unit = :number),
    bytes = (SELECT {SIZE} FROM recorded WHERE unit = :number)
    WHERE number = :number"""  # noqa: S608
_TAPES = """SELECT key, kind, name, state, done, bytes, created, used FROM units
    ORDER BY used, number"""
_RUNNING = "SELECT key, worker, lease_until FROM units WHERE state = 'running'"
_AT_WORK = "SELECT id, worker, seen FROM benchmarks WHERE state = 'running'"
_THEIRS = "SELECT unit FROM steps WHERE benchmark IN :keys"
_FOUND = "SELECT number, key, bytes FROM units WHERE key IN :keys"
_FORGET = (
    "DELETE FROM recorded WHERE unit IN :numbers",
    "DELETE FROM needs WHERE unit IN :keys",
    "DELETE FROM units WHERE number IN :numbers",
)
_REOPEN = (
    "UPDATE units SET state = 'pending', done = 0, bytes = 0, error = '' WHERE number = :number"
)
_NO_ROWS = "DELETE FROM recorded WHERE unit = :number"
_ENDED = "SELECT number FROM units WHERE key IN :keys AND state IN ('completed', 'failed')"


@dataclass(frozen=True, slots=True)
class TapeUsage:
    """A unit as something that takes space; ``used`` is when a benchmark last prepared it."""

    key: str
    kind: str
    name: str
    rows: int
    bytes: int
    created: float
    used: float
    state: str = "completed"


def list_tapes(connection: "Connection") -> list[TapeUsage]:
    """List all units, the longest unused first."""
    return [
        TapeUsage(
            row.key, row.kind, row.name, row.done, row.bytes, row.created, row.used, row.state
        )
        for row in run(connection, _TAPES)
    ]


def retry_units(
    connection: "Connection",
    benchmark: str,
    kinds: Collection[str] = (),
    *,
    now: float,
    among: Collection[str] = (),
    machine: bool = False,
) -> int:
    """Drop the rows with errors of a benchmark's units and of units that need these.

    Returns how many rows and failed units will be done again; what is being worked on is left, and
    so are units of other than the given kinds and keys. Of the ``machine`` are only failures such
    as a full disk: what failed for what was asked for would fail again.
    """
    again, known = 0, frozenset(among)
    wrong, errors = _statements(machine=machine)
    for number, key, state, kind, worker, until in run(
        connection, wrong, {"benchmark": benchmark}
    ).all():
        at_work = state == "running" and _works(worker or "", until or 0.0, now)
        if at_work or (kinds and kind not in kinds) or (known and key not in known):
            continue
        dropped = run(connection, errors, {"number": number}).rowcount
        failed = state == "failed"
        if dropped or failed:
            run(connection, _AGAIN, {"number": number})
        again += dropped + failed
    return again


def _statements(*, machine: bool) -> tuple[str, str]:
    """Write what finds units that went wrong, and what drops the rows of one that did."""
    failed = f" AND {_OF_MACHINE.format('units.')}" if machine else ""
    row = _OF_MACHINE.format("") if machine else _ANY
    found = _OF_MACHINE.format("recorded.") if machine else f"recorded.{_ANY}"
    return _WRONG.format(failed=failed, row=found), _NO_ERRORS.format(row=row)


def reopen_units(connection: "Connection", keys: Collection[str]) -> None:
    """Let units that ended be done again from the start: what they made is not there any more."""
    for some in batches(keys):
        numbers = run(connection, _ENDED, {"keys": some}, lists=["keys"]).scalars().all()
        for statement in (_NO_ROWS, _REOPEN) if numbers else ():
            run(connection, statement, [{"number": number} for number in numbers])


def forget_units(connection: "Connection", keys: Collection[str], now: float) -> int:
    """Remove units that nobody works on or with, and return how many bytes they took."""
    size = 0
    for some in batches(set(keys) - _at_work(connection, now)):
        found = run(connection, _FOUND, {"keys": some}, lists=["keys"]).all()
        chosen = {"numbers": [row.number for row in found], "keys": [row.key for row in found]}
        for statement in _FORGET if found else ():
            name = "keys" if ":keys" in statement else "numbers"
            run(connection, statement, {name: chosen[name]}, lists=[name])
        size += sum(row.bytes for row in found)
    return size


def _at_work(connection: "Connection", now: float) -> set[str]:
    """Collect the units that somebody holds, and all units of benchmarks that are going on."""
    held = {key for key, worker, until in run(connection, _RUNNING) if _works(worker, until, now)}
    going = [
        benchmark
        for benchmark, worker, seen in run(connection, _AT_WORK)
        if _works(worker, seen + UNKNOWN_S, now)
    ]
    return held | _steps(connection, going)


def _works(worker: str, until: float, now: float) -> bool:
    """Tell whether a worker is at it: its process lives or, if it is out of sight, its time."""
    alive = is_alive(worker)
    return until > now if alive is None else alive


def _steps(connection: "Connection", benchmarks: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for some in batches(benchmarks):
        found |= set(run(connection, _THEIRS, {"keys": some}, lists=["keys"]).scalars())
    return found
