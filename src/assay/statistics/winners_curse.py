"""Winner's curse: what the best of many candidates gains on new queries."""

from collections.abc import Sequence

import numpy as np

from assay.records import CorrectedGain, Floats, Ints
from assay.statistics._sample import sample
from assay.statistics._weights import Group, groups_of, shares

__all__ = ["winners_curse"]

AT_ONCE = 2**22  # counts of queries that are held while samples are drawn
TINY = 1e-12  # what is left of one query that has all but a rounding error of the weight


def winners_curse(
    gains: Floats,
    *,
    stopped: int = 0,
    repeats: int = 400,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> CorrectedGain:
    """Correct the gain of the best candidate; one column of gains over the baseline for each.

    The observed gains spread more than the true ones, since noise adds to them. They are shrunk
    towards their mean until they spread as the true ones probably do; samples of the queries add
    noise again; and how much more the best of a sample seems to gain than it does is what the best
    of the observed ones seems to gain too much. The result is not below the observed gain of the
    worst candidate; for one candidate, or a clear winner, it is the observed gain. The last
    ``stopped`` columns take part in each choice, but are not the winner that is named.
    """
    rows = sample(gains, strata=strata, weights=weights, what="gains")
    totals = shares(len(rows), strata, weights) @ rows
    winner = int(np.argmax(totals[: len(totals) - stopped]))
    observed = float(totals[winner])
    if len(rows) == 1:
        note = "only one query: the gain of the best candidate cannot be corrected"
        return CorrectedGain(winner, observed, None, note)
    groups = groups_of(len(rows), strata, weights)
    noise = _noise(rows, repeats, np.random.Generator(np.random.PCG64(seed)), groups)
    queries = sum(group.resampled for group in groups)
    corrected = observed - _optimism(_shrunk(totals, noise, queries), noise, winner)
    return CorrectedGain(winner, observed, min(max(corrected, float(totals.min())), observed))


def _noise(
    rows: Floats, repeats: int, generator: np.random.Generator, groups: Sequence[Group]
) -> Floats:
    """Draw samples of the queries, collection by collection; return how far each mean is off.

    Queries with weights are drawn with them: a sample then has a total weight of its own.
    """
    most = max(1, AT_ONCE // len(rows))
    found = np.empty((repeats, rows.shape[1]))
    for first in range(0, repeats, most):
        part = found[first : first + most]
        moved = np.zeros((len(part), len(rows)))
        for group in groups:
            even = np.full(group.count, 1 / group.count)
            counts = generator.multinomial(group.count, even, len(part)).astype(np.float64)
            moved[:, group.rows] = _moved(counts, group, len(groups))
        part[:] = moved @ rows
    return found


def _moved(counts: Floats, group: Group, groups: int) -> Floats:
    """Return how much more each query counts in the mean of a sample than in that of all."""
    if group.shares is None:
        return np.asarray((counts - 1) * (1 / (groups * group.count)), dtype=np.float64)
    drawn = counts * group.shares
    drawn /= drawn.sum(axis=1, keepdims=True)
    return np.asarray((drawn - group.shares) / groups, dtype=np.float64)


def _shrunk(totals: Floats, noise: Floats, queries: float) -> Floats:
    """Shrink gains towards their mean, until their variance has lost the share that is noise."""
    spread = totals - totals.mean()
    apart = noise - noise.mean(axis=1, keepdims=True)
    drawn = (apart**2).sum(axis=1).mean() * queries / max(queries - 1, TINY)
    seen = (spread**2).sum()
    kept = max(0.0, 1 - drawn / seen) if seen > 0 else 0.0
    return np.asarray(totals.mean() + kept**0.5 * spread, dtype=np.float64)


def _optimism(means: Floats, noise: Floats, winner: int) -> float:
    """Average how much more the best of each sample seems to gain than it does.

    The noise of the named winner is 0 on average; subtracting it leaves less variance, and exactly
    0 where that one always wins.
    """
    best = (means + noise).argmax(axis=1)
    return float((noise[np.arange(len(noise)), best] - noise[:, winner]).mean())
