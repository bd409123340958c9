"""What a measurement found: rows of Assay against a peer, and what a reader must know of them."""

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Result", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of Assay beside the same figure of a peer, in seconds, bytes or counts.

    ``share`` reads as Assay's part of the peer's cost, at most ``target``; ``times`` as how often
    the peer's cost holds Assay's, at least ``target``.
    """

    what: str
    assay: float
    peer: str
    theirs: float
    unit: Literal["s", "bytes", "judgments", "searches"] = "s"
    ratio: Literal["share", "times"] = "share"
    target: float | None = None

    @property
    def value(self) -> float:
        """The ratio that the target is about."""
        return self.assay / self.theirs if self.ratio == "share" else self.theirs / self.assay

    @property
    def passed(self) -> bool | None:
        """Whether the target is met; None without a target."""
        if self.target is None:
            return None
        return self.value <= self.target if self.ratio == "share" else self.value >= self.target

    def cells(self) -> tuple[str, ...]:
        """Return the row as text, in the order of ``_page.HEADINGS``."""
        sign = "≤" if self.ratio == "share" else "≥"
        target = "" if self.target is None else f"{sign} {self.target:g}x"
        outcome = {None: "", True: "pass", False: "miss"}[self.passed]
        ours, theirs = _amount(self.assay, self.unit), _amount(self.theirs, self.unit)
        return (self.what, ours, self.peer, theirs, _times(self.value), target, outcome)


@dataclass(frozen=True, slots=True)
class Result:
    """The rows of one measurement under its title, and notes in full sentences."""

    title: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _amount(value: float, unit: str) -> str:
    if unit in ("judgments", "searches"):
        return f"{value:,.0f} {unit}"
    if unit == "bytes":
        return f"{value / 1e6:,.0f} MB"
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def _times(value: float) -> str:
    return f"{value:.2f}x" if value < 10 else f"{value:,.0f}x"
