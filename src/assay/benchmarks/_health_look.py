"""What every look at an index shares: what it holds, a sample of it, and how findings are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from assay.engines.packing import unpack
from assay.records import (
    Bytes,
    Configuration,
    Embedder,
    HealthFinding,
    Ints,
    Reading,
    State,
    Vectors,
)
from assay.workspace.index_store import Held, Snapshot

__all__ = ["SAMPLE", "Look", "Span", "counted", "share_of", "told"]

SAMPLE = 2000  # chunks that are looked at where all would take too long
Span = tuple[float | None, float | None]  # least and most of what is expected


@dataclass(frozen=True)
class Look:
    """One index as it is, and how it is meant to be."""

    snapshot: Snapshot
    configuration: Configuration
    embedder: Embedder | None = None
    expect: Mapping[str, Span] = field(default_factory=dict)
    seed: int = 0

    @cached_property
    def held(self) -> list[Held]:
        """All documents."""
        return self.snapshot.held()

    @cached_property
    def vectors(self) -> tuple[Ints, Bytes]:
        """All packed vectors, with their rows; those of no chunk are only counted elsewhere."""
        rows, packed = self.snapshot.vectors()
        known = np.isin(rows, self.snapshot.rows)
        return (rows, packed) if known.all() else (rows[known], packed[known])

    @cached_property
    def sample(self) -> tuple[Ints, Vectors]:
        """Some vectors, with their rows, the same for the same seed."""
        rows, packed = self.vectors
        places = self.some(len(rows))
        return rows[places], self.unpacked(packed[places])

    def some(self, count: int, most: int = SAMPLE) -> Ints:
        """Choose some of so many places, in their order; all where there are few."""
        if count <= most:
            return np.arange(count, dtype=np.int64)
        chosen = np.random.default_rng(self.seed).choice(count, most, replace=False)
        return np.sort(chosen)

    def unpacked(self, packed: Bytes) -> Vectors:
        """Give stored vectors back as numbers."""
        if not len(packed):
            return np.zeros((0, 0), np.float32)
        return unpack(packed, str(self.configuration.precision))

    def codes(self, rows: Ints) -> Ints:
        """Number the documents of rows."""
        places = np.searchsorted(self.snapshot.rows, rows)
        codes: Ints = self.snapshot.document_of[places]
        return codes

    def names(self, rows: Ints, most: int = SAMPLE) -> tuple[str, ...]:
        """Say where rows stand: the path, or else the id, of their documents, each once."""
        found = (self.held[code] for code in self.codes(rows[:most]).tolist())
        return tuple(dict.fromkeys(one.path or one.id for one in found))


def told(  # noqa: PLR0913 (each is a part of a finding)
    section: str,
    name: str,
    value: float | str | None,
    meaning: str,
    *,
    state: State = "good",
    expected: Span = (None, None),
    unit: str = "",
    cases: Sequence[str] = (),
    reason: str = "",
) -> HealthFinding:
    """Make a finding whose state is known."""
    return HealthFinding(
        section=section,
        name=name,
        value=value,
        state=state,
        meaning=meaning,
        least=expected[0],
        most=expected[1],
        unit=unit,
        cases=tuple(cases),
        reason=reason,
    )


def counted(
    section: str,
    name: str,
    value: float,
    meaning: str,
    *,
    expected: Span,
    off: State = "bad",
    unit: str = "",
) -> HealthFinding:
    """Make a finding that is good within what is expected, and ``off`` outside of it."""
    least, most = expected
    inside = (least is None or value >= least) and (most is None or value <= most)
    state: State = "good" if inside else off
    return told(section, name, value, meaning, state=state, expected=expected, unit=unit)


def share_of(
    section: str,
    name: str,
    number: int,
    total: int,
    meaning: str,
    *,
    watch: float,
    bad: float,
    cases: Sequence[str] = (),
) -> HealthFinding:
    """Count cases that are to be watched, or bad, beyond a share of all."""
    state = Reading(watch=watch, bad=bad, meaning="", reason="").state(number / max(total, 1))
    span: Span = (None, float(int(watch * total)))
    unit = f"of {total:,}"
    return told(section, name, number, meaning, state=state, expected=span, unit=unit, cases=cases)
