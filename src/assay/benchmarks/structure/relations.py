"""Receipts and uplift: what correlates with it, and which alpha that suggests."""

import numpy as np

from assay.benchmarks.structure.method_scores import MethodScores, uplifted
from assay.records import Correlation, Floats, Relation, Uplift
from assay.statistics.correlation import correlation

__all__ = ["relations", "suggested_alpha"]

SURE = 0.05  # p below which a correlation is interpreted
UNKNOWN = "Not enough data: there are too few queries, or their values do not differ."
# How ConsciousDB interprets each sign.
READINGS = {
    ("delta_h", 1): "Coherence gains more where deltaH is larger: deltaH shows where structure "
    "helps.",
    ("delta_h", -1): "Coherence gains least where deltaH is largest: it favours a coherent cluster "
    "that is off topic. Check the judgments of those queries, or filter the candidates.",
    ("delta_h", 0): "DeltaH does not predict where coherence gains.",
    ("redundancy", 1): "Coherence gains more where the top documents are similar to each other: "
    "there is no reason to diversify earlier.",
    ("redundancy", -1): "Coherence gains less where the top documents are similar to each other: "
    "diversify earlier (a lower min_redundancy).",
    ("redundancy", 0): "Redundancy does not predict where coherence gains.",
}
LITTLE = (
    "Queries with a small deltaH gain, too: a little smoothing is enough, and the gates may be "
    "close to optimal."
)
MUCH = (
    "Queries with a large deltaH have no significant gain: the coherent cluster may be off topic. "
    "Check their judgments, or filter the candidates."
)


def relations(scored: MethodScores, primary: str) -> dict[str, Relation]:
    """Relate deltaH and redundancy to the uplift of the queries that had no fallback."""
    if (method := _ranked_as(scored)) is None:
        return {}
    figures: dict[str, list[float | None]] = {"delta_h": [], "redundancy": []}
    for query in scored.queries:
        one = scored.studied[query]
        free = one.receipt.fallback is None
        figures["delta_h"].append(one.receipt.delta_h if free else None)
        figures["redundancy"].append(one.redundancy.get("coherence") if free else None)
    sides = [_oriented(scored, name, primary) for name in ("cosine", method)]
    return {
        figure: _relate(scored, figure, values, method, *sides)
        for figure, values in figures.items()
    }


def suggested_alpha(scored: MethodScores, primary: str) -> float | None:
    """Take the median of what would have been suggested after each query, gains as feedback."""
    from assay.engines.coherence.suggest_alpha import median_alpha

    if (method := _ranked_as(scored)) is None:
        return None
    gains = _oriented(scored, method, primary) - _oriented(scored, "cosine", primary)
    gain = dict(zip(scored.queries, gains.tolist(), strict=True))
    return median_alpha(
        (one.receipt.delta_h, gain[query])
        for query, one in scored.studied.items()
        if query in gain and one.receipt.delta_h is not None and one.receipt.fallback is None
    )


def _ranked_as(scored: MethodScores) -> str | None:
    """Choose the method whose uplift counts: a gate would make that of low energies 0."""
    offered = [n for n in ("coherence_open", "coherence") if n in scored.evaluations]
    return offered[0] if offered else None


def _oriented(scored: MethodScores, method: str, primary: str) -> Floats:
    """Return the scores so that higher is better."""
    return scored.scores(method, primary) * (1.0 if scored.upwards(primary) else -1.0)


def _relate(
    scored: MethodScores,
    figure: str,
    values: list[float | None],
    method: str,
    before: Floats,
    after: Floats,
) -> Relation:
    keep = np.array([value is not None for value in values])
    column = np.array([value for value in values if value is not None], np.float64)
    return relate(figure, column, before[keep], after[keep], method=method, seed=scored.seed)


def relate(
    figure: str, values: Floats, baseline: Floats, scores: Floats, *, method: str, seed: int
) -> Relation:
    """Correlate a figure (delta_h or redundancy) with the gain, and interpret the result.

    ``baseline`` and ``scores``, those of the method, are of the same queries; higher is better.
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


def _reading(figure: str, spearman: Correlation, low: Uplift | None, high: Uplift | None) -> str:
    sign = _sign(spearman)
    if sign is None:
        return UNKNOWN
    said = [READINGS[figure, sign]]
    if figure == "delta_h" and low is not None and low.gains:
        said.append(LITTLE)
        if high is not None and not high.gains and sign >= 0:
            said.append(MUCH)
    return " ".join(said)


def _sign(one: Correlation) -> int | None:
    """Return the sign of a correlation; 0 where it is not significant."""
    if one.r is None or one.p is None:
        return None
    return int(np.sign(one.r)) if one.p < SURE else 0
