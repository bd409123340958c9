"""Receipts beside uplift: what goes with it, and which alpha that suggests."""

import numpy as np

from assay.benchmarks.structure._readings import relate
from assay.benchmarks.structure.method_scores import Scored
from assay.records import Floats, Relation

__all__ = ["relations", "suggested_alpha"]


def relations(scored: Scored, primary: str) -> dict[str, Relation]:
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


def suggested_alpha(scored: Scored, primary: str) -> float | None:
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


def _ranked_as(scored: Scored) -> str | None:
    """Choose whose uplift is looked at: a gate would make that of low energies 0."""
    offered = [n for n in ("coherence_open", "coherence") if n in scored.evaluations]
    return offered[0] if offered else None


def _oriented(scored: Scored, method: str, primary: str) -> Floats:
    """Return the scores so that more is better."""
    return scored.scores(method, primary) * (1.0 if scored.upwards(primary) else -1.0)


def _relate(
    scored: Scored,
    figure: str,
    values: list[float | None],
    method: str,
    before: Floats,
    after: Floats,
) -> Relation:
    keep = np.array([value is not None for value in values])
    column = np.array([value for value in values if value is not None], np.float64)
    return relate(figure, column, before[keep], after[keep], method=method, seed=scored.seed)
