"""Wilcoxon's signed-rank test, two-sided: do the larger differences favour one side."""

import numpy as np

from assay.records import Floats
from assay.statistics._paired import paired

__all__ = ["wilcoxon"]

EXACT = 50  # queries up to which distinct differences are counted out
EXACT_WITH_TIES = 13  # and equal or zero ones: the choice that scipy makes


def wilcoxon(differences: Floats) -> float:
    """Return the p-value of no difference; differences of 0 are dropped.

    Wilcoxon (Biometrics Bulletin 1945): the exact distribution of the rank sum for few queries,
    otherwise the normal one with its variance corrected for ties. It ranks all queries together,
    so it has no macro mean and takes no strata.
    """
    values = paired(differences)[:, 0]
    moved = values[values != 0]
    if not len(moved):
        return 1.0
    ranks, tied = _ranks(np.abs(moved))
    favourable = float(ranks[moved > 0].sum())
    plain = len(moved) == len(values) and len(tied) == len(moved)
    if len(values) <= (EXACT if plain else EXACT_WITH_TIES):
        return _exact(ranks, favourable)
    return _normal(tied, favourable)


def _ranks(sizes: Floats) -> tuple[Floats, Floats]:
    """Return mean ranks, sizes that differ by rounding only being equal, and the runs' lengths."""
    order = np.argsort(sizes, kind="stable")
    fresh = np.diff(sizes[order], prepend=-1.0) > 1e-12
    run = np.cumsum(fresh) - 1
    lengths = np.bincount(run).astype(np.float64)
    middles = np.cumsum(lengths) - (lengths - 1) / 2
    ranks = np.empty_like(sizes)
    ranks[order] = middles[run]
    return ranks, lengths


def _exact(ranks: Floats, favourable: float) -> float:
    """Count the sign patterns by their rank sum, in halves, so that mean ranks are whole."""
    halves = np.rint(2 * ranks).astype(np.int64)
    chances = np.ones(1)
    for half in halves:
        chances = np.pad(chances, (0, half)) / 2 + np.pad(chances, (half, 0)) / 2
    at = round(2 * favourable)
    return min(1.0, 2 * float(min(chances[: at + 1].sum(), chances[at:].sum())))


def _normal(tied: Floats, favourable: float) -> float:
    from scipy.special import ndtr  # scipy only where a tail is needed

    count = float(tied.sum())
    mean = count * (count + 1) / 4
    ties = float((tied**3 - tied).sum()) / 2
    deviation = ((count * (count + 1) * (2 * count + 1) - ties) / 24) ** 0.5
    return 2 * float(ndtr(-abs(favourable - mean) / deviation))
