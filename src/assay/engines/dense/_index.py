"""What every dense index can do: candidates may be approximate, their scores never are."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.engines.rank_rows import nothing, ranked
from assay.engines.vectors.stored_vectors import StoredVectors
from assay.records import Floats, FoundRows, Ints, Vectors
from assay.records.fingerprint import fingerprint_settings

__all__ = ["DenseIndex"]


def _no_bytes() -> bytes:
    return b""


@dataclass(frozen=True, eq=False)
class DenseIndex:
    """Vectors that can be searched.

    ``near`` proposes places for a query and a depth. Whatever it proposes is scored with the stored
    vectors, so that all kinds of index give a document the same score to the bit. ``note`` says
    where the index is not what was asked for; ``save`` gives bytes that spare the next building.
    """

    kind: str
    stored: StoredVectors
    near: Callable[[Floats, int], Ints]
    settings: tuple[tuple[str, int], ...] = ()
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
        return fingerprint_settings(
            kind=self.kind, settings=dict(self.settings), vectors=self.stored.fingerprint
        )

    def search(self, vector: Vectors, depth: int) -> FoundRows:
        """Return the rows with the largest cosines; none for a query without direction."""
        unit = self.stored.unit(vector)
        if unit is None or depth <= 0:
            return nothing("cosine", 1.0)
        places = self.near(unit, depth)
        scores = self.stored.cosines(unit, places)
        return ranked(self.stored.rows[places], scores, kind="cosine", best=1.0, depth=depth)

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
