"""A blessed baseline: what a gate needs of a report, with its date, commit and checks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from assay.records.report import Report

__all__ = ["Baseline", "Blessing"]


@dataclass(frozen=True, slots=True)
class Blessing:
    """When a report became the baseline, the commit that it measured, and its primary scores."""

    date: datetime
    commit: str = ""
    report: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """A report without what no gate reads, and what it was blessed with.

    ``checks`` has for allow, min, max and preset the texts that a gate takes where none are given.
    ``history`` has the earlier blessings of the same name, oldest first. ``file`` is where it was
    read from.
    """

    name: str
    report: Report
    blessing: Blessing
    checks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    history: tuple[Blessing, ...] = ()
    file: str = ""

    def age_days(self, now: datetime) -> int:
        """Return its age in whole days."""
        return max(0, (now - self.blessing.date).days)

    def about(self, now: datetime) -> dict[str, Any]:
        """Return what a gate says about it."""
        return {
            "name": self.name,
            "file": self.file,
            "date": self.blessing.date.isoformat(),
            "age_days": self.age_days(now),
            "commit": self.blessing.commit or None,
        }
