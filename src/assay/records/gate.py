"""What a gate checks, and what it found: pass, fail or inconclusive, check by check."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from assay.records._board import Board
from assay.records.comparisons import Change
from assay.records.interval import Interval
from assay.text.count_noun import count_noun
from assay.text.figures import amount_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["GATE_OUTCOMES", "Check", "CheckKind", "CheckResult", "Gate", "GateOutcome"]

CheckKind = Literal["allow", "min", "max"]
GateOutcome = Literal["pass", "fail", "inconclusive"]
GATE_OUTCOMES: Mapping[str, str] = {
    "pass": "PASS",
    "fail": "FAIL",
    "inconclusive": "INCONCLUSIVE",
}
FAILED, UNDECIDED = 1, 3


@dataclass(frozen=True, slots=True)
class Check:
    """One condition on a figure: how much worse it may become, or the limit that it must keep.

    ``figure`` is the canonical name of a metric, a cost or a figure of structure. A ``relative``
    amount is a fraction of the baseline. ``group`` restricts a metric to the queries whose field
    has a value, as (field, value). ``preset`` is the preset that the check comes from.
    """

    figure: str
    kind: CheckKind
    amount: float
    relative: bool = False
    group: tuple[str, str] | None = None
    preset: str = ""

    @property
    def name(self) -> str:
        """The figure, and the group of queries that it is of.

        >>> Check("ndcg@10", "allow", 0.05, relative=True, group=("category", "error")).name
        'ndcg@10/category=error'
        """
        return self.figure + (f"/{self.group[0]}={self.group[1]}" if self.group else "")

    @property
    def amount_text(self) -> str:
        """The amount as it is written in a command.

        >>> Check("ndcg@10", "allow", 0.05, relative=True).amount_text
        '5%'
        """
        return f"{self.amount * 100:.15g}%" if self.relative else f"{self.amount:.15g}"

    @property
    def condition(self) -> str:
        """What must hold, in a few words.

        >>> Check("latency_p95_ms", "max", 100.0).condition
        'at most 100 ms'
        """
        if self.kind == "allow":
            what = self.amount_text if self.relative else amount_text(self.figure, self.amount)
            return f"at most {what} worse"
        bound = "at least" if self.kind == "min" else "at most"
        return f"{bound} {amount_text(self.figure, self.amount)}"

    def __str__(self) -> str:
        return f"{self.name}:{self.amount_text}"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check on one run.

    ``delta`` is current minus baseline, ``relative`` that as a fraction of the baseline (None if it
    is 0); ``limit`` is the value that the current one must keep. ``p`` is one-sided: how likely
    such a result is without a drop, ``p_corrected`` after correction for all tests of the gate.
    ``queries_needed`` counts the further queries that would show a drop of the observed size, in an
    inconclusive result. ``changes`` are the queries that lost most. ``warning`` says why times are
    not compared. ``interval`` is that of the current value, ``baseline_interval`` of the earlier.
    """

    check: Check
    run: str
    outcome: GateOutcome
    reason: str
    baseline: float | None = None
    current: float | None = None
    delta: float | None = None
    relative: float | None = None
    limit: float | None = None
    p: float | None = None
    p_corrected: float | None = None
    queries: int | None = None
    queries_needed: int | None = None
    changes: tuple[Change, ...] = ()
    warning: str = ""
    baseline_run: str = ""
    interval: Interval | None = None
    baseline_interval: Interval | None = None

    @property
    def name(self) -> str:
        """A stable name: the run, the figure and the kind of check."""
        return f"{self.run}: {self.check.name} {self.check.kind} {self.check.amount_text}"

    @property
    def excess(self) -> float:
        """How far the value is beyond its limit, as a fraction of it: the largest is the worst.

        Nothing is worse than a run that failed.
        """
        if self.limit is None or self.current is None:
            return math.inf if self.outcome == "fail" else 0.0
        return abs(self.current - self.limit) / (abs(self.limit) or 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """What ``assay.gate`` returns.

    ``baseline`` and ``current`` are what was compared; ``baseline`` is empty if only limits were
    checked. ``queries`` counts those that are compared, of the ``baseline_queries`` that the
    baseline has. ``about_baseline`` has the commit, the date and the age in days of the baseline,
    if known. ``environment`` has the old and new values of what differs of the machine and its
    software. ``texts`` are those of the queries that results name; ``file`` is the benchmark file,
    if known.
    """

    baseline: str
    current: str
    results: tuple[CheckResult, ...]
    notes: tuple[str, ...] = ()
    about_baseline: Mapping[str, Any] = field(default_factory=dict)
    benchmark: str = ""
    queries: int | None = None
    baseline_queries: int | None = None
    environment: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    file: str = ""

    @property
    def outcome(self) -> GateOutcome:
        """Fail if any check failed, else inconclusive if any is, else pass."""
        found = {one.outcome for one in self.results}
        return "fail" if "fail" in found else "inconclusive" if "inconclusive" in found else "pass"

    def of(self, outcome: GateOutcome) -> tuple[CheckResult, ...]:
        """Return the results with an outcome, the worst first."""
        chosen = [one for one in self.results if one.outcome == outcome]
        return tuple(sorted(chosen, key=lambda one: -one.excess))

    def exit_code(self, *, strict: bool = False) -> int:
        """Return 1 if a check failed, 3 if one is inconclusive and that counts, else 0."""
        if self.outcome == "fail":
            return FAILED
        return UNDECIDED if strict and self.outcome == "inconclusive" else 0

    def frame(self) -> "pl.DataFrame":
        """Return a row per check and run as a polars frame."""
        from assay.records._gate_frame import frame_of_gate

        return frame_of_gate(self)

    def __repr__(self) -> str:
        return self._board().text()

    def _repr_html_(self) -> str:
        """Show the checks in a notebook."""
        return self._board().html()

    def __str__(self) -> str:
        lines = [self.headline, *(f"note: {text}" for text in self.notes)]
        return "\n".join(
            [
                *lines,
                *(f"{GATE_OUTCOMES[r.outcome]} {r.name}: {r.reason}" for r in self.results),
            ]
        )

    @property
    def headline(self) -> str:
        """The outcome, and how many checks have which."""
        counts = {name: len(self.of(name)) for name in ("fail", "inconclusive", "pass")}
        verbs = {"fail": "failed", "inconclusive": "inconclusive", "pass": "passed"}
        told = ", ".join(f"{number} {verbs[name]}" for name, number in counts.items() if number)
        checks = count_noun(len(self.results), "check")
        return f"{GATE_OUTCOMES[self.outcome]}: {checks}{f', {told}' if told else ''}"

    def _board(self) -> Board:
        return Board(
            self.headline,
            ("run", "check", "baseline", "current", "change", "outcome"),
            [_row(one) for one in self.results],
            "more: print() for reasons, .frame() for everything as a polars frame",
        )


def _row(one: CheckResult) -> tuple[str, ...]:
    figures = [
        "" if value is None else amount_text(one.check.figure, value)
        for value in (one.baseline, one.current)
    ]
    moved = "" if one.relative is None else f"{one.relative:+.1%}"
    check = f"{one.check.name} {one.check.condition}"
    return (one.run, check, *figures, moved, GATE_OUTCOMES[one.outcome])
