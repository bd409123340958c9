"""Rows -> a partition by k-means, into as many parts as hold together best."""

import warnings

import numpy as np

from assay.records import Floats, Ints

__all__ = ["partition"]

MOST = 8  # parts
LEAST = 5  # rows of a part: a mean over fewer says little
STARTS = 5
ROUNDS = 5  # after which it is seen whether rows still change their part
MORE = 9  # times so many rounds at most
MANY = 1000  # rows that the number of parts is chosen by


def partition(rows: Floats, *, seed: int) -> tuple[Ints, float] | None:
    """Number the part of each row, the largest part first, and return how distinct the parts are.

    The number of parts is the one, of 2 to 8, with the largest mean silhouette: Rousseeuw (Journal
    of Computational and Applied Mathematics 1987), which is returned, too; no part has fewer than
    five rows. None where rows do not part.
    """
    tried = [_numbered(_best(rows, k, seed)) for k in range(2, MOST + 1)]
    able = [parts for parts in tried if np.bincount(parts).min() >= LEAST]
    sample = np.random.Generator(np.random.PCG64(seed)).permutation(len(rows))[:MANY]
    apart = np.sqrt(_distances(rows[sample], rows[sample]))
    widths = [_silhouette(apart, parts[sample]) for parts in able]
    if not widths or max(widths) <= 0:
        return None
    return able[int(np.argmax(widths))], max(widths)


def _best(rows: Floats, k: int, seed: int) -> Ints:
    """Start several times; the parts that are closest together are kept."""
    generator = np.random.Generator(np.random.PCG64([seed, k]))
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore", UserWarning)  # a part without rows is no part
        tried = [_converged(rows, k, generator) for _ in range(STARTS)]
    return min(tried, key=lambda one: float(((rows - one[0][one[1]]) ** 2).sum()))[1]


def _converged(rows: Floats, k: int, generator: np.random.Generator) -> tuple[Floats, Ints]:
    """Return centres and the part of each row; scipy alone would go on to the last round."""
    from scipy.cluster.vq import kmeans2  # scipy only where there are clusters

    centres, member = kmeans2(rows, k, iter=ROUNDS, minit="++", rng=generator)
    for _ in range(MORE):
        before = member
        centres, member = kmeans2(rows, centres, iter=ROUNDS, minit="matrix")
        if (member == before).all():
            break
    return centres, member


def _distances(first: Floats, second: Floats) -> Floats:
    """Return the squares of the distances."""
    lengths = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1)
    return np.asarray(np.maximum(lengths - 2 * first @ second.T, 0), np.float64)


def _numbered(member: Ints) -> Ints:
    """Number the parts by their size, and those of one size by their first row."""
    parts, first, counts = np.unique(member, return_index=True, return_counts=True)
    order = sorted(range(len(parts)), key=lambda at: (-counts[at], first[at]))
    number = {int(parts[at]): place for place, at in enumerate(order)}
    return np.array([number[int(one)] for one in member], np.int64)


def _silhouette(apart: Floats, member: Ints) -> float:
    """Return the mean over rows of how much closer their own part is than the next one."""
    parts, at, counts = np.unique(member, return_inverse=True, return_counts=True)
    if len(parts) < 2:
        return 0.0
    sums = np.stack([apart[:, at == part].sum(axis=1) for part in range(len(parts))], axis=1)
    rows, own = np.arange(len(member)), counts[at]
    inside = sums[rows, at] / np.maximum(own - 1, 1)
    means = sums / counts
    means[rows, at] = np.inf
    outside = means.min(axis=1)
    larger = np.maximum(outside, inside)
    widths = (outside - inside) / np.where(larger > 0, larger, 1)
    return float(np.where(own > 1, widths, 0).mean())
