"""Order all lines of a matrix by falling score, ties by cell, without an indirect sort.

Sorting numbers is four times as fast as sorting cells by numbers. So the last bits of a score give
way to its cell, and where scores differ in those bits alone, which shows, they are set right.
"""

import numpy as np

from assay.engines.sweep._layout import Lines
from assay.engines.sweep._ranking import Ranking
from assay.records import Floats, Ints

__all__ = ["order_cells"]

PASSES = 8  # over all lines at once; what is out of order after them is sorted line by line


def order_cells(scores: Floats, rows: Ints, lines: Lines, *, most: int | None = None) -> Ranking:
    """Order the used cells of each line, and keep the first ``most``."""
    keys = _make_keys(scores.reshape(lines.used.shape), lines)
    _sort(keys, lines)
    kept = lines if most is None else lines.first(most)
    ranked = lines if _ties_across(keys, lines, kept.width) else kept
    cells = keys[:, : ranked.width] & lines.bits
    values = scores.take(cells)
    _set_right(cells, values, ranked)
    scores = kept.flat(values)
    scores += 0.0  # makes 0.0 of -0.0: the sums of a search begin with 0.0
    return Ranking(kept.offsets, kept.flat(cells), scores, rows)


def _make_keys(scores: Floats, lines: Lines) -> Ints:
    """Make integers that rise where scores fall, each with its cell in the last bits."""
    top = scores.max(initial=-np.inf) + 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # what that leaves unordered is set right
        below: Floats = top - scores
    keys = below.view(np.int64)  # the bits of numbers that are not negative rise with them
    keys &= ~lines.bits
    keys |= lines.codes
    return keys


def _sort(keys: Ints, lines: Lines) -> None:
    """Sort each line, a few long ones apart.

    With vector instructions 129 numbers take twice as long as 128, and 257 four times as 256.
    """
    if 2 * len(lines.long) > len(keys):
        keys.sort(axis=1)
        return
    long = keys[lines.long]
    long.sort(axis=1)
    keys[:, : lines.short].sort(axis=1)
    keys[lines.long] = long


def _ties_across(keys: Ints, lines: Lines, width: int) -> bool:
    """Tell whether scores that look equal stand on both sides of a cut in any line."""
    if width == lines.width:
        return False
    tied = (keys[:, width] ^ keys[:, width - 1]) <= lines.bits
    return bool((tied & lines.used[:, width]).any())


def _set_right(cells: Ints, scores: Floats, lines: Lines) -> None:
    """Exchange neighbours until no score is below the next one; equal ones stay in their order."""
    flat_cells, flat_scores = cells.ravel(), scores.ravel()
    for _ in range(PASSES):
        rises = flat_scores[1:] > flat_scores[:-1]
        rises &= lines.continues
        at = np.flatnonzero(rises)
        if not len(at):
            return
        at = at[~rises[at - 1] | (at == 0)]  # of pairs that overlap the first
        after = at + 1
        for one in (flat_cells, flat_scores):
            one[at], one[after] = one[after], one[at]
    for line in np.unique(at // lines.width):
        used = slice(lines.counts[line])
        order = np.argsort(-scores[line, used], kind="stable")
        for matrix in (cells, scores):
            matrix[line, used] = matrix[line, used][order]
