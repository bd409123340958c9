"""Judgments and several runs -> differences from the first that hold up, and verdicts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from assay.benchmarks.comparisons.guardrails import QueryGroup, broken_categories, losses
from assay.benchmarks.comparisons.pairing import Correction, Pairing, more_queries, with_stopped
from assay.benchmarks.runs.notes import first_alike
from assay.benchmarks.runs.score_run import score_run
from assay.errors import InputError
from assay.metrics.between.overlap import overlap
from assay.metrics.between.rbo import rbo
from assay.rankings.judge import judge
from assay.records import (
    BrokenLimit,
    Candidate,
    Comparison,
    Comparisons,
    Evaluation,
    Ints,
    Judgments,
    Metric,
    Rankings,
    ToJudge,
    Verdict,
)
from assay.statistics.best_set import best_set
from assay.statistics.winners_curse import winners_curse
from assay.text.quote import quote
from assay.verdicts.holes import holes
from assay.verdicts.judge_next import judge_next
from assay.verdicts.judged_run import JudgedRun
from assay.verdicts.margin import margin_of
from assay.verdicts.ship import ship

__all__ = ["compare_runs"]


def compare_runs(  # noqa: PLR0913 - every option is a name of its own
    judgments: Judgments,
    rankings: Sequence[Rankings],
    wanted: Sequence[Metric],
    *,
    evaluations: Sequence[Evaluation] | None = None,
    ties: str = "docid",
    missing: str = "zero",
    correction: Correction = "holm",
    alpha: float = 0.05,
    margin: float = 0.02,
    flips: int = 10_000,
    seed: int = 0,
    unjudged: str = "bounds",
    judge_most: int = 20,
    strata: Ints | None = None,
    parts: Sequence[QueryGroup] = (),
    broken: Mapping[str, Sequence[BrokenLimit]] | None = None,
    unknown: Collection[str] = (),
    ship_if: str = "better",
    cheaper: Mapping[str, Sequence[str]] | None = None,
    stopped: Sequence[Mapping[str, float]] = (),
    unchecked: Mapping[str, Sequence[str]] | None = None,
    failed: int = 0,
) -> Comparisons:
    """Compare runs with the first of them; the options are those of ``assay.compare``, checked.

    The first metric decides. ``evaluations`` may be given if they are there already, with every
    query and metric; ``parts`` are categories and collections of the judged queries that no
    candidate may lose; ``broken`` tells, by run, the further guardrails and budgets that are shown
    to be broken, ``unchecked`` those that could not be checked, ``cheaper`` in what it is
    materially cheaper. ``unknown`` documents are in no corpus: nobody is asked to judge them.
    ``stopped`` are further candidates that a race stopped, each by what it scored on the queries
    that it was asked, and so many more ``failed``: all that is shown is corrected for them, too.
    Runs with identical rankings are one candidate.
    """
    named = [str(metric) for metric in wanted]
    if evaluations is None:
        evaluations = [score_run(judgments, run, wanted, ties=ties) for run in rankings]
    keep = _shared(judgments, rankings, missing)
    pairing = Pairing.of(
        evaluations,
        wanted,
        keep=keep,
        strata=strata,
        correction=correction,
        alpha=alpha,
        flips=flips,
        seed=seed,
        stopped=len(stopped) + failed,
        alike=first_alike(rankings),
    )
    sides = [JudgedRun(run, judge(judgments, run)) for run in rankings]
    best = best_set(
        pairing.scores[:, 0].T,
        flips=flips,
        seed=seed,
        strata=pairing.strata,
        unseen=len(stopped),
    )
    chosen_of = pairing.distinct or [0]  # copies of the baseline alone: one of them stands for all
    gain = winners_curse(
        with_stopped(pairing, chosen_of, stopped),
        stopped=len(stopped),
        seed=seed,
        strata=pairing.strata,
    )
    lost = _lost(pairing, rankings, parts, keep, margin=margin)
    asked = _asked(sides, wanted[0], keep, judge_most, unknown)
    rule = _Rule(
        pairing.noninferior(margin_of(pairing.mean(pairing.scores[0, 0]), margin)),
        margin=margin,
        gain=gain.corrected,
        unjudged=unjudged,
        ship_if=ship_if,
        broken={
            run.name: [*lost.get(run.name, ()), *(broken or {}).get(run.name, ())]
            for run in rankings[1:]
        },
        unchecked=unchecked or {},
        cheaper=cheaper or {},
        to_judge=asked,
    )
    decide = partial(_candidate, pairing, sides, keep=keep, rule=rule)
    return Comparisons(
        baseline=rankings[0].name,
        primary=named[0],
        queries=len(pairing.queries),
        candidates=tuple(map(decide, range(len(sides) - 1))),
        judge_next=_to_judge(asked, judge_most),
        best_set=tuple(run.name for run, kept in zip(rankings, best.members, strict=True) if kept),
        best=rankings[1 + chosen_of[gain.winner]].name,
        observed_gain=gain.observed,
        corrected_gain=gain.corrected,
        evaluations=tuple(evaluations),
        settings={
            "alpha": alpha,
            "correction": correction,
            "candidates": pairing.candidates,
            "flips": pairing.flips_made,
            "margin": margin,
            "missing": missing,
            "seed": seed,
            "ship_if": ship_if,
            **({"stopped": len(stopped)} if stopped else {}),
            "ties": ties,
            "unjudged": unjudged,
        },
    )


def _shared(judgments: Judgments, runs: Sequence[Rankings], missing: str) -> Ints:
    """Choose the queries that are compared: all judged ones, or those that every run answers."""
    keep = np.ones(len(judgments.queries), bool)
    if missing == "skip":
        for run in runs:
            keep &= run.numbers(judgments.queries) >= 0
    if not keep.any():
        hint = "use 'zero' instead of 'skip' to score missing queries as 0"
        raise InputError("no query has results in every run", hint=hint)
    return np.flatnonzero(keep)


def _lost(
    pairing: Pairing,
    rankings: Sequence[Rankings],
    parts: Sequence[QueryGroup],
    keep: Ints,
    *,
    margin: float,
) -> dict[str, list[BrokenLimit]]:
    """Name the parts that each distinct candidate loses; those with its rankings lose the same."""
    kept = [QueryGroup(part.name, np.flatnonzero(np.isin(keep, part.rows))) for part in parts]
    kept = [part for part in kept if len(part.rows)]
    primary = pairing.scores[:, 0]
    found = {
        str(at): losses(primary[0], primary[at + 1], kept, margin=margin, strata=pairing.strata)
        for at in pairing.distinct
    }
    broken = broken_categories(found, alpha=pairing.alpha, further=pairing.stopped)
    return {run.name: broken.get(str(pairing.alike[at] - 1), []) for at, run in enumerate(rankings)}


def _candidate(
    pairing: Pairing,
    sides: Sequence[JudgedRun],
    at: int,
    *,
    keep: Ints,
    rule: "_Rule",
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
    primary, name = figures[str(pairing.metrics[0])], candidate.rankings.name
    return Candidate(
        run=name,
        metrics=figures,
        verdict=rule.verdict(pairing, primary, at, name, same_as=_same_as(pairing, sides, at)),
        agreement=_agreement(pairing, baseline.rankings, candidate.rankings),
        changes=pairing.changes(at),
    )


def _same_as(pairing: Pairing, sides: Sequence[JudgedRun], at: int) -> str:
    """Name the run before it that has the same rankings; the baseline by that word."""
    first = pairing.alike[at + 1]
    if first == at + 1:
        return ""
    return quote(sides[first].rankings.name) + ("" if first else ", the baseline")


def _shows_unjudged(sides: Sequence[JudgedRun], metric: Metric) -> bool:
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


@dataclass(frozen=True, slots=True)
class _Rule:
    """What decides beside the figures; the margin is a share of the baseline's score.

    ``gain`` is the best candidate's after winner's-curse correction; None where none is known.
    """

    noninferior: Sequence[bool]
    margin: float
    gain: float | None
    unjudged: str
    ship_if: str
    broken: Mapping[str, Sequence[BrokenLimit]]
    unchecked: Mapping[str, Sequence[str]]
    cheaper: Mapping[str, Sequence[str]]
    to_judge: Sequence[Sequence[ToJudge]]

    def verdict(
        self, pairing: Pairing, one: Comparison, at: int, name: str, *, same_as: str
    ) -> Verdict:
        """Apply the ship rule to a candidate."""
        margin = margin_of(one.baseline, self.margin)
        count, alpha = pairing.candidates, pairing.alpha
        gain = one.difference if self.gain is None else min(one.difference, self.gain)
        if self.unjudged == "zero":
            one = replace(one, holes=None, unbounded=False)
        return ship(
            comparison=one,
            alpha=alpha,
            margin=margin,
            gain=gain,
            more=more_queries(one, gain, candidates=count, alpha=alpha),
            for_margin=more_queries(one, margin, candidates=count, alpha=alpha),
            candidates=count,
            broken=self.broken.get(name, ()),
            unknown=self.unchecked.get(name, ()),
            ship_if=self.ship_if,
            cheaper=self.cheaper.get(name, ()),
            noninferior=self.noninferior[at],
            to_judge=self.to_judge[at],
            same_as=same_as,
        )


def _asked(
    sides: Sequence[JudgedRun], primary: Metric, keep: Ints, most: int, unknown: Collection[str]
) -> list[list[ToJudge]]:
    """List for each candidate the documents whose grades would move its difference most."""
    return [
        judge_next(sides[0], side, primary, queries=keep, most=most, unknown=unknown)
        for side in sides[1:]
    ]


def _to_judge(asked: Sequence[Sequence[ToJudge]], most: int) -> tuple[ToJudge, ...]:
    """Merge what each candidate's comparison would need."""
    found: dict[tuple[str, str], ToJudge] = {}
    for one in (one for several in asked for one in several):
        known = found.setdefault((one.query, one.document), one)
        if (one.influence or 0.0) > (known.influence or 0.0):
            found[one.query, one.document] = one
    ordered = sorted(found.values(), key=lambda one: -(one.influence or 0.0))
    return tuple(ordered[:most])
