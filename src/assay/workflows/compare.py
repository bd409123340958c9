"""Compare: a baseline, its candidates and judgments -> differences that hold up, and a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from assay.errors import InputError, UsageError
from assay.metrics import parse_all
from assay.metrics.between.overlap import overlap
from assay.metrics.between.rbo import rbo
from assay.rankings.judge import judge
from assay.rankings.load import load
from assay.records import (
    Candidate,
    Comparison,
    Comparisons,
    Ints,
    Judgments,
    Metric,
    Rankings,
    ToJudge,
    Verdict,
)
from assay.statistics.best_set import best_set
from assay.statistics.queries_needed import queries_needed
from assay.statistics.winners_curse import winners_curse
from assay.verdicts.holes import holes
from assay.verdicts.judge_next import judge_next
from assay.verdicts.ship import ship
from assay.verdicts.side import Side
from assay.workflows._options import refuse_unknown, refuse_wrong_numbers
from assay.workflows._pairing import Correction, Pairing
from assay.workflows._truth import truth
from assay.workflows.evaluate import evaluate

__all__ = ["compare"]


def compare(  # noqa: PLR0913 - every option is a name of its own
    baseline: object,
    candidates: object,
    *,
    qrels: object,
    metrics: Sequence[str | Metric] | str = (),
    primary: str | None = None,
    ties: Literal["docid", "order"] = "docid",
    missing: Literal["zero", "skip"] = "zero",
    correction: Correction = "holm",
    alpha: float = 0.05,
    margin: float = 0.02,
    flips: int = 10_000,
    seed: int = 0,
    unjudged: Literal["bounds", "zero"] = "bounds",
    judge_most: int = 20,
    scale: int | None = None,
    collections: Mapping[str, str] | None = None,
    names: Sequence[str | None] = (),
) -> Comparisons:
    """Compare one candidate, or a list of them, with the baseline, paired by query.

    ``primary`` decides the verdict (default: the first metric named, else ndcg@10); ``margin`` is
    the share of the baseline's score that nobody would notice; ``scale`` is the largest grade a
    judge could give (default: the largest given); ``unjudged="zero"`` decides as if nothing that is
    unjudged were relevant; ``collections`` names the collection of each query, whose means then
    count alike.
    """
    _check(ties=ties, missing=missing, correction=correction, unjudged=unjudged)
    refuse_wrong_numbers(alpha=alpha, margin=margin, flips=flips, seed=seed)
    wanted = _metrics(metrics, primary)
    judgments = truth(qrels, scale=scale)
    runs = [baseline, *(candidates if isinstance(candidates, list | tuple) else [candidates])]
    rankings = _load(runs, names, ties)
    named = [str(metric) for metric in wanted]
    evaluations = [evaluate(judgments, run, named, ties=ties) for run in rankings]
    keep = _shared(judgments, rankings, missing)
    pairing = Pairing.of(
        evaluations,
        wanted,
        keep=keep,
        strata=_strata(judgments, collections),
        correction=correction,
        alpha=alpha,
        flips=flips,
        seed=seed,
    )
    sides = [Side(run, judge(judgments, run)) for run in rankings]
    best = best_set(pairing.scores[:, 0].T, flips=flips, seed=seed, strata=pairing.strata)
    gain = winners_curse(pairing.differences[:, 0].T, seed=seed, strata=pairing.strata)
    decide = partial(_candidate, pairing, sides, keep=keep, margin=margin, unjudged=unjudged)
    return Comparisons(
        baseline=rankings[0].name,
        primary=named[0],
        queries=len(pairing.queries),
        candidates=tuple(map(decide, range(len(sides) - 1))),
        judge_next=_to_judge(sides, wanted[0], keep, judge_most),
        best_set=tuple(run.name for run, kept in zip(rankings, best.members, strict=True) if kept),
        best=rankings[1 + gain.winner].name,
        observed_gain=gain.observed,
        corrected_gain=gain.corrected,
        evaluations=tuple(evaluations),
        settings={
            "alpha": alpha,
            "correction": correction,
            "flips": flips,
            "margin": margin,
            "missing": missing,
            "seed": seed,
            "ties": ties,
            "unjudged": unjudged,
        },
    )


def _check(**options: str) -> None:
    """Refuse misspelt options; ties must be in one order here, since holes need ranks."""
    choices = {"ties": ("docid", "order"), "unjudged": ("bounds", "zero")}
    refuse_unknown(choices=choices, **options)


def _metrics(metrics: Sequence[str | Metric] | str, primary: str | None) -> list[Metric]:
    """Read the metrics; the primary one comes first."""
    wanted = parse_all(metrics)
    if primary is not None:
        chosen = parse_all([primary])[0]
    else:
        chosen = wanted[0] if metrics else parse_all("ndcg@10")[0]
    if not chosen.kind.higher_is_better:
        hint = "choose a metric of which more is better, e.g. ndcg@10"
        raise UsageError(f"{chosen} cannot decide a verdict: less of it is better", hint=hint)
    return [chosen, *(metric for metric in wanted if str(metric) != str(chosen))]


def _load(runs: Sequence[object], names: Sequence[str | None], ties: str) -> list[Rankings]:
    """Read the runs; those of one name get a number, so that they can be told apart."""
    if len(runs) < 2:
        raise UsageError("nothing to compare with the baseline", hint="name at least one candidate")
    given = [*names, *[None] * len(runs)]
    loaded = [load(run, ties=ties, name=given[at]) for at, run in enumerate(runs)]
    seen: dict[str, int] = {}
    for at, run in enumerate(loaded):
        seen[run.name] = seen.get(run.name, 0) + 1
        if seen[run.name] > 1:
            loaded[at] = replace(run, name=f"{run.name} ({seen[run.name]})")
    return loaded


def _shared(judgments: Judgments, runs: Sequence[Rankings], missing: str) -> Ints:
    """Choose the queries that are compared: all judged ones, or those that every run answers."""
    keep = np.ones(len(judgments.queries), bool)
    if missing == "skip":
        for run in runs:
            keep &= run.numbers(judgments.queries) >= 0
    if not keep.any():
        hint = "drop 'skip' to score missing answers 0"
        raise InputError("no query is answered by every run", hint=hint)
    return np.flatnonzero(keep)


def _strata(judgments: Judgments, collections: Mapping[str, str] | None) -> Ints | None:
    if collections is None:
        return None
    lost = [query for query in judgments.queries if query not in collections]
    if lost:
        hint = "name the collection of every judged query"
        raise InputError(f'query "{lost[0]}" belongs to no collection', hint=hint)
    codes: dict[str, int] = {}
    of_query = [codes.setdefault(collections[query], len(codes)) for query in judgments.queries]
    return np.array(of_query, np.int64)


def _candidate(
    pairing: Pairing, sides: Sequence[Side], at: int, *, keep: Ints, margin: float, unjudged: str
) -> Candidate:
    """Compare one candidate on every metric, and decide on the first."""
    baseline, candidate = sides[0], sides[at + 1]
    figures = {}
    for number, metric in enumerate(pairing.metrics):
        ends = holes(baseline, candidate, metric)
        figures[str(metric)] = pairing.comparison(
            at,
            number,
            holes=ends and (ends[0][keep], ends[1][keep]),
            unbounded=ends is None and _shows_unjudged((baseline, candidate), metric),
        )
    primary = pairing.metrics[0]
    return Candidate(
        run=candidate.rankings.name,
        metrics=figures,
        verdict=_verdict(pairing, figures[str(primary)], margin=margin, unjudged=unjudged),
        agreement=_agreement(pairing, baseline.rankings, candidate.rankings),
        changes=pairing.changes(at),
    )


def _shows_unjudged(sides: Sequence[Side], metric: Metric) -> bool:
    """Say whether a run has documents without a judgment in the part that the metric looks at."""
    for side in sides:
        depth = np.minimum(side.judged.retrieved, metric.k or side.judged.retrieved)
        known = side.judged.sum(side.judged.judged * side.judged.within(metric.k))
        if (known < depth).any():
            return True
    return False


def _agreement(pairing: Pairing, baseline: Rankings, candidate: Rankings) -> dict[str, float]:
    """Tell how alike two runs answer the compared queries."""
    k = pairing.metrics[0].k or 10
    alike = rbo(baseline, candidate, queries=pairing.queries)
    shared = overlap(baseline, candidate, k, queries=pairing.queries)
    return {"rbo(p=0.9)": pairing.mean(alike), f"overlap@{k}": pairing.mean(shared)}


def _verdict(pairing: Pairing, one: Comparison, *, margin: float, unjudged: str) -> Verdict:
    """Apply the ship rule; the margin is a share of the baseline's score."""
    absolute = margin * abs(one.baseline)
    more = None
    if absolute > 0 and np.isfinite(one.sd):
        candidates = len(pairing.differences)
        needed = queries_needed(absolute, sd=one.sd, candidates=candidates, alpha=pairing.alpha)
        more = max(1, needed - one.queries)
    if unjudged == "zero":
        one = replace(one, holes=None, unbounded=False)
    return ship(comparison=one, alpha=pairing.alpha, margin=absolute, queries_needed=more)


def _to_judge(sides: Sequence[Side], primary: Metric, keep: Ints, most: int) -> tuple[ToJudge, ...]:
    """Merge what each candidate's comparison would need."""
    found: dict[tuple[str, str], ToJudge] = {}
    for side in sides[1:]:
        for one in judge_next(sides[0], side, primary, queries=keep, most=most):
            known = found.setdefault((one.query, one.document), one)
            if (one.influence or 0.0) > (known.influence or 0.0):
                found[one.query, one.document] = one
    ordered = sorted(found.values(), key=lambda one: -(one.influence or 0.0))
    return tuple(ordered[:most])
