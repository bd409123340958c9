"""What every look at an index shares: what it holds, a sample of it, and how findings are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from assay.engines.vectors.packing import unpack
from assay.errors import InputError
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
from assay.records.arrays import Bools
from assay.workspace.index.index_store import DocumentEntry, Snapshot

__all__ = ["SAMPLE", "IndexState", "Span", "counted", "have_direction", "make_finding", "share_of"]

SAMPLE = 2000  # chunks that are looked at where all would take too long
BLOCK = 8192  # vectors that are unpacked at once where all are looked at
Span = tuple[float | None, float | None]  # least and most of what is expected


@dataclass(frozen=True)
class IndexState:
    """One index as it is, and how it is meant to be."""

    snapshot: Snapshot
    configuration: Configuration
    embedder: Embedder | None = None
    expect: Mapping[str, Span] = field(default_factory=dict)
    seed: int = 0

    @cached_property
    def held(self) -> list[DocumentEntry]:
        """All documents."""
        return self.snapshot.held()

    @cached_property
    def vectors(self) -> tuple[Ints, Bytes]:
        """All packed vectors, with their rows; those of no chunk are only counted elsewhere."""
        rows, packed = self.snapshot.vectors()
        known = np.isin(rows, self.snapshot.rows)
        return (rows, packed) if known.all() else (rows[known], packed[known])

    @cached_property
    def _pointing(self) -> Bools:
        packed = self.vectors[1]
        blocks = (packed[start : start + BLOCK] for start in range(0, len(packed), BLOCK))
        parts = [have_direction(self.unpacked(block)) for block in blocks]
        return np.concatenate([np.zeros(0, np.bool_), *parts])

    @cached_property
    def directed(self) -> tuple[Ints, Bytes]:
        """The packed vectors that have a direction, with their rows: only they can be measured."""
        rows, packed = self.vectors
        kept = self._pointing
        return (rows, packed) if kept.all() else (rows[kept], packed[kept])

    @cached_property
    def undirected(self) -> tuple[Ints, Vectors]:
        """The vectors that have none, with their rows."""
        rows, packed = self.vectors
        return rows[~self._pointing], self.unpacked(packed[~self._pointing])

    @property
    def broken(self) -> bool:
        """Whether a vector contains values that are not finite, which no model returns."""
        return not np.isfinite(self.undirected[1]).all()

    @cached_property
    def sample(self) -> tuple[Ints, Vectors]:
        """Some vectors that have a direction, with their rows, the same for the same seed."""
        rows, packed = self.directed
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
        with np.errstate(invalid="ignore", over="ignore"):  # what is damaged is told, not warned of
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

    def places(self, rows: Ints, most: int = SAMPLE) -> tuple[str, ...]:
        """Say where rows stand, with the lines of each; without them where texts are lost."""
        try:
            chunks = self.snapshot.chunks(rows[:most].tolist())
        except InputError:
            return self.names(rows, most)
        return tuple(f"{one.path or one.document}:{one.lines[0]}-{one.lines[1]}" for one in chunks)


def have_direction(vectors: Vectors) -> Bools:
    """Tell of each vector whether it points somewhere: it is neither zero nor holds no number."""
    flags: Bools = np.any(vectors, axis=1) & np.isfinite(vectors).all(axis=1)
    return flags


def make_finding(  # noqa: PLR0913 (each is a part of a finding)
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
    return make_finding(section, name, value, meaning, state=state, expected=expected, unit=unit)


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
    return make_finding(
        section, name, number, meaning, state=state, expected=span, unit=unit, cases=cases
    )
