"""Judgments and a run -> its scores, and the state of the judgments."""

from collections.abc import Sequence

import numpy as np

from assay.benchmarks.runs.reachable import reachable, reachable_notes
from assay.errors import InputError, UsageError
from assay.rankings.judge import judge
from assay.records import (
    Bools,
    Evaluation,
    Floats,
    Interval,
    JudgedRankings,
    Judgments,
    Metric,
    PerQuery,
    Rankings,
)
from assay.records.traffic import weighted_mean

__all__ = ["score_run"]


def score_run(  # noqa: PLR0913 - every option is a name of its own
    judgments: Judgments,
    rankings: Rankings,
    wanted: Sequence[Metric],
    *,
    ties: str = "docid",
    missing: str = "zero",
    unjudged: str = "zero",
    no_relevant: str = "zero",
    intervals: bool = False,
    seed: int = 0,
) -> Evaluation:
    """Score one run; the options are those of ``assay.evaluate``, already checked."""
    if ties == "expected" and judgments.items is not None:
        hint = "use ties 'docid' or 'order'"
        raise UsageError("ties 'expected' is not defined for expected items", hint=hint)
    whole = judge(judgments, rankings, expected=ties == "expected")
    judged = whole
    if unjudged == "condense":
        judged = judge(judgments, rankings, condense=True, expected=ties == "expected")
    answered = _answered(judgments, rankings)
    keep = _kept(judged, answered, missing=missing, no_relevant=no_relevant)
    per_query = {str(metric): metric.score(judged)[keep] for metric in wanted}
    most = {name: best[keep] for name, best in reachable(judgments, wanted).items()}
    most = {name: np.maximum(best, per_query[name]) for name, best in most.items()}
    queries = tuple(q for q, kept in zip(judged.queries, keep.tolist(), strict=True) if kept)
    weights = judgments.query_weights(queries)
    return Evaluation(
        run=rankings.name,
        queries=queries,
        scores={key: weighted_mean(values, weights) for key, values in per_query.items()},
        per_query=per_query,
        missing_queries=int((~answered).sum()),
        unknown_queries=len(set(rankings.queries) - set(judgments.queries)),
        without_relevant=int((judged.total_relevant == 0).sum()),
        unjudged=_unjudged(whole, wanted),
        tied=rankings.tied,
        ties=ties,
        bounds=_bounds(rankings, judged, wanted, keep, weights) if unjudged == "bounds" else None,
        intervals=_intervals(per_query, weights, seed) if intervals else None,
        notes=(
            *(f"{judgments.name}: {note}" for note in judgments.notes),
            *(f"{rankings.name}: {note}" for note in rankings.notes),
            *_out_of_reach(judged, wanted),
            *reachable_notes({name: weighted_mean(best, weights) for name, best in most.items()}),
        ),
        reachable=most,
        weights=weights,
        scores_unweighted=_plain_means(per_query, weights),
    )


def _plain_means(per_query: dict[str, PerQuery], weights: Floats | None) -> dict[str, float]:
    """Average without weights; nothing where there are none."""
    if weights is None:
        return {}
    return {name: float(values.mean()) for name, values in per_query.items()}


def _answered(judgments: Judgments, rankings: Rankings) -> Bools:
    """Mark the judged queries that the run has; none at all is a mistake, not a score."""
    if not judgments.queries:
        hint = "check that this is the judgments file you meant"
        raise InputError("no judgments found", where=judgments.name, hint=hint)
    answered = rankings.numbers(judgments.queries) >= 0
    if not answered.any():
        ours, theirs = judgments.queries[0], rankings.queries[0]
        keys = f'the run has e.g. "{theirs}", the judgments have e.g. "{ours}"'
        hint = f"check that the run was made for {judgments.name}"
        problem = f"no query of the run has judgments ({keys})"
        raise InputError(problem, where=rankings.name, hint=hint)
    return answered


def _kept(judged: JudgedRankings, answered: Bools, *, missing: str, no_relevant: str) -> Bools:
    keep = np.ones(len(answered), bool)
    if missing == "skip":
        keep &= answered
    if no_relevant == "skip":
        keep &= judged.total_relevant > 0
    if not keep.any():
        hint = "use 'zero' instead of 'skip' to score these queries as 0"
        raise InputError("no queries are left to score", hint=hint)
    return keep


def _out_of_reach(judged: JudgedRankings, metrics: Sequence[Metric]) -> list[str]:
    """Name the metrics that require a grade that no document has: they can only be 0."""
    top = int(judged.ideal_grade.max(initial=0))
    return [
        f"{metric} is always 0, since the largest grade is {top}"
        for metric in metrics
        if metric.level > top > 0
    ]


def _unjudged(judged: JudgedRankings, metrics: Sequence[Metric]) -> dict[int, float]:
    """Return the share of shown documents that nobody judged, at each cut-off in use."""
    cutoffs = sorted({metric.k for metric in metrics if metric.k is not None} or {10})
    shares = {}
    for k in cutoffs:
        shown = np.minimum(judged.retrieved, k).sum()
        known = (judged.judged * judged.within(k)).sum()
        shares[k] = float(1.0 - known / shown) if shown else 0.0
    return shares


def _intervals(
    per_query: dict[str, PerQuery], weights: Floats | None, seed: int
) -> dict[str, Interval]:
    from assay.statistics.mean_interval import (
        mean_interval,
    )  # needs scipy, which takes time to import

    return {
        name: mean_interval(values, seed=seed, weights=weights)
        for name, values in per_query.items()
    }


def _bounds(
    rankings: Rankings,
    judged: JudgedRankings,
    metrics: Sequence[Metric],
    keep: Bools,
    weights: Floats | None,
) -> dict[str, tuple[float, float] | None]:
    from assay.verdicts.holes import holes  # only asked for now and then
    from assay.verdicts.judged_run import JudgedRun

    bounds: dict[str, tuple[float, float] | None] = {}
    for metric in metrics:
        ends = holes(None, JudgedRun(rankings, judged), metric)
        bounds[str(metric)] = ends and (
            weighted_mean(ends[0][keep], weights),
            weighted_mean(ends[1][keep], weights),
        )
    return bounds
