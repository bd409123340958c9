"""A figure and the uplift of each query -> how they go together, and what that means."""

import numpy as np

from assay.benchmarks.structure._uplifts import uplifted
from assay.records import Correlated, Floats, Relation, Uplift
from assay.statistics.correlation import correlation

__all__ = ["relate"]

SURE = 0.05  # p below which a correlation is read
UNKNOWN = "It cannot be told: there are too few queries, or all are alike."

# What the ancestor of this method taught about each sign.
READINGS = {
    ("delta_h", 1): "Where the energy falls more, coherence gains more: deltaH tells where "
    "structure helps.",
    ("delta_h", -1): "Where the energy falls most, coherence gains least: it makes a cluster "
    "coherent that is off topic. Look at the judgments of those queries, or filter the candidates.",
    ("delta_h", 0): "DeltaH does not tell where coherence gains.",
    ("redundancy", 1): "Coherence gains more where the first documents resemble each other: no "
    "reason to diversify earlier.",
    ("redundancy", -1): "The more the first documents resemble each other, the less coherence "
    "gains: diversify earlier (a lower min_redundancy).",
    ("redundancy", 0): "Redundancy does not tell where coherence gains.",
}
LITTLE = (
    "Queries with little deltaH gain all the same: a little smoothing suffices, and the gates may "
    "be near their best."
)
MUCH = (
    "Queries with much deltaH show no gain: what became coherent may be off topic. Look at their "
    "judgments, or filter the candidates."
)


def relate(
    figure: str, values: Floats, baseline: Floats, scores: Floats, *, method: str, seed: int
) -> Relation:
    """Correlate a figure (delta_h or redundancy) with the gain, and read the result.

    ``baseline`` and ``scores``, those of the method, are of the same queries, and more is better.
    Queries that share the median belong to the lower half.
    """
    gains = scores - baseline
    spearman = correlation(values, gains, ranks=True)
    above = values > np.median(values) if len(values) else np.zeros(0, bool)
    low = uplifted(baseline[~above], scores[~above], seed=seed) if (~above).any() else None
    high = uplifted(baseline[above], scores[above], seed=seed) if above.any() else None
    return Relation(
        queries=len(values),
        spearman=spearman,
        pearson=correlation(values, gains),
        low=low,
        high=high,
        reading=_reading(figure, spearman, low, high),
        method=method,
    )


def _reading(figure: str, spearman: Correlated, low: Uplift | None, high: Uplift | None) -> str:
    sign = _sign(spearman)
    if sign is None:
        return UNKNOWN
    said = [READINGS[figure, sign]]
    if figure == "delta_h" and low is not None and low.gains:
        said.append(LITTLE)
        if high is not None and not high.gains and sign >= 0:
            said.append(MUCH)
    return " ".join(said)


def _sign(one: Correlated) -> int | None:
    """Say which way a correlation goes; 0 where chance would do as well."""
    if one.r is None or one.p is None:
        return None
    return int(np.sign(one.r)) if one.p < SURE else 0
