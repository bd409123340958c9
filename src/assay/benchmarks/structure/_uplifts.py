"""Two columns of scores -> what the second gains over the first."""

import numpy as np

from assay.records import Floats, Uplift
from assay.statistics.effect import effect
from assay.statistics.randomisation import randomisation
from assay.statistics.t_interval import t_interval

__all__ = ["uplifted"]


def uplifted(baseline: Floats, scores: Floats, *, upwards: bool = True, seed: int = 0) -> Uplift:
    """Compare scores of the same queries; of a metric that should fall, a fall is the gain."""
    gains = scores - baseline if upwards else baseline - scores
    size = effect(gains)
    before = float(baseline.mean())
    return Uplift(
        queries=len(gains),
        baseline=before,
        score=float(scores.mean()),
        difference=size.difference,
        interval=t_interval(gains),
        relative=size.difference / abs(before) if before else None,
        p=float(randomisation(gains, seed=seed)[0]) if np.any(gains) else 1.0,
        wins=size.wins,
        ties=size.ties,
        losses=size.losses,
    )
