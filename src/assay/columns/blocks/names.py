"""Fields of a block -> an array of names."""

import numpy as np

from assay.columns.blocks.block import PAD, Block
from assay.errors import InputError
from assay.records import Ints, Names

__all__ = ["LONGEST", "names"]

LONGEST = 4096  # bytes; every id takes as much room as the longest of its file
LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)


def names(block: Block, starts: Ints, ends: Ints) -> Names:
    """Copy each field into an array of strings whose width is a multiple of eight bytes."""
    lengths = ends - starts
    longest = int(lengths.max(initial=0))
    if longest > LONGEST:
        raise _too_long(block, int(starts[lengths.argmax()]))
    count = max(1, -(-longest // 8))
    last = len(block.data) - 8
    words = np.empty((len(starts), count), np.uint64)
    for word in range(count):
        keep = LOW_BYTES[np.clip(lengths - 8 * word, 0, 8)]
        at = np.minimum(starts + 8 * word, last) if word else starts
        words[:, word] = block.words(at) & keep
    return words.view(f"S{8 * count}").reshape(-1)


def _too_long(block: Block, start: int) -> InputError:
    line = block.first_line + int((block.data[PAD:start] == ord("\n")).sum())
    problem = f'the id "{block.token(start, start + 40)}..." is longer than {LONGEST:,} bytes'
    return block.refuse(problem, line, "check whether a line break is missing")
