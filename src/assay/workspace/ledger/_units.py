"""Units of work: who may do which, and how far each is."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.errors import CancelledError, FencedError, InputError
from assay.records.work import Claim, RecordedAnswer, Unit, UnitState
from assay.text import conceal
from assay.workspace.ledger._database import batches, run
from assay.workspace.ledger._rows import insert_rows, storable
from assay.workspace.ledger._worker import count_beside, is_alive

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "RESUME",
    "annotate_unit",
    "begun_otherwise",
    "claim_unit",
    "count_others",
    "end_unit",
    "facts_of",
    "fenced",
    "prepare_units",
    "record_rows",
    "refuse_cancelled",
    "refuse_others",
    "unit_states",
]

RESUME = "to resume it, run the same command with --resume"

_UNIT = """INSERT INTO units
    (key, kind, name, tape, state, total, done, bytes, fence, error, facts, created, used)
    VALUES (:key, :kind, :name, :tape, 'pending', :total, 0, 0, 0, '', '{}', :now, :now)
    ON CONFLICT (key) DO UPDATE SET name = excluded.name, used = excluded.used"""
_USED = "UPDATE tapes SET name = :name, used = :now WHERE key = :tape"
_STEP = """INSERT INTO steps (benchmark, unit, place) VALUES (:benchmark, :key, :place)
    ON CONFLICT DO NOTHING"""
_FIRST_PLACE = "SELECT coalesce(max(place) + 1, 0) FROM steps WHERE benchmark = :benchmark"
_KNOWN = "SELECT unit FROM steps WHERE benchmark = :benchmark"
_NO_NEEDS = "DELETE FROM needs WHERE unit = :key"
_NEED = "INSERT INTO needs (unit, need, place) VALUES (:unit, :need, :place)"
_USE = """INSERT INTO uses (benchmark, run, unit) VALUES (:benchmark, :run, :unit)
    ON CONFLICT DO NOTHING"""
_THERE = "SELECT key FROM units WHERE key IN :keys"
_LAID_OUT = """SELECT key, name FROM steps JOIN units ON units.key = steps.unit
    WHERE benchmark = :benchmark AND kind NOT IN ('time', 'report') ORDER BY place"""
_MACHINE = "SELECT machine FROM benchmarks WHERE id = :benchmark"

_AT_WORK = "SELECT DISTINCT worker FROM units WHERE state = 'running' AND worker IS NOT NULL"
_CANCELLED = "SELECT cancel FROM benchmarks WHERE id = :benchmark"
_CLAIM = """UPDATE units SET state = 'running', fence = fence + 1, worker = :worker, error = '',
    lease_s = :lease, lease_until = :until, claimed_for = :benchmark
    WHERE number = (SELECT u.number FROM steps JOIN units u ON u.key = steps.unit
    WHERE steps.benchmark = :benchmark AND (u.state = 'pending' OR
    (u.state = 'running' AND (u.lease_until <= :now OR u.worker IN :gone)))
    AND NOT EXISTS (SELECT 1 FROM needs LEFT JOIN units d ON d.key = needs.need
        WHERE needs.unit = u.key AND (d.state IS NULL OR d.state <> 'completed'))
    AND (u.kind <> 'time' OR :machine = (SELECT machine FROM benchmarks WHERE id = :benchmark))
    {kinds} {among} ORDER BY steps.place LIMIT 1 {locked})
    RETURNING key, kind, name, total, fence, tape"""
_NEEDS = "SELECT need FROM needs WHERE unit = :key ORDER BY place"
_RUN_STARTS = """UPDATE runs SET state = 'running' WHERE benchmark = :benchmark
    AND state = 'pending' AND name IN
    (SELECT run FROM uses WHERE benchmark = :benchmark AND unit = :key)"""
_SEEN = """UPDATE benchmarks SET worker = :worker, seen = :now,
    started = coalesce(started, :now),
    revision = CASE WHEN state = 'pending' THEN revision + 1 ELSE revision END,
    state = CASE WHEN state = 'pending' THEN 'running' ELSE state END WHERE id = :benchmark"""

_MINE = "key = :key AND fence = :fence AND state = 'running'"
_HELD = f"""SELECT number, tape, (SELECT cancel FROM benchmarks WHERE id = claimed_for)
    FROM units WHERE {_MINE}"""  # noqa: S608
_PROGRESS = """UPDATE units SET done = done + :done, bytes = bytes + :bytes,
    lease_until = :now + lease_s WHERE number = :number"""
_END = f"""UPDATE units SET state = :state, error = :error, facts = coalesce(:facts, facts),
    finished = coalesce(:finished, finished), worker = NULL, lease_until = NULL
    WHERE {_MINE} RETURNING number"""  # noqa: S608
_FACTS = "SELECT facts FROM units WHERE key = :key"
_ANNOTATE = "UPDATE units SET facts = :facts WHERE key = :key"
_STATES = """SELECT key, state, done, total, error, facts, finished
    FROM steps JOIN units ON units.key = steps.unit WHERE benchmark = :benchmark ORDER BY place"""


def prepare_units(
    connection: "Connection",
    benchmark: str,
    units: Sequence[Unit],
    uses: Mapping[str, Sequence[str]],
    now: float,
    *,
    machine: str = "",
) -> list[str]:
    """Make the units that are not there, and link them to a benchmark in their order.

    Those of timing are left out where their ``machine`` is not the benchmark's any more. Returns
    those that the benchmark did not have.
    """
    units = list({unit.key: unit for unit in units}.values())
    if run(connection, _MACHINE, {"benchmark": benchmark}).scalar() != machine:
        units = [unit for unit in units if unit.kind != "time"]
    _refuse_unknown(connection, units)
    known = set(run(connection, _KNOWN, {"benchmark": benchmark}).scalars())
    first = run(connection, _FIRST_PLACE, {"benchmark": benchmark}).scalar_one()
    described = [_described(unit, now) for unit in units]
    _run_all(connection, _UNIT, described)
    _run_all(connection, _USED, described)
    places = enumerate((unit.key for unit in units), first)
    steps = [{"benchmark": benchmark, "key": key, "place": at} for at, key in places]
    _run_all(connection, _STEP, steps)
    _run_all(connection, _NO_NEEDS, [{"key": unit.key} for unit in units])
    _run_all(connection, _NEED, [need for unit in units for need in _needs(unit)])
    kept = {unit.key for unit in units}
    used = [(name, key) for name, keys in uses.items() for key in keys if key in kept]
    of_runs = [{"benchmark": benchmark, "run": name, "unit": key} for name, key in used]
    _run_all(connection, _USE, of_runs)
    return [unit.key for unit in units if unit.key not in known]


def claim_unit(
    connection: "Connection",
    benchmark: str,
    worker: str,
    *,
    lease_s: float,
    kinds: Collection[str],
    now: float,
    among: Collection[str] = (),
    machine: str = "",
) -> Claim | None:
    """Take the first unit that may be worked on; whose process is dead has let go of its units."""
    about = {"benchmark": benchmark, "worker": worker, "machine": machine, "now": now}
    refuse_cancelled(connection, benchmark)
    at_work = run(connection, _AT_WORK, about).scalars().all()
    gone = ["", *(each for each in at_work if is_alive(each) is False)]  # never an empty list
    lists = {"gone": gone} | ({"kinds": [*kinds]} if kinds else {})
    lists |= {"among": [*among]} if among else {}
    asked = {**about, "lease": lease_s, "until": now + lease_s, **lists}
    statement = _CLAIM.format(
        kinds="AND u.kind IN :kinds" if kinds else "",
        among="AND u.key IN :among" if among else "",
        locked="FOR UPDATE OF u SKIP LOCKED" if connection.dialect.name == "postgresql" else "",
    )
    found = run(connection, statement, asked, lists=[*lists])
    row = found.one_or_none()
    if row is None:
        return None
    run(connection, _SEEN, about)  # a benchmark before its runs, here as elsewhere: no deadlocks
    run(connection, _RUN_STARTS, {"benchmark": benchmark, "key": row.key})
    needs = tuple(run(connection, _NEEDS, {"key": row.key}).scalars())
    tape = row.tape if row.tape != row.key else ""
    unit = Unit(row.key, row.kind, row.name, needs, row.total, tape)
    others = count_beside(worker, [each for each in at_work if each not in gone])
    return Claim(unit, worker, row.fence, others=others)


def refuse_cancelled(connection: "Connection", benchmark: str) -> None:
    """Refuse to work on a benchmark that is to stop."""
    if run(connection, _CANCELLED, {"benchmark": benchmark}).scalar():
        raise CancelledError("the benchmark was cancelled", hint=RESUME)


def refuse_others(connection: "Connection", benchmark: str, units: Sequence[Unit]) -> None:
    """Refuse to add units to a benchmark that has units of other names: it could not be finished.

    Times have the names of their machine.
    """
    known = {unit.key for unit in units}
    for row in run(connection, _LAID_OUT, {"benchmark": benchmark}):
        if row.key not in known:
            raise begun_otherwise(row.name)


def begun_otherwise(name: str) -> InputError:
    """Say that a unit is none of those that this version of everything would do."""
    problem = "it was started with another version of Assay, of a library or of a model"
    return InputError(problem, where=name, hint="start over: run it without --resume")


def count_others(connection: "Connection", worker: str) -> int:
    """Count the other processes of the same machine that hold a unit of any benchmark."""
    at_work = run(connection, _AT_WORK).scalars().all()
    return count_beside(worker, [each for each in at_work if is_alive(each) is not False])


def record_rows(
    connection: "Connection",
    claim: Claim,
    rows: Sequence[RecordedAnswer],
    beside: Mapping[str, Sequence[RecordedAnswer]],
    now: float,
) -> bool:
    """Write rows, progress and lease of a unit that is still ours; tell whether to stop.

    Rows ``beside`` belong to other tapes, by their keys.
    """
    held = _HELD + (" FOR UPDATE" if connection.dialect.name == "postgresql" else "")
    found = run(connection, held, _mine(claim)).one_or_none()
    if found is None:
        raise fenced(claim)
    number, tape, cancel = found
    insert = partial(insert_rows, connection, name=storable(claim.unit.name), now=now)
    done, size = insert(tape, rows) if rows else (0, 0)
    for other, some in beside.items():
        if some:
            insert(other, some)
    run(connection, _PROGRESS, {"number": number, "done": done, "bytes": size, "now": now})
    return bool(cancel)


def annotate_unit(connection: "Connection", key: str, notes: Sequence[str]) -> None:
    """Add notes to the facts of a unit that has ended."""
    found = run(connection, _FACTS, {"key": key}).scalar()
    if found is not None and notes:
        facts = json.loads(found)
        facts["notes"] = [*facts.get("notes", ()), *notes]
        run(connection, _ANNOTATE, {"key": key, "facts": conceal(json.dumps(facts))})


def facts_of(connection: "Connection", key: str) -> dict[str, Any]:
    """Return what is known of a unit, if it is completed."""
    found = run(connection, f"{_FACTS} AND state = 'completed'", {"key": key}).scalar()
    return dict(json.loads(found)) if found else {}


def end_unit(
    connection: "Connection",
    claim: Claim,
    state: str,
    *,
    error: str = "",
    facts: Mapping[str, Any] | None = None,
    finished: float | None = None,
) -> bool:
    """Let go of a unit in a state; False if it is not ours any more."""
    ended = {
        **_mine(claim),
        "state": state,
        "error": storable(error),
        "facts": None if facts is None else conceal(json.dumps(dict(facts))),
        "finished": finished,
    }
    return run(connection, _END, ended).one_or_none() is not None


def unit_states(connection: "Connection", benchmark: str) -> dict[str, UnitState]:
    """Tell how far the units of a benchmark are, in their order."""
    found = run(connection, _STATES, {"benchmark": benchmark})
    return {
        row.key: UnitState(
            row.key, row.state, row.done, row.total, row.error, json.loads(row.facts), row.finished
        )
        for row in found
    }


def fenced(claim: Claim) -> FencedError:
    """Say that somebody else does this now."""
    return FencedError("another worker has taken over this unit", where=claim.unit.name)


def _refuse_unknown(connection: "Connection", units: Sequence[Unit]) -> None:
    """Refuse needs that nobody prepared: their units would wait for ever."""
    missing = {need for unit in units for need in unit.needs} - {unit.key for unit in units}
    for some in batches(missing.copy()):
        missing -= set(run(connection, _THERE, {"keys": some}, lists=["keys"]).scalars())
    if missing:
        raise ValueError(f"required units were not prepared: {sorted(missing)}")


def _run_all(connection: "Connection", statement: str, values: list[dict[str, Any]]) -> None:
    if values:
        run(connection, statement, values)


def _described(unit: Unit, now: float) -> dict[str, Any]:
    about = {"key": unit.key, "kind": unit.kind, "name": storable(unit.name), "total": unit.total}
    return {**about, "tape": unit.tape or unit.key, "now": now}


def _needs(unit: Unit) -> Iterator[dict[str, Any]]:
    for at, need in enumerate(dict.fromkeys(unit.needs)):
        yield {"unit": unit.key, "need": need, "place": at}


def _mine(claim: Claim) -> dict[str, Any]:
    return {"key": claim.unit.key, "fence": claim.fence}
