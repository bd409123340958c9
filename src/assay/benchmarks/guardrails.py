"""Guardrails: what a candidate must not lose for its gain: any category, and any answer."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.benchmarks.summing import NO_CATEGORY, Tried
from assay.records import Broken, Dataset, Floats, Ints
from assay.records.quoted import quoted
from assay.statistics.effect import effect
from assay.statistics.holm import holm
from assay.statistics.noninferiority import noninferiority

__all__ = ["broken_guardrails"]

TWICE = 2  # times the margin: a category has fewer queries, and may lose a little more


def broken_guardrails(
    baseline: Tried,
    candidate: Tried,
    *,
    dataset: Dataset,
    primary: str,
    margin: float,
    alpha: float = 0.05,
    strata: Ints | None = None,
) -> list[Broken]:
    """Say which guardrails the candidate is shown to break; ``margin`` is a share of the score.

    ``strata`` numbers the collection of each query, in the order of the evaluations.
    """
    lost: list[Broken] = []
    if baseline.evaluation is not None and candidate.evaluation is not None:
        scored = (baseline.evaluation.per_query[primary], candidate.evaluation.per_query[primary])
        rows = _rows(dataset, baseline.evaluation.queries)
        lost = _categories(*scored, rows, margin=margin, alpha=alpha, strata=strata)
    before, after = baseline.run.errors, candidate.run.errors
    if after > before:
        name = quoted(baseline.run.name)
        what = f"more queries failed than with {name} ({after:,} after {before:,})"
        lost.append(Broken(what, f"no more failed queries than {name} has ({before:,})"))
    return lost


def _categories(
    before: Floats,
    after: Floats,
    rows: Mapping[str, Ints],
    *,
    margin: float,
    alpha: float,
    strata: Ints | None,
) -> list[Broken]:
    """Name the categories that lose more than twice the margin, Holm over all of them."""
    most = TWICE * margin * abs(effect(before, strata=strata).difference)
    parts = {
        name: (after[at] - before[at], None if strata is None else strata[at])
        for name, at in rows.items()
    }
    chances = [_p_of_loss(differences, most, part) for differences, part in parts.values()]
    corrected = holm(np.array(chances)).tolist() if chances else []
    return [
        _broken(name, -effect(differences, strata=part).difference, most)
        for (name, (differences, part)), p in zip(parts.items(), corrected, strict=True)
        if p < alpha
    ]


def _rows(dataset: Dataset, queries: Sequence[str]) -> dict[str, Ints]:
    """Return the rows of each category that has a name."""
    category = {query.key: query.category for query in dataset.queries}
    named = np.array([category.get(query, "") for query in queries])
    names = [name for name in dict.fromkeys(named.tolist()) if name not in ("", NO_CATEGORY)]
    return {name: np.flatnonzero(named == name) for name in names}


def _broken(name: str, loss: float, most: float) -> Broken:
    what = f"the category {name} loses {loss:.4f}, more than twice the margin ({most:.4f})"
    return Broken(what, f"a loss of the category {name} of at most {most:.4f}")


def _p_of_loss(differences: Floats, margin: float, strata: Ints | None) -> float:
    """Return the p-value of a loss above the margin; equal losses of n queries give 1 / 2^n.

    A loss that is no larger than the margin is none, however equal the queries are.
    """
    if -effect(differences, strata=strata).difference <= margin:
        return 1.0
    held = noninferiority(differences, margin=margin, strata=strata)
    return max(1 - held.p, 2.0 ** -len(differences))
