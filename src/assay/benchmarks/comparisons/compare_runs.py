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

__all__ = ["beside", "compare_runs"]


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
    Runs with identical rankings are one candidate. Where queries have weights these decide, and
    ``unweighted`` of a candidate is the same comparison without them.
    """
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
    case = _Case(
        sides=sides,
        keep=keep,
        parts=parts,
        stopped=stopped,
        margin=margin,
        unjudged=unjudged,
        ship_if=ship_if,
        broken=broken or {},
        unchecked=unchecked or {},
        cheaper=cheaper or {},
        asked=_asked(sides, wanted[0], keep, judge_most, unknown, pairing),
    )
    found = replace(
        _compared(pairing, case),
        judge_next=_to_judge(case.asked, judge_most, pairing),
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
    if pairing.weights is None:
        return found
    plain = _compared(replace(pairing, weights=None), case)
    return replace(found, candidates=beside(found.candidates, plain.candidates))


def beside(weighted: Sequence[Candidate], plain: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Put the comparisons without weights beside those with them."""
    pairs = zip(weighted, plain, strict=True)
    return tuple(replace(one, unweighted=other) for one, other in pairs)


@dataclass(frozen=True, slots=True)
class _Case:
    """The runs, and all that decides about them beside the scores of queries."""

    sides: Sequence[JudgedRun]
    keep: Ints
    parts: Sequence[QueryGroup]
    stopped: Sequence[Mapping[str, float]]
    margin: float
    unjudged: str
    ship_if: str
    broken: Mapping[str, Sequence[BrokenLimit]]
    unchecked: Mapping[str, Sequence[str]]
    cheaper: Mapping[str, Sequence[str]]
    asked: Sequence[Sequence[ToJudge]]

    @property
    def rankings(self) -> list[Rankings]:
        """What each run returned, the baseline first."""
        return [side.rankings for side in self.sides]


def _compared(pairing: Pairing, case: _Case) -> Comparisons:
    """Compare all candidates with the baseline by the weights of a pairing, or without any."""
    rankings = case.rankings
    best = best_set(
        pairing.scores[:, 0].T,
        flips=pairing.flips,
        seed=pairing.seed,
        **pairing.counted,
        unseen=len(case.stopped),
    )
    chosen_of = pairing.distinct or [0]  # copies of the baseline alone: one of them stands for all
    gain = winners_curse(
        with_stopped(pairing, chosen_of, case.stopped),
        stopped=len(case.stopped),
        seed=pairing.seed,
        **pairing.counted,
    )
    lost = _lost(pairing, case)
    rule = _Rule(
        pairing.noninferior(margin_of(pairing.mean(pairing.scores[0, 0]), case.margin)),
        gain=gain.corrected,
        broken={
            run.name: [*lost.get(run.name, ()), *case.broken.get(run.name, ())]
            for run in rankings[1:]
        },
        case=case,
    )
    decide = partial(_candidate, pairing, rule=rule)
    return Comparisons(
        baseline=rankings[0].name,
        primary=str(pairing.metrics[0]),
        queries=len(pairing.queries),
        candidates=tuple(map(decide, range(len(rankings) - 1))),
        judge_next=(),
        best_set=tuple(run.name for run, kept in zip(rankings, best.members, strict=True) if kept),
        best=rankings[1 + chosen_of[gain.winner]].name,
        observed_gain=gain.observed,
        corrected_gain=gain.corrected,
        evaluations=(),
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


def _lost(pairing: Pairing, case: _Case) -> dict[str, list[BrokenLimit]]:
    """Name the parts that each distinct candidate loses; those with its rankings lose the same."""
    places = [(one.name, np.flatnonzero(np.isin(case.keep, one.rows))) for one in case.parts]
    kept = [QueryGroup(name, rows) for name, rows in places if len(rows)]
    primary = pairing.scores[:, 0]
    found = {
        str(at): losses(
            primary[0],
            primary[at + 1],
            kept,
            margin=case.margin,
            **pairing.counted,
        )
        for at in pairing.distinct
    }
    broken = broken_categories(found, alpha=pairing.alpha, further=pairing.stopped)
    names = [run.name for run in case.rankings]
    return {name: broken.get(str(pairing.alike[at] - 1), []) for at, name in enumerate(names)}


def _candidate(pairing: Pairing, at: int, *, rule: "_Rule") -> Candidate:
    """Compare one candidate on every metric, and decide on the first."""
    sides, keep = rule.case.sides, rule.case.keep
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
    gain: float | None
    broken: Mapping[str, Sequence[BrokenLimit]]
    case: _Case

    def verdict(
        self, pairing: Pairing, one: Comparison, at: int, name: str, *, same_as: str
    ) -> Verdict:
        """Apply the ship rule to a candidate."""
        case = self.case
        margin = margin_of(one.baseline, case.margin)
        count, alpha = pairing.candidates, pairing.alpha
        gain = one.difference if self.gain is None else min(one.difference, self.gain)
        if case.unjudged == "zero":
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
            unknown=case.unchecked.get(name, ()),
            ship_if=case.ship_if,
            cheaper=case.cheaper.get(name, ()),
            noninferior=self.noninferior[at],
            to_judge=case.asked[at],
            same_as=same_as,
        )


def _asked(
    sides: Sequence[JudgedRun],
    primary: Metric,
    keep: Ints,
    most: int,
    unknown: Collection[str],
    pairing: Pairing,
) -> list[list[ToJudge]]:
    """List for each candidate the documents whose grades would move its difference most."""
    weights = pairing.query_weights
    return [
        judge_next(
            sides[0], side, primary, queries=keep, most=most, unknown=unknown, weights=weights
        )
        for side in sides[1:]
    ]


def _to_judge(
    asked: Sequence[Sequence[ToJudge]], most: int, pairing: Pairing
) -> tuple[ToJudge, ...]:
    """Merge what each candidate's comparison would need."""
    found: dict[tuple[str, str], ToJudge] = {}
    for one in (one for several in asked for one in several):
        known = found.setdefault((one.query, one.document), one)
        if (one.influence or 0.0) > (known.influence or 0.0):
            found[one.query, one.document] = one
    weights = pairing.query_weights
    ordered = sorted(
        found.values(), key=lambda one: -(one.influence or 0.0) * weights.get(one.query, 1.0)
    )
    return tuple(ordered[:most])
