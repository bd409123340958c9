"""What tests tell beside passing: properties of their reports, which workers and JUnit pass on."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from assay.records.gate import GATE_OUTCOMES, Gate, GateOutcome
from assay.text import sanitize

__all__ = [
    "PendingNotes",
    "Property",
    "SessionNotes",
    "gate_properties",
    "note_property",
    "outcome_property",
    "reason_property",
]

Property = tuple[str, object]
OUTCOME, REASON, NOTE = "assay_search_outcome", "assay_search_reason", "assay_search_note"
UNDECIDED: GateOutcome = "inconclusive"


def outcome_property(outcome: str) -> Property:
    """Say how a check, or a whole gate, came out."""
    return OUTCOME, outcome


def reason_property(text: str) -> Property:
    """Say why."""
    return REASON, sanitize(text)


def note_property(text: str) -> Property:
    """Say what else is to be known."""
    return NOTE, sanitize(text)


def gate_properties(gate: Gate) -> list[Property]:
    """Return what a test tells of a gate that did not fail."""
    undecided = [reason_property(f"{one.name}: {one.reason}") for one in gate.of(UNDECIDED)]
    return [outcome_property(gate.outcome), *undecided, *map(note_property, gate.notes)]


@dataclass
class PendingNotes:
    """What gates within ordinary tests have told, until the test that is running has a report."""

    pending: list[Property] = field(default_factory=list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> None:
        """Hand them to the test."""
        item.user_properties += self.pending
        self.pending = []


@dataclass
class SessionNotes:
    """The lines of a session's summary, each once."""

    _lines: dict[str, None] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return them in the order in which they were told."""
        return tuple(self._lines)

    def add(self, report: pytest.TestReport | pytest.CollectReport) -> bool:
        """Note what a test tells; return whether it passed without a decision."""
        told: Iterable[Property] = getattr(report, "user_properties", ())
        found = [(name, str(value)) for name, value in told]
        passed = getattr(report, "when", "") == "call" and report.passed
        undecided = passed and (OUTCOME, UNDECIDED) in found
        reasons = [value for name, value in found if name == REASON and undecided]
        new = [f"{GATE_OUTCOMES[UNDECIDED]} {report.nodeid}: {one}" for one in reasons]
        new += [f"note: {value}" for name, value in found if name == NOTE]
        self._lines.update(dict.fromkeys(new))
        return undecided
