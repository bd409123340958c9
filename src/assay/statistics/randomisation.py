"""Randomisation test: how often chance alone, turning the signs of differences, does as well."""

from typing import Literal

import numpy as np

from assay.records import Floats, Ints
from assay.statistics._paired import paired
from assay.statistics._sign_flips import EXACT, sign_flips
from assay.statistics._weights import shares

__all__ = ["randomisation"]

# Equal sums in another order differ by rounding: they count as ties, as they should.
TOLERANCE = 1e-10


def randomisation(
    differences: Floats,
    *,
    flips: int = 10_000,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
) -> Floats:
    """Return a p-value for each column of paired differences, all under the same sign flips.

    Fisher (1935); Smucker, Allan and Carterette (CIKM 2007). All 2^n flips up to 16 queries, then
    p is their exact share. Otherwise p = (b + 1) / (B + 1): Phipson and Smyth (2010). With
    ``weights`` the signs of weighted differences are turned: that is exact for any weights.
    """
    rows = paired(differences, strata=strata, weights=weights)
    weighted = rows * shares(len(rows), strata, weights)[:, None]
    observed = _extremeness(weighted.sum(axis=0), alternative)
    least = observed - TOLERANCE * np.abs(weighted).sum(axis=0)
    made, beaten = 0, np.zeros(rows.shape[1], dtype=np.int64)
    for sums in sign_flips(weighted, flips=flips, seed=seed):
        made += len(sums)
        beaten += (_extremeness(sums, alternative) >= least).sum(axis=0)
    return beaten / made if len(rows) <= EXACT else (beaten + 1) / (made + 1)


def _extremeness(sums: Floats, alternative: str) -> Floats:
    if alternative == "two-sided":
        return np.abs(sums)
    return sums if alternative == "greater" else -sums
