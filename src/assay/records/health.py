"""How an index and its vectors are: findings, each with what was expected and what it means."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from assay.records.model import Vectors

__all__ = ["Health", "HealthFinding", "Quality", "Reading", "State"]

State = Literal["good", "watch", "bad", "unknown"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a figure is read: beyond ``watch`` it is to be watched, beyond ``bad`` it is bad.

    Beyond is above, or below where ``bad`` is the smaller of the two. ``meaning`` says what a bad
    value means and what to do, ``reason`` why the lines are drawn where they are.
    """

    watch: float
    bad: float
    meaning: str
    reason: str

    @property
    def rising(self) -> bool:
        """Tell whether larger is worse."""
        return self.bad > self.watch

    def state(self, value: float) -> State:
        """Read a value.

        >>> Reading(watch=0.4, bad=0.6, meaning="", reason="").state(0.5)
        'watch'
        """
        sign = 1 if self.rising else -1
        if sign * value > sign * self.bad:
            return "bad"
        return "watch" if sign * value > sign * self.watch else "good"


class Quality(Protocol):
    """A figure that tells how well vectors can be searched, with how it is read."""

    reading: Reading

    def __call__(self, *vectors: Vectors) -> float:
        """Measure: rows of length 1; those without direction do not count."""
        ...


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """What one look at an index found.

    ``least`` and ``most`` are the ends of what was expected, None where there is none. ``meaning``
    says what a bad value means and what to do. ``unit`` says what the value counts (bytes, share,
    ...; nothing for plain numbers), ``cases`` names what it was found in, and ``reason`` why the
    lines between good and bad are drawn where they are.
    """

    section: str
    name: str
    value: float | str | None
    state: State
    meaning: str
    least: float | None = None
    most: float | None = None
    unit: str = ""
    cases: tuple[str, ...] = ()
    reason: str = ""

    @property
    def compared(self) -> bool:
        """Tell whether something was expected, so that ``meaning`` is of a bad value."""
        return self.least is not None or self.most is not None

    @property
    def says(self) -> str:
        """What the value that was found says: of a good one only that it is as expected.

        >>> HealthFinding("chunks", "empty", 0, "good", "Never found.", most=0.0).says
        'As expected.'
        """
        if self.state == "good" and self.compared:
            return "As expected."
        return self.meaning


@dataclass(frozen=True, slots=True)
class Health:
    """All findings about one index, in the order in which they were looked for.

    ``index`` tells what it holds and how it was built, ``embedding`` the figures of its vectors and
    how many of them were looked at.
    """

    corpus: str
    index: Mapping[str, Any]
    findings: tuple[HealthFinding, ...]
    embedding: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def bad(self) -> int:
        """Count what must be mended."""
        return sum(one.state == "bad" for one in self.findings)
