"""A vector per text, each distinct text worked on once and in parallel."""

from collections.abc import Callable, Sequence

import numpy as np

from assay.models.inference.threads import in_threads
from assay.records import Track
from assay.records.model import Vectors

__all__ = ["rows_of"]


def rows_of(
    work: Callable[[str], Vectors],
    texts: Sequence[str],
    *,
    dimension: int,
    threads: int,
    track: Track,
) -> Vectors:
    """Return what ``work`` makes of each text, as rows in the order of the texts."""
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(text, []).append(row)
    # The longest first, so that no thread is left alone with one at the end.
    order = sorted(rows, key=len, reverse=True)
    found = in_threads(work, order, threads)
    tracked = track(found, "embedding", total=len(order), unit="texts")
    for text, vector in zip(order, tracked, strict=True):
        vectors[rows[text]] = vector
    return vectors
