"""A figure with its target, and the table of all."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Figure", "table"]


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; ``target`` is the highest value that passes, None for no target."""

    what: str
    value: float
    unit: str = ""
    target: float | None = None

    @property
    def missed(self) -> bool:
        """Whether there is a target, and the value is above it."""
        return self.target is not None and not self.value <= self.target

    def row(self) -> str:
        """Write it as a row of a Markdown table."""
        target = "" if self.target is None else f"≤ {_amount(self.target, self.unit)}"
        outcome = "" if self.target is None else "miss" if self.missed else "pass"
        return f"| {self.what} | {_amount(self.value, self.unit)} | {target} | {outcome} |"


def table(title: str, figures: Sequence[Figure]) -> str:
    """Write figures under a title."""
    head = ["| measured | value | target | outcome |", "|---|---:|---:|---|"]
    return "\n".join([f"## {title}", "", *head, *(figure.row() for figure in figures)])


def _amount(value: float, unit: str) -> str:
    """Write a value at a precision that can be used.

    >>> _amount(0.12345, "s"), _amount(200.0, ""), _amount(0.034, "core"), _amount(2.345, "x")
    ('0.12 s', '200', '3.4 % of a core', '2.35x')
    """
    if unit == "core":
        return f"{value * 100:.1f} % of a core"
    if unit == "x":
        return f"{value:.2f}x"
    if not unit:
        return f"{value:,.0f}"
    return f"{value:.2f} {unit}" if unit == "s" else f"{value:.1f} {unit}"
