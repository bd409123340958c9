"""What changed from one report to a later one, run by run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.records.comparisons import Candidate
from assay.records.interval import Interval
from assay.records.report import Run

__all__ = ["CostChange", "RunChange", "Since"]


@dataclass(frozen=True, slots=True)
class CostChange:
    """What one figure of the costs was and is; None where it was not measured.

    ``shown`` is lower, higher or same; unknown where the two cannot be told apart, and unlike where
    they were measured under conditions that cannot be compared.
    """

    before: float | None
    after: float | None
    shown: Literal["lower", "higher", "same", "unknown", "unlike"] = "unknown"
    before_interval: Interval | None = None
    after_interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RunChange:
    """A run of an earlier report, and the one of a later report that goes by its name.

    ``candidate`` compares the two, paired by query; ``settings`` has what each setting was and is,
    where that differs.
    """

    before: Run
    after: Run
    candidate: Candidate
    settings: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    costs: Mapping[str, CostChange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Since:
    """What changed since the report ``before``.

    Only the ``queries`` that both have, and judge alike, are compared: ``only_before`` and
    ``only_after`` are in one alone, ``rejudged`` have other judgments or another text. ``new`` and
    ``gone`` are runs that only one report has. ``environment`` has what was and is of the machine
    and its programs, where it differs; times are ``comparable`` if nothing of that matters to them.
    """

    before: str
    after: str
    primary: str
    queries: int
    changes: tuple[RunChange, ...]
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    rejudged: tuple[str, ...] = ()
    environment: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    comparable: bool = True
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str | int | float] = field(default_factory=dict)

    def __str__(self) -> str:
        count = f"{self.queries} quer{'y' if self.queries == 1 else 'ies'}"
        lines = [f"{self.after} since {self.before}, by {self.primary} ({count})"]
        for one in self.changes:
            verdict = one.candidate.verdict
            lines.append(f"{one.candidate.run}: {verdict.outcome}. {verdict.reason}")
        return "\n".join(lines)
