"""Redundancy: how much documents resemble each other."""

from assay.engines.vectors.unit_vectors import unit_vectors
from assay.records import Floats, Vectors

__all__ = ["redundancy"]


def redundancy(vectors: Vectors | Floats) -> float | None:
    """Return the mean cosine of all pairs of rows, or None below two; a zero row resembles none.

    The squared length of the sum of all rows holds each pair twice, and each row with itself.
    """
    rows = unit_vectors(vectors)
    count = len(rows)
    if count < 2:
        return None
    together = rows.sum(axis=0)
    return float((together @ together - (rows * rows).sum()) / (count * (count - 1)))
