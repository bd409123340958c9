"""Max-T correction: family-wise p-values that know how the tests hang together."""

import numpy as np

from assay.records import Floats, Ints
from assay.statistics._paired import paired
from assay.statistics._sign_flips import EXACT, sign_flips
from assay.statistics._weights import shares

__all__ = ["max_t"]

TOLERANCE = 1e-10  # equal statistics that differ by rounding are ties


def max_t(
    differences: Floats,
    *,
    flips: int = 10_000,
    seed: int = 0,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> Floats:
    """Return corrected two-sided p-values, one for each column of paired differences.

    Step-down: Westfall and Young (1993, algorithm 2.8), Ge, Dudoit and Speed (2003). Each column
    is divided by the root of its squares, which no flip changes: for one column that statistic
    orders the flips exactly as Student's t does, and it never divides by a vanished spread.
    """
    rows = paired(differences, strata=strata, weights=weights)
    scaled = _studentised(rows * shares(len(rows), strata, weights)[:, None])
    observed = np.abs(scaled.sum(axis=0))
    order = np.argsort(-observed, kind="stable")
    least = observed[order] * (1 - TOLERANCE) - TOLERANCE
    made, beaten = 0, np.zeros(len(order), dtype=np.int64)
    for sums in sign_flips(scaled[:, order], flips=flips, seed=seed):
        rest = np.maximum.accumulate(np.abs(sums)[:, ::-1], axis=1)[:, ::-1]
        made += len(sums)
        beaten += (rest >= least).sum(axis=0)
    p = beaten / made if len(rows) <= EXACT else (beaten + 1) / (made + 1)
    corrected = np.empty(len(order))
    corrected[order] = np.maximum.accumulate(p)
    return corrected


def _studentised(weighted: Floats) -> Floats:
    length = np.sqrt((weighted**2).sum(axis=0))
    return weighted / np.where(length == 0, 1.0, length)
