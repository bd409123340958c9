"""What is to be done for a benchmark, piece by piece, and what was recorded of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Claim", "RecordedAnswer", "StartedBenchmark", "Unit", "UnitState", "WorkState"]

WorkState = Literal["pending", "running", "completed", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work that one worker at a time does: an index, or a stage over all queries.

    ``key`` names what is done by its content: two configurations that share a stage share its unit,
    also across benchmarks. ``kind`` is build, stage, search (a whole search at once) or study.
    ``needs`` are the keys of units that must be completed before. ``total`` counts the records that
    make it complete; 0 for a build, which records nothing but its facts.
    """

    key: str
    kind: str
    name: str
    needs: tuple[str, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One row of a tape: what a unit answered to a query, when it was asked for the nth time.

    ``value`` holds what was found: in round 0, and later only if it was something else. ``times``
    has the milliseconds by stage. A query that failed has an ``error`` and no value, in each round.
    """

    query: str
    round: int = 0
    value: bytes | None = None
    times: Mapping[str, float] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A unit that a worker may work on as long as ``fence`` is the unit's current number."""

    unit: Unit
    worker: str
    fence: int


@dataclass(frozen=True, slots=True)
class StartedBenchmark:
    """A benchmark in the ledger: its id, whether it was there before, and its state until now."""

    id: str
    resumed: bool
    state: WorkState


@dataclass(frozen=True, slots=True)
class UnitState:
    """How far a unit is: its records, why it failed, and the ``facts`` that it ended with.

    ``finished`` is when it was completed, in seconds since 1970.
    """

    key: str
    state: WorkState
    done: int = 0
    total: int = 0
    error: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    finished: float | None = None
