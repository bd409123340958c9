"""Two reports and more -> what changed since the first: differences that hold up, and verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.benchmarks.comparisons.compare_runs import beside
from assay.benchmarks.comparisons.guardrails import (
    GroupLoss,
    broken_categories,
    broken_errors,
    losses,
    parts_of,
)
from assay.benchmarks.comparisons.pairing import more_queries
from assay.benchmarks.since.costs import changed_costs, changed_environment, times_are_comparable
from assay.benchmarks.since.match import (
    ReportSide,
    RunPairs,
    SharedQueries,
    match_runs,
    refuse_units,
    shared_metrics,
    shared_queries,
    strata_of,
)
from assay.benchmarks.since.notes import is_scored, since_notes
from assay.benchmarks.since.pair import (
    Pair,
    Place,
    Rules,
    agreement,
    comparison,
    corrected,
    firsts,
    noninferior,
    paired,
    settings,
    with_flips,
)
from assay.benchmarks.since.unjudged import ends_of, to_judge
from assay.benchmarks.work.worker import untold
from assay.errors import InputError
from assay.records import (
    BrokenLimit,
    Candidate,
    Comparison,
    Query,
    Report,
    Run,
    ToJudge,
    Verdict,
)
from assay.records.report import query_weights
from assay.records.since import RunChange, Since
from assay.statistics.winners_curse import winners_curse
from assay.text.count_noun import count_noun
from assay.verdicts.alone import alone
from assay.verdicts.budgets import broken_budgets, unknown_budgets
from assay.verdicts.cheaper import cheaper
from assay.verdicts.margin import margin_of
from assay.verdicts.ship import ship

__all__ = ["ReportSide", "changes_since"]

CRITERIA = ("baseline", "primary", "alpha", "margin", "ship_if", "unjudged", "budgets")


@dataclass(frozen=True, slots=True)
class _ReportPair:
    """Two reports, their pairs of runs, and what is to be said about them."""

    before: ReportSide
    after: ReportSide
    matched: RunPairs
    shared: SharedQueries
    metrics: list[str]
    rules: Rules
    pairs: list[Pair]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Adjustment:
    """What holds of the pairs of one meeting when all pairs of all meetings are counted.

    ``gain`` is that of the best pair after winner's-curse correction; None where none is known.
    """

    p: Mapping[tuple[int, str], float]
    noninferior: Sequence[bool]
    lost: Sequence[Sequence[BrokenLimit]]
    count: int
    gain: float | None


def changes_since(
    first: ReportSide,
    later: Sequence[ReportSide],
    *,
    primary: str = "",
    alpha: float | None = None,
    margin: float | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> tuple[Since, ...]:
    """Compare the runs of each later report with those of the first, paired by query.

    Each p, and whether too much is lost, is corrected (Holm) for all the pairs that are compared,
    and for those that failed or that a race stopped; a pair that is known to answer the same is one
    run, and not counted. Queries count by the weights of the later report. What unjudged documents
    could change is known as far down as a report has documents, if each judgment is one document.
    """
    meetings = [
        _meet(first, one, primary=primary, alpha=alpha, margin=margin, flips=flips, seed=seed)
        for one in later
    ]
    found = _decided(meetings)
    if not any(pair.pairing.weights is not None for one in meetings for pair in one.pairs):
        return found
    plain = _decided([_without_weights(one) for one in meetings])
    return tuple(_beside(one, other) for one, other in zip(found, plain, strict=True))


def _without_weights(one: _ReportPair) -> _ReportPair:
    pairs = [replace(pair, pairing=replace(pair.pairing, weights=None)) for pair in one.pairs]
    return replace(one, pairs=pairs)


def _beside(one: Since, plain: Since) -> Since:
    """Put what changed without weights of queries beside what changed with them."""
    compared = beside(
        [each.candidate for each in one.changes], [each.candidate for each in plain.changes]
    )
    pairs = zip(one.changes, compared, strict=True)
    return replace(
        one, changes=tuple(replace(each, candidate=candidate) for each, candidate in pairs)
    )


def _decided(meetings: Sequence[_ReportPair]) -> tuple[Since, ...]:
    """Test all pairs of all meetings together, and decide."""
    first_of = firsts([one.pairs for one in meetings])
    further = sum(len(_unable(one)) for one in meetings)
    count = max(1, sum(place == first for place, first in first_of.items()) + further)
    meetings = [replace(one, pairs=[with_flips(p, count) for p in one.pairs]) for one in meetings]
    every = [one.pairs for one in meetings]
    p = corrected(every, first_of, stopped=further)
    margins = [one.rules.margin for one in meetings]
    shown = noninferior(every, first_of, margins, stopped=further)
    lost = _lost(meetings, first_of, further=further)
    gains = [_gain(one, at, first_of) for at, one in enumerate(meetings)]
    return tuple(
        _since(one, _Adjustment(p[at], shown[at], lost[at], count, gains[at]))
        for at, one in enumerate(meetings)
    )


def _gain(one: _ReportPair, number: int, first_of: Mapping[Place, Place | None]) -> float | None:
    """Correct the gain of the best distinct pair of two reports for having been chosen."""
    chosen = [pair for at, pair in enumerate(one.pairs) if first_of[number, at] == (number, at)]
    if not chosen:
        return None
    columns = np.column_stack([pair.pairing.differences[0, 0] for pair in chosen])
    pairing = chosen[0].pairing
    return winners_curse(columns, seed=pairing.seed, **pairing.counted).corrected


def _unable(meeting: _ReportPair) -> list[tuple[Run, Run]]:
    """Return the pairs that cannot be compared: what is compared is corrected for them, too."""
    return [pair for pair in meeting.matched.pairs if not _is_able(meeting, pair)]


def _is_able(meeting: _ReportPair, pair: tuple[Run, Run]) -> bool:
    return all(is_scored(run, meeting.metrics) for run in pair)


def _uncompared(meeting: _ReportPair) -> dict[str, Verdict]:
    """Decide on the runs that nothing could be compared with, by name."""
    return {new.name: _alone(meeting, old, new) for old, new in _unable(meeting)}


def _alone(meeting: _ReportPair, old: Run, new: Run) -> Verdict:
    """Say why: the earlier one failed, whatever the later one did; or that failed, or a race."""
    if old.status != "beaten" and not is_scored(old, meeting.metrics):
        return alone(baseline=old.name)
    if new.status != "beaten" and not is_scored(new, meeting.metrics):
        problem, hint = untold(new.error)
        return alone(error=problem, hint=hint)
    return alone(stopped=True)


def _meet(
    before: ReportSide,
    after: ReportSide,
    *,
    primary: str,
    alpha: float | None,
    margin: float | None,
    flips: int,
    seed: int,
) -> _ReportPair:
    refuse_units(before, after)
    matched = match_runs(before, after)
    metrics = shared_metrics(before.report, after.report, primary)
    able = [pair for pair in matched.pairs if all(is_scored(run, metrics) for run in pair)]
    shared = shared_queries(before.report, after.report, able)
    _refuse_nothing(before, after, matched, able, shared)
    rules = _rules(after.report, alpha=alpha, margin=margin, flips=flips, seed=seed)
    strata = strata_of(after.report, shared.queries)
    judged = _judged(after.report)
    scale = _scale(after.report, shared.queries)
    weights = query_weights(after.report, shared.queries)
    told: dict[str, Any] = {"judged": judged, "scale": scale, "weights": weights}
    pairs = [paired(*pair, metrics, shared.queries, strata, rules, **told) for pair in able]
    notes = since_notes(
        before,
        after,
        matched=matched,
        shared=shared,
        metrics=metrics,
        pairs=pairs,
        primary=primary,
    )
    return _ReportPair(before, after, matched, shared, metrics, rules, pairs, tuple(notes))


def _refuse_nothing(
    before: ReportSide,
    after: ReportSide,
    matched: RunPairs,
    able: Sequence[object],
    shared: SharedQueries,
) -> None:
    where = f"{before.name} and {after.name}"
    if not matched.pairs:
        hint = "specify a run of each: REPORT:RUN REPORT:RUN"
        raise InputError("the reports have no runs in common", where=where, hint=hint)
    if not able:
        hint = "choose runs that were scored in both reports"
        raise InputError("no run was scored in both reports", where=where, hint=hint)
    if not shared.queries:
        problem = "the reports have no queries in common"
        hint = "compare reports of the same dataset"
        if count := len(shared.rejudged):
            which = count_noun(count, "query has", "queries have")
            problem = f"no query can be compared: {which} different judgments or text"
            hint = "run the older benchmark again with the current judgments"
        elif shared.is_split:
            problem = "one report searches each collection alone, the other one corpus"
            hint = "run both benchmarks with the same corpus"
        raise InputError(problem, where=where, hint=hint)


def _rules(
    report: Report, *, alpha: float | None, margin: float | None, flips: int, seed: int
) -> Rules:
    told = report.benchmark
    return Rules(
        alpha=float(told.get("alpha") or 0.05) if alpha is None else alpha,
        margin=float(told.get("margin", 0.02)) if margin is None else margin,
        flips=flips,
        seed=seed,
    )


def _judged(report: Report) -> dict[str, Mapping[str, float]]:
    """Return the judged documents of each query, of which both reports say the same."""
    return {key: told["judged"] for key, told in report.queries.items() if "judged" in told}


def _scale(report: Report, queries: Sequence[str]) -> int:
    """Return the largest grade of a dataset of which each judgment is one document; else 0."""
    known = [report.queries.get(query, {}) for query in queries]
    whole = all("judged" in one and one.get("judgments") == len(one["judged"]) for one in known)
    scale = report.dataset.get("scale")
    return scale if whole and isinstance(scale, int) else 0


def _since(one: _ReportPair, told: _Adjustment) -> Since:
    changed = changed_environment(one.before.report, one.after.report)
    comparable = times_are_comparable(changed)
    changes = tuple(_change(one, at, told, comparable=comparable) for at in range(len(one.pairs)))
    return Since(
        before=one.before.name,
        after=one.after.name,
        primary=one.metrics[0],
        queries=len(one.shared.queries),
        changes=changes,
        new=one.matched.new,
        gone=one.matched.gone,
        only_before=one.shared.only_before,
        only_after=one.shared.only_after,
        rejudged=one.shared.rejudged,
        environment=changed,
        comparable=comparable,
        notes=one.notes,
        uncompared=_uncompared(one),
        judge_next=_judge_next(one, changes),
        decisions=_decisions(one),
        new_scores=_new_scores(one),
        criteria=_criteria(one),
        settings={
            "alpha": one.rules.alpha,
            "correction": "holm",
            "flips": one.rules.flips,
            "margin": one.rules.margin,
            "seed": one.rules.seed,
        },
    )


def _decisions(one: _ReportPair) -> dict[str, tuple[str, str]]:
    """Return the verdicts that the reports themselves give, where they differ."""
    old, new = one.before.report.verdicts, one.after.report.verdicts
    found = {
        now.name: (old[was.name].outcome, new[now.name].outcome)
        for was, now in one.matched.pairs
        if was.name in old and now.name in new
    }
    return {name: pair for name, pair in found.items() if pair[0] != pair[1]}


def _criteria(one: _ReportPair) -> dict[str, tuple[Any, Any]]:
    """Return what decides in both reports, and their picks, where they differ."""
    old, new = (_decided_by(each.report) for each in (one.before, one.after))
    return {name: (old[name], new[name]) for name in old if new.get(name, old[name]) != old[name]}


def _decided_by(report: Report) -> dict[str, Any]:
    pick = report.recommendations.get("pick") or {}
    told = {name: report.benchmark[name] for name in CRITERIA if name in report.benchmark}
    return told | ({"pick": pick["run"]} if pick.get("run") else {})


def _new_scores(one: _ReportPair) -> dict[str, float]:
    metric, runs = one.metrics[0], one.after.report.runs
    new = [run for run in runs if run.name in one.matched.new]
    return {run.name: run.scores[metric] for run in new if metric in run.scores}


def _change(one: _ReportPair, at: int, told: _Adjustment, *, comparable: bool) -> RunChange:
    pair = one.pairs[at]
    figures = {
        str(metric): comparison(
            pair, column, told.p[at, str(metric)], told.count, ends_of(pair, metric)
        )
        for column, metric in enumerate(pair.pairing.metrics)
    }
    known = _known_holes(one, pair)
    figures = {
        name: replace(found, holes=known[name], unbounded=False)
        if found.unbounded and known.get(name) is not None
        else found
        for name, found in figures.items()
    }
    candidate = Candidate(
        run=pair.after.name,
        metrics=figures,
        verdict=_verdict(one, at, figures[one.metrics[0]], told, comparable=comparable),
        agreement=agreement(pair),
        changes=pair.pairing.changes(0),
    )
    costs = changed_costs(pair.before, pair.after, comparable=comparable)
    return RunChange(pair.before, pair.after, candidate, settings(pair), costs)


def _known_holes(one: _ReportPair, pair: Pair) -> dict[str, tuple[float, float] | None]:
    """Return the bounds that a report has itself: of two of its runs, one of them the baseline."""
    report = one.after.report
    compared = report.comparisons
    if not report.id or one.before.report.id != report.id or compared is None:
        return {}
    if compared.baseline != pair.before.name:
        return {}
    found = [each for each in compared.candidates if each.run == pair.after.name]
    return {name: its.holes for each in found for name, its in each.metrics.items()}


def _verdict(
    one: _ReportPair, at: int, figures: Comparison, told: _Adjustment, *, comparable: bool
) -> Verdict:
    """Decide by the same rules as in a benchmark, of all that reports can tell."""
    pair, count, alpha = one.pairs[at], told.count, one.rules.alpha
    names = pair.before.name, pair.after.name
    margin = margin_of(figures.baseline, one.rules.margin)
    gain = figures.difference if told.gain is None else min(figures.difference, told.gain)
    if one.after.report.benchmark.get("unjudged") == "zero":
        figures = replace(figures, holes=None, unbounded=False)
    frugal = str(one.after.report.benchmark.get("ship_if") or "better")
    return ship(
        comparison=figures,
        alpha=alpha,
        margin=margin,
        gain=gain,
        more=more_queries(figures, gain, candidates=count, alpha=alpha),
        for_margin=more_queries(figures, margin, candidates=count, alpha=alpha),
        candidates=count,
        broken=[
            *broken_budgets(pair.after.budgets),
            *told.lost[at],
            *broken_errors(pair.before, pair.after, alpha=alpha),
        ],
        unknown=unknown_budgets(pair.after.budgets),
        ship_if=frugal if frugal == "noninferior" else "better",
        cheaper=cheaper(pair.before, pair.after, silent=() if comparable else names),
        noninferior=told.noninferior[at],
        to_judge=to_judge(pair, pair.pairing.metrics[0]),
    )


def _judge_next(one: _ReportPair, changes: Sequence[RunChange]) -> tuple[ToJudge, ...]:
    """List what to judge for the pairs whose verdict waits for it."""
    waiting = [
        pair
        for pair, change in zip(one.pairs, changes, strict=True)
        if change.candidate.verdict.rule == "judge"
    ]
    found = [some for pair in waiting for some in to_judge(pair, pair.pairing.metrics[0])]
    return tuple({(some.query, some.document): some for some in found}.values())


def _lost(
    meetings: Sequence[_ReportPair], first_of: Mapping[Place, Place | None], *, further: int
) -> list[list[list[BrokenLimit]]]:
    """Name the categories with a significant loss of each pair, Holm over all distinct pairs."""
    found: dict[str, list[GroupLoss]] = {
        f"{place}": _losses(meetings[place[0]], meetings[place[0]].pairs[place[1]])
        for place, first in first_of.items()
        if place == first
    }
    alpha = min((one.rules.alpha for one in meetings), default=0.05)
    broken = broken_categories(found, alpha=alpha, further=further)
    return [
        [broken.get(f"{first_of[number, at]}", []) for at in range(len(one.pairs))]
        for number, one in enumerate(meetings)
    ]


def _losses(one: _ReportPair, pair: Pair) -> list[GroupLoss]:
    """Test the categories and collections of a pair, where they are known."""
    known, pairing = one.after.report.queries, pair.pairing
    asked = [
        Query(key, "", category=_text(told, "category"), collection=_text(told, "collection"))
        for key, told in known.items()
    ]
    parts = parts_of(asked, pairing.queries, pairing.strata)
    scores = pairing.scores[0, 0], pairing.scores[1, 0]
    return losses(*scores, parts, margin=one.rules.margin, **pairing.counted)


def _text(known: Any, key: str) -> str:  # noqa: ANN401 - as a report has it
    return str((known or {}).get(key) or "")
