"""What is to be done for a benchmark, piece by piece, and what was recorded of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Claim",
    "RecordedAnswer",
    "StartedBenchmark",
    "StoredJob",
    "Unit",
    "UnitState",
    "WorkState",
]

# Interrupted by Ctrl-C, a kill or a crash; cancelled by somebody. Both can be resumed.
WorkState = Literal["pending", "running", "completed", "failed", "cancelled", "interrupted"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of work that one worker at a time does: an index, or a stage over some queries.

    ``key`` names what is done by its content: two configurations that share a stage share its unit,
    also across benchmarks. ``kind`` is build, stage, search (a whole search at once), study, time
    (the same searches again, for their latency) or report. ``needs`` are the keys of units that
    must be completed before. ``total`` counts the records that make it complete; 0 for a build,
    which records nothing but its facts. It records on the ``tape`` of that name, else of its key;
    units over other queries of the same stage record on the same tape.
    """

    key: str
    kind: str
    name: str
    needs: tuple[str, ...] = ()
    total: int = 0
    tape: str = ""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One row of a tape: what was answered to a query, when it was asked for the nth time.

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
    """A unit that a worker may work on as long as ``fence`` is the unit's current number.

    ``others`` counts the workers that were at work on the same machine when it was claimed.
    """

    unit: Unit
    worker: str
    fence: int
    others: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class StartedBenchmark:
    """A benchmark in the ledger: its id, whether it was there before, and its state until now.

    Work of a benchmark with a ``salt`` is shared with no other.
    """

    id: str
    resumed: bool
    state: WorkState
    salt: str = ""


@dataclass(frozen=True, slots=True)
class StoredJob:
    """What a process needs to know to work on something: the ``content`` depends on the ``kind``.

    ``error`` says why it failed, if it did; ``created`` is when it was started, in seconds since
    1970.
    """

    id: str
    kind: str
    name: str
    state: WorkState
    content: Mapping[str, Any]
    salt: str = ""
    error: str = ""
    created: float = 0.0


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
