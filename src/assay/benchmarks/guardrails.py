"""Guardrails: what a candidate must not lose for its gain: any category, and any answer."""

import numpy as np

from assay.benchmarks.summing import NO_CATEGORY, Tried
from assay.records import Dataset, Floats
from assay.statistics.holm import holm
from assay.statistics.noninferiority import noninferiority

__all__ = ["broken_guardrails"]

ALPHA = 0.05
TWICE = 2  # times the margin: a category has fewer queries, and may lose a little more


def broken_guardrails(
    baseline: Tried, candidate: Tried, *, dataset: Dataset, primary: str, margin: float
) -> list[str]:
    """Say which guardrails the candidate is shown to break; ``margin`` is a share of the score."""
    said = [*_categories(baseline, candidate, dataset, primary, margin)]
    before, after = baseline.run.errors, candidate.run.errors
    if after > before:
        said.append(
            f"more queries failed than with {baseline.run.name} ({after:,} after {before:,})"
        )
    return said


def _categories(
    baseline: Tried, candidate: Tried, dataset: Dataset, primary: str, margin: float
) -> list[str]:
    """Name the categories that lose more than twice the margin, Holm over all of them."""
    if baseline.evaluation is None or candidate.evaluation is None:
        return []
    before, after = (one.evaluation.per_query[primary] for one in (baseline, candidate))  # type: ignore[union-attr]
    category = {query.key: query.category for query in dataset.queries}
    named = np.array([category.get(query, "") for query in baseline.evaluation.queries])
    names = [name for name in dict.fromkeys(named.tolist()) if name not in ("", NO_CATEGORY)]
    most = TWICE * margin * abs(float(before.mean()))
    lost = [_p_of_loss((after - before)[named == name], most) for name in names]
    corrected = holm(np.array(lost)).tolist() if lost else []
    return [
        f"the category {name} loses {float((before - after)[named == name].mean()):.4f}, more "
        f"than twice the margin ({most:.4f})"
        for name, p in zip(names, corrected, strict=True)
        if p < ALPHA
    ]


def _p_of_loss(differences: Floats, margin: float) -> float:
    """Return the p-value of a loss above the margin; equal losses of n queries give 1 / 2^n."""
    held = noninferiority(differences, margin=margin)
    return max(1 - held.p, 2.0 ** -len(differences))
