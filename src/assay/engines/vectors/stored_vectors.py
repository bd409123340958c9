"""Stored vectors and their exact cosines: a fast scan in float32, the truth in float64."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.engines.vectors._scan import scan
from assay.engines.vectors.packing import check_precision, dimension_of, dots, pack, unpack
from assay.errors import InputError
from assay.records import Bytes, Floats, Ints, Vectors
from assay.text.count_noun import count_noun

__all__ = ["StoredVectors", "store"]

FEW = 10  # a share of the vectors: comparing one of them exactly costs as much as scanning some
SAMPLED = 2048  # vectors at most that tell what cosines are usual for a query
BLOCK_BYTES = 64_000_000  # of float32 that are unpacked at once
SCANNED_BYTES = 1_500_000  # the same while scanning: in the processor's cache it is as fast as held


@dataclass(frozen=True, eq=False)
class StoredVectors:
    """Vectors at the precision that they are kept in, by rising row."""

    rows: Ints
    packed: Bytes
    precision: str
    dimension: int
    block_bytes: int = BLOCK_BYTES
    scanned_bytes: int = SCANNED_BYTES

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def fingerprint(self) -> str:
        """Hash what is stored."""
        digest = hashlib.sha256(f"{self.precision} {self.packed.shape}".encode())
        digest.update(self.rows.astype("<i8").tobytes())
        digest.update(np.ascontiguousarray(self.packed).data)
        return digest.hexdigest()

    def unit(self, vector: Vectors) -> Floats | None:
        """Bring a query's vector to length 1 in float64; None if it has no direction."""
        flat: Floats = np.asarray(vector, dtype=np.float64).reshape(-1)
        if len(flat) != self.dimension:
            dimensions = count_noun(len(flat), "dimension")
            raise InputError(
                f"the query vector has {dimensions}, the index has {self.dimension}",
                where="dense search",
                hint="search with the model that the index was built with",
            )
        length = float(np.sqrt(np.add.reduce(flat * flat)))
        if not np.isfinite(length):
            raise InputError(
                "the query vector contains NaN or infinite values",
                where="dense search",
                hint="check the embedding model",
            )
        return flat / length if length > 0 else None

    def positions(self, rows: Ints) -> Ints:
        """Find the places of rows; -1 for those that are not stored."""
        places = np.searchsorted(self.rows, rows)
        inside = places < len(self.rows)
        known = np.zeros(len(rows), np.bool_)
        known[inside] = self.rows[places[inside]] == rows[inside]
        return np.where(known, places, -1).astype(np.int64)

    def cosines(self, unit: Floats, positions: Ints) -> Floats:
        """Multiply exactly, the same bits whichever rows are asked for together."""
        step = max(1, self.block_bytes // (8 * max(1, self.dimension)))
        parts = [
            dots(self.packed[positions[start : start + step]], self.precision, unit)
            for start in range(0, len(positions), step)
        ]
        scores: Floats = np.clip(np.concatenate([np.empty(0), *parts]), -1.0, 1.0)
        return scores

    def vectors(self, rows: Ints) -> Vectors:
        """Unpack the vectors of rows, in their order; zeros for rows that have none."""
        places = self.positions(np.asarray(rows, dtype=np.int64))
        found = np.zeros((len(places), self.dimension), np.float32)
        found[places >= 0] = unpack(self.packed[places[places >= 0]], self.precision)
        return found

    def nearest(self, unit: Floats, depth: int) -> Ints:
        """Return places that surely hold the best ``depth``, and few others."""
        if depth <= 0 or not len(self):
            return np.empty(0, np.int64)
        return self._best(self._scan(unit), depth)

    def nearest_among(self, unit: Floats, depth: int, places: Ints) -> Ints:
        """Return the same of some places; where they are few, all of them."""
        if len(places) <= max(depth, len(self) // FEW):
            return places
        kept: Ints = places[self._best(self._scan(unit)[places], depth)]
        return kept

    def _best(self, scan: Floats, depth: int) -> Ints:
        if depth >= len(scan):
            return np.arange(len(scan))
        last = np.partition(scan, len(scan) - depth)[len(scan) - depth]
        # The last of the true best is at most one error below `last`, and so scanned at most two.
        return np.flatnonzero(scan >= last - 2 * self._error)

    def spread(self, unit: Floats) -> tuple[float, float]:
        """Tell the mean and standard deviation of the cosines of all vectors, or of many.

        Of large collections every n-th vector is looked at, the same for every query, which misses
        the mean by a fiftieth of the deviation or so.
        """
        if not len(self):
            return 0.0, 0.0
        products = np.einsum("ij,j->i", self._sample, unit)  # not by BLAS: see `dots`
        return float(products.mean()), float(products.std())

    @cached_property
    def _sample(self) -> Floats:
        step = max(1, -(-len(self) // SAMPLED))
        return unpack(self.packed[::step], self.precision).astype(np.float64)

    def rank(self, unit: Floats, position: int) -> int:
        """Count who stands before a vector, at any depth, and add one."""
        own = float(self.cosines(unit, np.array([position]))[0])
        scan = self._scan(unit)
        above = int(np.count_nonzero(scan > own + self._error))
        near = np.flatnonzero(np.abs(scan - own) <= self._error)
        scores = self.cosines(unit, near)
        ties = (scores == own) & (near < position)
        return above + int(np.count_nonzero(scores > own)) + int(np.count_nonzero(ties)) + 1

    @property
    def _error(self) -> float:
        # Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.1: a dot product
        # of n terms is off by at most n u |x| |y|; a few more for rounding what is unpacked.
        return 1.01 * (self.dimension + 8) * 2.0**-24

    def _scan(self, unit: Floats) -> Floats:
        step = max(1, self.scanned_bytes // (4 * max(1, self.dimension)))
        scanned = scan(self.packed, self.precision, unit, step)
        scores: Floats = np.clip(scanned, -1.0, 1.0)
        return scores

    def blocks(self) -> Iterator[Vectors]:
        """Unpack block after block, for collections that are too large to be held at once."""
        step = max(1, self.block_bytes // (4 * max(1, self.dimension)))
        for start in range(0, len(self), step):
            yield unpack(self.packed[start : start + step], self.precision)


def store(vectors: Vectors | Bytes, rows: Ints, precision: str) -> StoredVectors:
    """Keep vectors (float32 to be packed, or bytes that are) under their rows."""
    check_precision(precision)
    packed = vectors if vectors.dtype == np.uint8 else pack(vectors, precision)  # type: ignore[arg-type]
    numbers: Ints = np.asarray(rows, dtype=np.int64)
    if len(numbers) != len(packed):
        raise InputError(f"got {len(packed)} vectors for {len(numbers)} rows", where="vectors")
    if len(numbers) and not (np.diff(numbers) > 0).all():
        order = np.argsort(numbers, kind="stable")
        numbers, packed = numbers[order], packed[order]
        if not (np.diff(numbers) > 0).all():
            raise InputError("duplicate row", where="vectors", hint="pass each row only once")
    return StoredVectors(numbers, packed, precision, dimension_of(packed, precision))  # type: ignore[arg-type]
