"""The sign flips that the paired tests share: all of them for few queries, else a seeded draw."""

from collections.abc import Iterator

import numpy as np

from assay.records import Floats

__all__ = ["sign_flips"]

EXACT = 16  # queries up to which all 2^n flips are made
SLICE = 256  # queries of a product that BLAS does not spread over threads
BLOCK = 2**17  # signs made at once: 1 MB; more is given back to the system after each block


def sign_flips(columns: Floats, *, flips: int, seed: int) -> Iterator[Floats]:
    """Yield the sums of ``columns`` under each flip, in blocks of one row per flip.

    One block of 0 and 1 serves all columns as a single matrix product: the sum with the chosen
    signs turned is the plain sum less twice the sum of the chosen.
    """
    total = columns.sum(axis=0)
    for chosen in _chosen(len(columns), flips=flips, seed=seed):
        yield total - 2 * _product(chosen, columns)


def _product(chosen: Floats, columns: Floats) -> Floats:
    """Multiply slice by slice: one large product would wake threads that mostly wait."""
    result = np.zeros((len(chosen), columns.shape[1]))
    for start in range(0, len(columns), SLICE):
        result += chosen[:, start : start + SLICE] @ columns[start : start + SLICE]
    return result


def _chosen(queries: int, *, flips: int, seed: int) -> Iterator[Floats]:
    if queries <= EXACT:
        numbers = np.arange(2**queries)[:, None]
        yield (numbers >> np.arange(queries) & 1).astype(np.float64)
        return
    generator = np.random.Generator(np.random.PCG64(seed))
    words = -(-queries // 64)
    rows = max(1, BLOCK // queries)
    for start in range(0, flips, rows):
        # Whole words per flip: the draw does not depend on the size of a block.
        size = (min(rows, flips - start), words)
        drawn = generator.integers(0, 2**64, size=size, dtype=np.uint64).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=queries)
        yield bits.astype(np.float64)
