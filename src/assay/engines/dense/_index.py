"""What every dense index can do: candidates may be approximate, their scores never are."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from assay.engines.rank_rows import nothing, ranked
from assay.engines.vectors.stored_vectors import StoredVectors
from assay.records import Floats, FoundRows, Ints, Vectors
from assay.records.fingerprint import fingerprint_settings

__all__ = ["DenseIndex", "Effort", "all_compared", "requested"]


def requested(depth: int) -> int:
    """Return how many candidates are proposed for a depth: more, since exact scores reorder."""
    return depth + depth // 4 + 8


@dataclass(frozen=True, slots=True)
class Effort:
    """The setting of a search that trades recall for time: its name, and how much is usual.

    ``most`` is how much there is, if there is an end; ``in_candidates`` says that candidates are
    counted, of which at least those that are requested are usual.
    """

    name: str
    usual: int
    most: int | None = None
    in_candidates: bool = False

    def at(self, depth: int, given: int | None) -> int:
        """Return the effort that takes effect at a depth."""
        least = requested(depth) if self.in_candidates else 0
        wanted = max(self.usual, least) if given is None else given
        return wanted if self.most is None else min(wanted, self.most)


def _no_bytes() -> bytes:
    return b""


@dataclass(frozen=True, eq=False)
class DenseIndex:
    """Vectors that can be searched.

    ``near`` proposes places for a query, a depth and an effort. Whatever it proposes is scored with
    the stored vectors, so that all kinds of index give a document the same score to the bit.
    ``settings`` are those of building; ``given_effort`` is the value of ``effort``, None for the
    usual one. ``note`` says where the index is not what was asked for; ``save`` gives bytes that
    spare the next building.
    """

    kind: str
    stored: StoredVectors
    near: Callable[[Floats, int, int | None], Ints]
    settings: tuple[tuple[str, int], ...] = ()
    effort: Effort | None = None
    given_effort: int | None = None
    note: str = ""
    save: Callable[[], bytes] = _no_bytes
    graph_bytes: int = 0

    def __len__(self) -> int:
        return len(self.stored)

    @property
    def size_bytes(self) -> int:
        """Count the bytes of the stored vectors and of what finds them."""
        return int(self.stored.packed.nbytes) + self.graph_bytes

    @cached_property
    def fingerprint(self) -> str:
        """Hash the settings and the vectors."""
        given = {} if self.given_effort is None else {"effort": self.given_effort}
        return fingerprint_settings(
            kind=self.kind,
            settings=dict(self.settings) | given,
            vectors=self.stored.fingerprint,
        )

    def with_effort(self, given: int | None) -> Self:
        """Return the same index, searched with another effort; None is as it was made."""
        return self if given is None else replace(self, given_effort=given)

    def facts(self, depth: int) -> dict[str, str | int]:
        """Tell what is searched: the kind of index, and all settings as they take effect."""
        facts: dict[str, str | int] = {"kind": self.kind, **dict(self.settings)}
        if self.effort is not None:
            facts[self.effort.name] = self.effort.at(depth, self.given_effort)
        return facts

    def search(
        self, vector: Vectors, depth: int, *, more: int = 0, rows: Ints | None = None
    ) -> FoundRows:
        """Return the rows with the largest cosines; none for a query without direction.

        ``more`` rows are returned beyond the depth; a given number of candidates grows by as many.
        Of ``rows`` only these, compared exactly: a graph leads past those that are not wanted.
        """
        unit = self.stored.unit(vector)
        if unit is None or depth <= 0:
            return nothing("cosine", 1.0)
        depth += more
        places = (
            self._near(unit, depth, more) if rows is None else self._near_among(unit, depth, rows)
        )
        scores = self.stored.cosines(unit, places)
        return ranked(self.stored.rows[places], scores, kind="cosine", best=1.0, depth=depth)

    def _near(self, unit: Floats, depth: int, more: int) -> Ints:
        effort = self.given_effort
        if effort is not None and self.effort is not None and self.effort.in_candidates:
            effort += more
        return self.near(unit, depth, effort)

    def _near_among(self, unit: Floats, depth: int, rows: Ints) -> Ints:
        places = self.stored.positions(rows)
        return self.stored.nearest_among(unit, depth, places[places >= 0])

    def scores(self, vector: Vectors, rows: Ints) -> Floats:
        """Return the cosine of each row; 0 for rows that have no vector."""
        unit = self.stored.unit(vector)
        places = self.stored.positions(np.asarray(rows, dtype=np.int64))
        scores = np.zeros(len(places))
        if unit is not None:
            scores[places >= 0] = self.stored.cosines(unit, places[places >= 0])
        return scores

    def spread(self, vector: Vectors) -> tuple[float, float]:
        """Return mean and standard deviation of the query's cosines over the whole index."""
        unit = self.stored.unit(vector)
        return (0.0, 0.0) if unit is None else self.stored.spread(unit)

    def rank_of(self, vector: Vectors, row: int) -> int | None:
        """Return the rank that a row has among all, or None if it has no vector."""
        unit = self.stored.unit(vector)
        (place,) = self.stored.positions(np.array([row], dtype=np.int64))
        return None if unit is None or place < 0 else self.stored.rank(unit, int(place))


def all_compared(stored: StoredVectors, note: str = "") -> DenseIndex:
    """Make an index that compares the query with every vector, whatever the effort."""
    return DenseIndex(
        "exact", stored, lambda unit, depth, _effort: stored.nearest(unit, depth), note=note
    )
