"""Gains of candidates that a race stopped, as they might have gone on: luck had a hand in all."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.benchmarks.comparisons.pairing import Pairing
from assay.records import Floats

__all__ = ["with_stopped"]


def with_stopped(
    pairing: Pairing, candidates: Sequence[int], stopped: Sequence[Mapping[str, float]]
) -> Floats:
    """Return a column of gains over the baseline for each of some candidates, the stopped last.

    Where one of these was not asked a query, it gains as it did on one that it was asked, drawn at
    random from the same collection: it might have been chosen as often as it seemed until then.
    """
    gains = pairing.differences[candidates, 0].T
    generator = np.random.Generator(np.random.PCG64(pairing.seed))
    further = [_filled(pairing, one, generator) for one in stopped]
    return np.column_stack([gains, *further]) if further else gains


def _filled(
    pairing: Pairing, scored: Mapping[str, float], generator: np.random.Generator
) -> Floats:
    gains = np.array([scored.get(query, np.nan) for query in pairing.queries])
    gains -= pairing.scores[0, 0]
    strata = np.zeros(len(gains), np.int64) if pairing.strata is None else pairing.strata
    asked = ~np.isnan(gains)
    filled = gains.copy()
    for number in np.unique(strata[~asked]).tolist():
        known = gains[asked & (strata == number)]
        known = known if len(known) else gains[asked]
        missing = ~asked & (strata == number)
        filled[missing] = generator.choice(known, missing.sum()) if len(known) else 0.0
    return filled
