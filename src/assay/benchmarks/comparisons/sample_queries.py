"""Queries that changed -> how many to judge, and a sample of them with weights to judge."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.errors import InputError
from assay.records import Dataset, Floats, Judgment, Query, Reference
from assay.records.diff import Diff, JudgingPlan, QueryDiff
from assay.statistics.pps_sample import pps_sample
from assay.statistics.smallest_detectable import smallest_detectable
from assay.text.count_noun import count_noun

__all__ = [
    *("DETECT", "SPREAD", "detectable", "needed_queries", "plan_judging", "sample_changed"),
    "useful_queries",
]

SPREADS = (0.2, 0.3, 0.4)  # of the differences of changed queries: nobody has judged any
SPREAD = 0.3  # what is assumed where one number is wanted
DIFFERENCES = (0.01, 0.02, 0.05)
NUMBERS = (20, 50, 100, 200, 500)
NEARLY = 1.1  # times what all changed queries detect: the rest is not worth judging
DETECT = 0.02  # the difference of the mean over all traffic that a sample is made for
POOLED = -1  # the grade of a document that is to be judged


def plan_judging(changes: Sequence[QueryDiff]) -> JudgingPlan:
    """Tell how many changed queries show which difference of the mean over all traffic."""
    changed = [one for one in changes if one.changed]
    numbers = [number for number in NUMBERS if number < len(changed)]
    return JudgingPlan(
        changed=len(changed),
        share=min(sum(one.share for one in changed), 1.0),
        needed={
            f"{difference:g}": {
                f"sd={sd:g}": needed_queries(changes, difference, sd=sd) for sd in SPREADS
            }
            for difference in DIFFERENCES
        },
        detectable={
            number: {f"sd={sd:g}": detectable(changes, number, sd=sd) for sd in SPREADS}
            for number in ([*numbers, len(changed)] if len(changed) > 1 else ())
        },
    )


def detectable(changes: Sequence[QueryDiff], queries: int, *, sd: float = SPREAD) -> float:
    """Return the smallest difference over all traffic that so many changed queries show.

    Queries that answer the same differ by 0, so that the mean over all traffic is that of the
    changed traffic times its share. Drawn in proportion to traffic, queries count the same, but for
    those that are drawn for certain: their weight is that of their traffic, and the effective
    number of the sample is that of Kish.
    """
    weights = np.array([one.share for one in changes if one.changed])
    spread = sd * float(np.sqrt(queries / _effective(weights, queries)))
    return smallest_detectable(sd=spread, queries=queries) * float(weights.sum())


def needed_queries(
    changes: Sequence[QueryDiff], difference: float, *, sd: float = SPREAD
) -> int | None:
    """Return how many changed queries to judge; None if even all of them are too few."""
    count = sum(one.changed for one in changes)
    return _fewest(changes, difference, sd=sd) if count > 1 else None


def useful_queries(changes: Sequence[QueryDiff]) -> int:
    """Return the number from which on further queries hardly lower the detectable difference."""
    count = sum(one.changed for one in changes)
    if count < 2:
        return count
    return _fewest(changes, NEARLY * detectable(changes, count), sd=SPREAD) or count


def _fewest(changes: Sequence[QueryDiff], difference: float, *, sd: float) -> int | None:
    """Bisect for the number of queries: more of them never detect less."""
    low, high = 1, sum(one.changed for one in changes)
    if detectable(changes, high, sd=sd) > difference:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = detectable(changes, middle, sd=sd) <= difference
        low, high = (low, middle) if enough else (middle, high)
    return high


def _effective(weights: Floats, draws: int) -> float:
    """Return the effective number of a sample, which does not depend on what is drawn."""
    chances = pps_sample(weights, draws=draws).probabilities
    expected = float((weights**2 / chances).sum())  # of the sum of squared weights
    return float(weights.sum()) ** 2 / expected


def sample_changed(
    diff: Diff, asked: Mapping[str, Query], *, draws: int, seed: int, scale: int, home: str = ""
) -> Dataset:
    """Draw changed queries in proportion to traffic, with the documents of both to be judged.

    The weight of a query is its traffic over its probability of being drawn, so that the weighted
    mean of differences estimates that of all changed traffic without bias. Documents have the grade
    -1: pooled, and not judged yet.
    """
    changed = diff.changed
    if not changed:
        hint = f"the top {diff.k} is the same for every query: there is nothing to judge"
        raise InputError("no query changed", hint=hint)
    draws = min(draws, len(changed))
    drawn = pps_sample(np.array([one.weight for one in changed]), draws=draws, seed=seed)
    queries = tuple(
        _to_judge(asked[changed[at].query], changed[at], float(drawn.probabilities[at]))
        for at in drawn.rows.tolist()
    )
    about = {
        "before": diff.before,
        "after": diff.after,
        "k": diff.k,
        "queries": len(diff.changes),
        "changed": len(changed),
        "changed_share": diff.plan.share,
        "drawn": draws,
        "seed": seed,
    }
    some = count_noun(len(changed), "query", "queries")
    return Dataset(
        name="to_judge",
        queries=queries,
        description=f"{draws:,} of {some} whose top {diff.k} differs between {diff.before} and "
        f"{diff.after}, drawn in proportion to traffic",
        scale=scale,
        metadata={"sample": about},
        home=home,
    )


def _to_judge(query: Query, change: QueryDiff, probability: float) -> Query:
    pool = dict.fromkeys((*change.before, *change.after))
    judgments = tuple(Judgment(Reference(document_id=one), POOLED) for one in pool)
    return replace(query, judgments=judgments, weight=change.weight / probability)
