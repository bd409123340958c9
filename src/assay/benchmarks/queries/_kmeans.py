"""Rows -> a partition by k-means, into as many parts as hold together best."""

import numpy as np

from assay.records import Floats, Ints

__all__ = ["partition"]

MOST = 8  # parts
LEAST = 5  # rows of a part: a mean over fewer says little
STARTS = 5
ROUNDS = 50
MANY = 1000  # rows that the number of parts is chosen by


def partition(rows: Floats, *, seed: int) -> tuple[Ints, float] | None:
    """Number the part of each row, the largest part first, and tell how wide apart parts are.

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
    tried = [_moved(rows, _begun(rows, k, generator)) for _ in range(STARTS)]
    return min(tried, key=lambda one: one[1])[0]


def _begun(rows: Floats, k: int, generator: np.random.Generator) -> Floats:
    """Draw centres that are far apart (k-means++): Arthur and Vassilvitskii (SODA 2007)."""
    chosen = [int(generator.integers(len(rows)))]
    nearest = _distances(rows, rows[chosen])[:, 0]
    for _ in range(k - 1):
        total = nearest.sum()
        odds = nearest / total if total > 0 else None
        chosen.append(int(generator.choice(len(rows), p=odds)))
        nearest = np.minimum(nearest, _distances(rows, rows[chosen[-1:]])[:, 0])
    return rows[chosen]


def _moved(rows: Floats, centres: Floats) -> tuple[Ints, float]:
    """Move centres to the middle of their rows until they stay: Lloyd (1982)."""
    member = np.full(len(rows), -1)
    for _ in range(ROUNDS):
        apart = _distances(rows, centres)
        nearest = apart.argmin(axis=1)
        if (nearest == member).all():
            break
        member = nearest
        kept = np.unique(member)
        centres[kept] = [rows[member == part].mean(axis=0) for part in kept]
    return member, float(_distances(rows, centres).min(axis=1).sum())


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
