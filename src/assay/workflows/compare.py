"""Compare: a baseline, its candidates and judgments -> differences that hold up, and a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError, UsageError
from assay.metrics import parse, parse_all
from assay.metrics.between.overlap import overlap
from assay.metrics.between.rbo import rbo
from assay.rankings.judge import judge
from assay.rankings.load import load
from assay.records import (
    Bools,
    Candidate,
    Change,
    Comparison,
    Comparisons,
    Evaluation,
    Floats,
    Ints,
    Judgments,
    Metric,
    Rankings,
    ToJudge,
    Verdict,
)
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.best_set import best_set
from assay.statistics.bootstrap import bootstrap
from assay.statistics.effect import effect
from assay.statistics.holm import holm
from assay.statistics.max_t import max_t
from assay.statistics.queries_needed import queries_needed
from assay.statistics.randomisation import randomisation
from assay.statistics.smallest_detectable import smallest_detectable
from assay.statistics.t_interval import t_interval
from assay.statistics.t_test import t_test
from assay.statistics.wilcoxon import wilcoxon
from assay.statistics.winners_curse import winners_curse
from assay.verdicts.holes import holes
from assay.verdicts.judge_next import judge_next
from assay.verdicts.ship import ship
from assay.verdicts.side import Side
from assay.workflows.evaluate import evaluate

__all__ = ["compare"]

Correction = Literal["holm", "bh", "max_t", "none"]


def compare(
    baseline: object,
    candidates: object,
    *,
    qrels: object,
    metrics: Sequence[str] | str = (),
    primary: str | None = None,
    ties: Literal["docid", "order"] = "docid",
    missing: Literal["zero", "skip"] = "zero",
    correction: Correction = "holm",
    alpha: float = 0.05,
    margin: float = 0.02,
    flips: int = 10_000,
    seed: int = 0,
    judge_most: int = 20,
    collections: Mapping[str, str] | None = None,
    names: Sequence[str | None] = (),
) -> Comparisons:
    """Compare one candidate, or a list of them, with the baseline, paired by query.

    ``primary`` decides the verdict (default: the first metric named, else ndcg@10); ``margin`` is
    the share of the baseline's score that nobody would notice; ``collections`` names the collection
    of each query, whose means then count alike.
    """
    wanted, chosen = _metrics(metrics, primary)
    runs = [baseline, *(candidates if isinstance(candidates, list | tuple) else [candidates])]
    judgments = load_judgments(qrels)
    rankings = _load(runs, names, ties)
    evaluations = [evaluate(judgments, run, [str(metric) for metric in wanted]) for run in rankings]
    keep = _shared(judgments, rankings, missing)
    plan = _Plan(judgments, wanted, chosen, keep, _strata(judgments, collections, keep))
    sides = [Side(run, judge(judgments, run)) for run in rankings]
    deltas = plan.differences(evaluations)
    p = plan.p_values(deltas, flips=flips, seed=seed)
    corrected = plan.corrected(p, deltas, correction=correction, flips=flips, seed=seed)
    made = [
        {
            str(metric): plan.compare(evaluations, sides, metric, at, p, corrected, alpha, seed)
            for metric in wanted
        }
        for at in range(len(sides) - 1)
    ]
    results = tuple(
        Candidate(
            run=rankings[at + 1].name,
            metrics=figures,
            verdict=plan.verdict(figures[str(chosen)], len(made), alpha=alpha, margin=margin),
            agreement=_agreement(rankings[0], rankings[at + 1], chosen),
            changes=plan.changes(evaluations[0], evaluations[at + 1]),
        )
        for at, figures in enumerate(made)
    )
    scores = np.stack([e.per_query[str(chosen)][keep] for e in evaluations], axis=1)
    members = best_set(scores, flips=flips, seed=seed, strata=plan.strata).members
    gain = winners_curse(scores[:, 1:] - scores[:, :1], seed=seed, strata=plan.strata)
    return Comparisons(
        baseline=rankings[0].name,
        primary=str(chosen),
        queries=int(keep.sum()),
        candidates=results,
        judge_next=_to_judge(sides, chosen, judge_most),
        best_set=tuple(run.name for run, kept in zip(rankings, members, strict=True) if kept),
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
        },
    )


def _metrics(metrics: Sequence[str] | str, primary: str | None) -> tuple[list[Metric], Metric]:
    """Read the metrics; the primary one comes first."""
    named = [metrics] if isinstance(metrics, str) else list(metrics)
    wanted = parse_all(named)
    chosen = parse(primary) if primary else wanted[0] if any(named) else parse("ndcg@10")
    if not chosen.kind.higher_is_better:
        hint = "choose a metric of which more is better, e.g. ndcg@10"
        raise UsageError(f"{chosen} cannot decide a verdict: less of it is better", hint=hint)
    rest = [metric for metric in wanted if str(metric) != str(chosen)]
    return [chosen, *rest], chosen


def _load(runs: Sequence[object], names: Sequence[str | None], ties: str) -> list[Rankings]:
    """Read the runs; two of one name could not be told apart."""
    if len(runs) < 2:
        raise UsageError("nothing to compare with the baseline", hint="name at least one candidate")
    given = [*names, *[None] * len(runs)]
    loaded = [load(run, ties=ties, name=given[at]) for at, run in enumerate(runs)]
    seen: dict[str, int] = {}
    for at, run in enumerate(loaded):
        seen[run.name] = seen.get(run.name, 0) + 1
        if seen[run.name] > 1:
            loaded[at] = _renamed(run, f"{run.name} ({seen[run.name]})")
    return loaded


def _renamed(run: Rankings, name: str) -> Rankings:
    from dataclasses import replace

    return replace(run, name=name)


def _shared(judgments: Judgments, runs: Sequence[Rankings], missing: str) -> Bools:
    """Choose the queries that are compared: all judged ones, or those that every run answers."""
    keep = np.ones(len(judgments.queries), bool)
    if missing == "skip":
        for run in runs:
            answered = set(run.queries)
            keep &= np.array([query in answered for query in judgments.queries], bool)
    if not keep.any():
        hint = "drop 'skip' to score missing answers 0"
        raise InputError("no query is answered by every run", hint=hint)
    return keep


def _strata(
    judgments: Judgments, collections: Mapping[str, str] | None, keep: Bools
) -> Ints | None:
    if collections is None:
        return None
    lost = [query for query in judgments.queries if query not in collections]
    if lost:
        hint = "name the collection of every judged query"
        raise InputError(f'query "{lost[0]}" belongs to no collection', hint=hint)
    codes: dict[str, int] = {}
    of_query = [codes.setdefault(collections[q], len(codes)) for q in judgments.queries]
    return np.array(of_query, np.int64)[keep]


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What stays the same for every candidate and metric."""

    judgments: Judgments
    metrics: list[Metric]
    primary: Metric
    keep: Bools
    strata: Ints | None

    def differences(self, evaluations: Sequence[Evaluation]) -> Floats:
        """Return candidate minus baseline by query, metric and candidate."""
        columns = [
            [
                (e.per_query[str(m)] - evaluations[0].per_query[str(m)])[self.keep]
                for m in self.metrics
            ]
            for e in evaluations[1:]
        ]
        return np.array(columns).transpose(2, 1, 0)

    def p_values(self, deltas: Floats, *, flips: int, seed: int) -> Floats:
        """Test all metrics and candidates under the same sign flips."""
        flat = deltas.reshape(len(deltas), -1)
        p = randomisation(flat, flips=flips, seed=seed, strata=self.strata)
        return p.reshape(deltas.shape[1:])

    def corrected(
        self, p: Floats, deltas: Floats, *, correction: Correction, flips: int, seed: int
    ) -> Floats:
        """Correct for the number of candidates, metric by metric."""
        if correction == "max_t":
            columns = [
                max_t(deltas[:, at], flips=flips, seed=seed, strata=self.strata)
                for at in range(len(self.metrics))
            ]
            return np.array(columns)
        rules = {"holm": holm, "bh": benjamini_hochberg, "none": lambda row: row}
        return np.array([rules[correction](row) for row in p])

    def compare(
        self,
        evaluations: Sequence[Evaluation],
        sides: Sequence[Side],
        metric: Metric,
        at: int,
        p: Floats,
        corrected: Floats,
        alpha: float,
        seed: int,
    ) -> Comparison:
        """Put together one metric of one candidate."""
        name, row = str(metric), [str(m) for m in self.metrics].index(str(metric))
        before = evaluations[0].per_query[name][self.keep]
        after = evaluations[at + 1].per_query[name][self.keep]
        size = effect(after - before, strata=self.strata)
        return Comparison(
            metric=name,
            queries=len(before),
            baseline=self._mean(before),
            candidate=self._mean(after),
            baseline_interval=bootstrap(before, seed=seed, strata=self.strata),
            candidate_interval=bootstrap(after, seed=seed, strata=self.strata),
            difference=size.difference,
            interval=t_interval(after - before, strata=self.strata),
            p=float(p[row, at]),
            p_corrected=float(corrected[row, at]),
            standardised=size.standardised,
            wins=size.wins,
            ties=size.ties,
            losses=size.losses,
            smallest_detectable=smallest_detectable(
                sd=size.sd, queries=len(before), candidates=len(sides) - 1, alpha=alpha
            ),
            sd=size.sd,
            holes=self._holes(sides[0], sides[at + 1], metric),
            tests={
                "t": t_test(after - before, strata=self.strata),
                "wilcoxon": wilcoxon(after - before),
            },
        )

    def _mean(self, values: Floats) -> float:
        return effect(values, strata=self.strata).difference

    def _holes(self, baseline: Side, candidate: Side, metric: Metric) -> tuple[float, float] | None:
        ends = holes(baseline, candidate, metric)
        if ends is None:
            return None
        return self._mean(ends[0][self.keep]), self._mean(ends[1][self.keep])

    def verdict(self, one: Comparison, candidates: int, *, alpha: float, margin: float) -> Verdict:
        """Apply the ship rule; the margin is a share of the baseline's score."""
        absolute = margin * abs(one.baseline)
        more = None
        if absolute > 0 and np.isfinite(one.sd):
            needed = queries_needed(absolute, sd=one.sd, candidates=candidates, alpha=alpha)
            more = max(1, needed - one.queries)
        return ship(comparison=one, alpha=alpha, margin=absolute, queries_needed=more)

    def changes(self, baseline: Evaluation, candidate: Evaluation) -> tuple[Change, ...]:
        """List the queries whose primary score changed, largest change first."""
        before = baseline.per_query[str(self.primary)]
        after = candidate.per_query[str(self.primary)]
        moved = np.flatnonzero((after != before) & self.keep)
        order = moved[np.argsort(-np.abs(after[moved] - before[moved]), kind="stable")]
        return tuple(
            Change(
                baseline.queries[at],
                float(before[at]),
                float(after[at]),
                float(after[at] - before[at]),
            )
            for at in order.tolist()
        )


def _agreement(baseline: Rankings, candidate: Rankings, primary: Metric) -> dict[str, float]:
    k = primary.k or 10
    return {
        "rbo(p=0.9)": float(rbo(baseline, candidate).mean()),
        f"overlap@{k}": float(overlap(baseline, candidate, k).mean()),
    }


def _to_judge(sides: Sequence[Side], primary: Metric, most: int) -> tuple[ToJudge, ...]:
    """Merge what each candidate's comparison would need."""
    found: dict[tuple[str, str], float] = {}
    for side in sides[1:]:
        for query, document, influence in judge_next(sides[0], side, primary, most=most):
            known = found.get((query, document), 0.0)
            found[query, document] = max(known, influence)
    ordered = sorted(found.items(), key=lambda pair: -pair[1])[:most]
    return tuple(ToJudge(query, document, worth) for (query, document), worth in ordered)
