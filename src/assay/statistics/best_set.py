"""The set of configurations that are not significantly different from the best."""

import math

import numpy as np

from assay.records import BestSet, Bools, Floats, Ints
from assay.statistics._sample import sample
from assay.statistics._sign_flips import EXACT, sign_flips
from assay.statistics._weights import shares

__all__ = ["best_set"]

TOLERANCE = 1e-10  # equal statistics that differ by rounding are ties
GAUSSIAN = 3.178  # sign flips reach t at most so many times as often as a normal variable does


def best_set(
    scores: Floats,
    *,
    level: float = 0.95,
    flips: int = 10_000,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
    unseen: int = 0,
) -> BestSet:
    """Keep each configuration that no other significantly beats, all pairs tested at once.

    In the manner of the model confidence set (Hansen, Lunde and Nason, Econometrica 2011), by sign
    flips: to leave, a configuration must trail another by more than chance lets any one trail any
    other. Those that stay are compared again among themselves, until nobody leaves. So it holds
    the best, and each of several equally good ones, at least ``level`` of the time.

    Of ``unseen`` configurations the scores are not known, as of those that a race stopped. They
    count as if they were still in: each pair with one adds the most that it could add whatever
    its scores are (Bentkus and Dzindzalieta, Bernoulli 2015, on sums of random signs).
    """
    rows = sample(scores, strata=strata, weights=weights, what="scores")
    centred = rows - rows.mean(axis=1, keepdims=True)
    weighted = shares(len(rows), strata, weights)[:, None] * centred
    sums = np.concatenate(list(sign_flips(weighted, flips=flips, seed=seed)))
    totals, lengths = weighted.sum(axis=0), _lengths(weighted)
    members, p = np.ones(rows.shape[1], dtype=np.bool_), np.zeros(rows.shape[1])
    while True:
        # Who leaves later was harder to beat: its p is no smaller than that of those who left.
        least = p[~members].max(initial=0.0)
        chances = _chances(sums, totals, lengths, members, exact=len(rows) <= EXACT, unseen=unseen)
        p[members] = np.maximum(chances, least)
        staying = members & (p >= 1 - level)
        if (staying == members).all():
            return BestSet(members=members, p=p, level=level)
        members = staying


def _lengths(weighted: Floats) -> Floats:
    """Return the root of the squared differences for each pair; infinite where nothing differs."""
    columns = range(weighted.shape[1])
    squares = [((weighted - weighted[:, [j]]) ** 2).sum(axis=0) for j in columns]
    lengths = np.sqrt(np.array(squares))
    return np.where(lengths <= 1e-12, np.inf, lengths)


def _chances(
    sums: Floats, totals: Floats, lengths: Floats, members: Bools, *, exact: bool, unseen: int
) -> Floats:
    """Return each member's p; that of the leader, who trails nobody, is 1."""
    among = lengths[np.ix_(members, members)]
    trailing = _deficits(totals[None, members], among)[0]
    largest = np.sort(_deficits(sums[:, members], among).max(axis=1))
    reached = len(largest) - np.searchsorted(largest, trailing - TOLERANCE)
    chances = reached / len(largest) if exact else (reached + 1) / (len(largest) + 1)
    pairs = unseen * (unseen - 1 + 2 * int(members.sum()))
    reached = np.array([pairs * _tail(deficit) for deficit in trailing.tolist()])
    return np.asarray(np.minimum(chances + reached, 1.0), dtype=np.float64)


def _tail(deficit: float) -> float:
    """Bound how often sign flips of any one pair reach a studentised deficit."""
    if deficit <= 0:
        return 1.0
    normal = math.erfc(deficit / math.sqrt(2)) / 2
    return min(GAUSSIAN * normal, math.exp(-(deficit**2) / 2))  # the other is Hoeffding's


def _deficits(sums: Floats, lengths: Floats) -> Floats:
    """Return by how much each column trails the one that leads it most, studentised."""
    deficits = [((sums - sums[:, [j]]) / lengths[j]).max(axis=1) for j in range(sums.shape[1])]
    return np.array(deficits).T
