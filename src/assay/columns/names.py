"""Fields of a block -> an array of names."""

import numpy as np

from assay.columns.block import Block
from assay.records import Ints, Names

__all__ = ["names"]

LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)


def names(block: Block, starts: Ints, ends: Ints) -> Names:
    """Copy each field into an array of strings whose width is a multiple of eight bytes."""
    lengths = ends - starts
    count = max(1, -(-int(lengths.max(initial=0)) // 8))
    words = np.empty((len(starts), count), np.uint64)
    for word in range(count):
        keep = LOW_BYTES[np.clip(lengths - 8 * word, 0, 8)]
        words[:, word] = block.words(starts + 8 * word) & keep
    return words.view(f"S{8 * count}").reshape(-1)
