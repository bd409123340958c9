"""Order all lines of a matrix by falling score, ties by place, without an indirect sort.

Sorting numbers is four times as fast as sorting places by numbers. So the last bits of a score give
way to its place, and where scores differ in those bits alone, which shows, the line is set right.
"""

import numpy as np

from assay.engines.sweep._ranking import Ranking
from assay.engines.sweep._view import Lines
from assay.records import Floats, Ints

__all__ = ["keys_of", "ordered", "place_bits"]

_ALL_BUT_SIGN = np.int64((1 << 63) - 1)


def keys_of(scores: Floats) -> Ints:
    """Make integers that rise where scores fall, each with its place in the last bits."""
    width = scores.shape[1]
    bits = scores.view(np.int64)
    # The bits of a float, read as an integer, rise with it, but fall where it is negative.
    keys = bits >> 63
    keys &= _ALL_BUT_SIGN
    keys ^= bits
    np.invert(keys, out=keys)
    keys &= ~place_bits(width)
    keys |= np.arange(width)
    return keys


def ordered(keys: Ints, lines: Lines, scores: Floats) -> Ranking:
    """Order the keys of each line, which are lost by it; ``scores`` are those of all places."""
    keys.sort(axis=1)
    places: Ints = keys[lines.used]
    places &= place_bits(scores.shape[1])
    places += lines.begins(scores.shape[1])
    ranking = Ranking(lines.offsets, places, scores.ravel()[places])
    rises = ranking.scores[1:] > ranking.scores[:-1]
    rises[lines.ends] = False
    if rises.any():
        _set_right(ranking, np.flatnonzero(rises))
    return ranking


def place_bits(width: int) -> int:
    """Return the bits that a place needs."""
    return int((1 << max(0, width - 1).bit_length()) - 1)


def _set_right(ranking: Ranking, rises: Ints) -> None:
    for query in np.unique(np.searchsorted(ranking.offsets, rises, side="right") - 1):
        line = slice(*ranking.offsets[query : query + 2])
        # Equal scores stand in the order of their places already: a stable sort keeps them so.
        order = np.argsort(-ranking.scores[line], kind="stable")
        ranking.places[line] = ranking.places[line][order]
        ranking.scores[line] = ranking.scores[line][order]
