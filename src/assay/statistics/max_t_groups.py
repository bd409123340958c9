"""Max-T over groups: which groups of queries score unlike the others, more than by chance."""

from collections.abc import Iterator

import numpy as np

from assay.errors import UsageError
from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["max_t_groups"]

TOLERANCE = 1e-10  # equal statistics that differ by rounding are ties
BLOCK = 2**18  # scores dealt at once: 2 MB, which a processor keeps close


def max_t_groups(
    scores: Floats, groups: Floats, *, shuffles: int = 10_000, seed: int = 0
) -> Floats:
    """Return a two-sided p-value for each group, corrected for all groups looked at.

    ``groups`` has a row per query and a column per group: 1 where the query belongs to it; a query
    may belong to several. The scores are permuted over the queries, and the largest statistic
    of any group is kept: single-step max-T of Westfall and Young (1993, algorithm 2.5). The
    statistic is the mean of a group less that of the other queries, divided by its error, so that
    groups of unlike spread are less often taken for different (Chung and Romano, Annals of
    Statistics 2013); a few queries of a much wider spread still are too often. The draw counts with
    what was observed (Phipson and Smyth 2010), so that p is never too small. A group that has all
    queries, or none, has p 1.
    """
    values = sample(scores, what="scores")[:, 0]
    member = np.asarray(groups, np.float64)
    if member.ndim != 2 or len(member) != len(values):
        raise UsageError(f"{len(values):,} scores, but groups of shape {np.shape(groups)}")
    centred = values - values.mean()
    observed = _statistics(centred[None], member)[0]
    least = observed * (1 - TOLERANCE) - TOLERANCE
    made, beaten = 0, np.zeros(member.shape[1], np.int64)
    for dealt in _dealt(centred, shuffles=shuffles, seed=seed):
        made += len(dealt)
        beaten += (_statistics(dealt, member).max(axis=1, initial=0.0)[:, None] >= least).sum(
            axis=0
        )
    return np.where(_is_split(member), (beaten + 1) / (made + 1), 1.0)


def _dealt(values: Floats, *, shuffles: int, seed: int) -> Iterator[Floats]:
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, BLOCK // len(values))
    for start in range(0, shuffles, rows):
        size = min(rows, shuffles - start), len(values)
        yield generator.permuted(np.broadcast_to(values, size), axis=1)


def _statistics(dealt: Floats, member: Floats) -> Floats:
    """Return the difference of each group from the others, in errors, one row per deal.

    No spread counts for less than that of all queries: two queries that happen to be alike would
    divide by nothing.
    """
    inside, outside = member.sum(axis=0), (1 - member).sum(axis=0)
    squares = dealt**2
    sums, held = dealt @ member, squares @ member
    total = squares.sum(axis=1, keepdims=True)  # the scores are centred: this is their spread, too
    spread = total / max(1, dealt.shape[1] - 1)
    error = _error(sums, held, inside, spread) + _error(-sums, total - held, outside, spread)
    split = _is_split(member) & (spread > TOLERANCE**2)
    apart = np.abs(sums) * np.where(split, 1 / _one(inside) + 1 / _one(outside), 0.0)
    return np.asarray(apart / np.sqrt(np.where(split, error, 1.0)))


def _error(sums: Floats, squares: Floats, count: Floats, spread: Floats) -> Floats:
    """Return the squared error of a mean over some of the queries."""
    own = (squares - sums**2 / _one(count)) / _one(count - 1)
    return np.asarray(np.maximum(own, spread) / _one(count))


def _one(count: Floats) -> Floats:
    return np.maximum(count, 1.0)


def _is_split(member: Floats) -> "np.typing.NDArray[np.bool_]":
    """Tell of each group whether there are queries in it and others."""
    inside = member.sum(axis=0)
    return np.asarray((inside > 0) & (inside < len(member)))
