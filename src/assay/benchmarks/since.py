"""Two reports and more -> what changed since the first: differences that hold up, and verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.benchmarks._more_queries import more_queries
from assay.benchmarks._since_correct import corrected, noninferior
from assay.benchmarks._since_costs import (
    changed_costs,
    changed_environment,
    times_are_comparable,
)
from assay.benchmarks._since_match import (
    Chosen,
    Matched,
    Shared,
    match_runs,
    shared_metrics,
    shared_queries,
)
from assay.benchmarks._since_notes import is_scored, since_notes
from assay.benchmarks._since_pair import (
    Pair,
    Rules,
    agreement,
    comparison,
    is_same,
    paired,
    settings,
)
from assay.benchmarks.budgets import broken_budgets, unknown_budgets
from assay.benchmarks.guardrails import (
    Loss,
    broken_categories,
    broken_errors,
    losses,
    parts_of,
)
from assay.errors import InputError
from assay.records import (
    Broken,
    Candidate,
    Comparison,
    Ints,
    Query,
    Report,
    Verdict,
)
from assay.records.since import RunChange, Since
from assay.verdicts.cheaper import cheaper
from assay.verdicts.margin import margin_of
from assay.verdicts.ship import ship

__all__ = ["Chosen", "changes_since"]


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Two reports, their pairs of runs, and what is to be said about them."""

    before: Chosen
    after: Chosen
    matched: Matched
    shared: Shared
    metrics: list[str]
    rules: Rules
    pairs: list[Pair]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """What holds of the pairs of one meeting when all pairs of all meetings are counted."""

    p: Mapping[tuple[int, str], float]
    noninferior: Sequence[bool]
    lost: Sequence[Sequence[Broken]]
    count: int


def changes_since(
    first: Chosen,
    later: Sequence[Chosen],
    *,
    primary: str = "",
    alpha: float | None = None,
    margin: float | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> tuple[Since, ...]:
    """Compare the runs of each later report with those of the first, paired by query.

    Each p, and whether too much is lost, is corrected (Holm) for all the pairs that are compared;
    a pair that is known to answer the same is one run, and not counted.
    What unjudged documents could change is not known, since a report does not have them all.
    """
    meetings = [
        _meet(first, one, primary=primary, alpha=alpha, margin=margin, flips=flips, seed=seed)
        for one in later
    ]
    every = [one.pairs for one in meetings]
    stopped = sum(map(_stopped, meetings))
    p = corrected(every, stopped=stopped)
    count = max(1, sum(not is_same(pair) for some in every for pair in some) + stopped)
    shown = noninferior(every, [one.rules.margin for one in meetings], stopped=stopped)
    lost = _lost(meetings, further=stopped)
    return tuple(
        _since(one, _Told(p[at], shown[at], lost[at], count)) for at, one in enumerate(meetings)
    )


def _stopped(meeting: _Meeting) -> int:
    """Count the pairs of which a race stopped one: what is compared is corrected for them, too."""
    sides = (meeting.before, meeting.after)
    beaten = [{one["run"] for one in side.report.race.get("beaten", ())} for side in sides]
    return sum(
        any(
            run.status == "beaten" or run.name in names
            for run, names in zip(pair, beaten, strict=True)
        )
        for pair in meeting.matched.pairs
    )


def _meet(
    before: Chosen,
    after: Chosen,
    *,
    primary: str,
    alpha: float | None,
    margin: float | None,
    flips: int,
    seed: int,
) -> _Meeting:
    matched = match_runs(before, after)
    metrics = shared_metrics(before.report, after.report, primary)
    able = [pair for pair in matched.pairs if all(is_scored(run, metrics) for run in pair)]
    shared = shared_queries(before.report, after.report, able)
    _refuse_nothing(before, after, matched, able, shared)
    rules = _rules(after.report, alpha=alpha, margin=margin, flips=flips, seed=seed)
    strata = _strata(after.report, shared.queries)
    judged = _judged(after.report)
    pairs = [
        paired(old, new, metrics, shared.queries, strata, rules, judged=judged) for old, new in able
    ]
    notes = since_notes(
        before,
        after,
        matched=matched,
        shared=shared,
        metrics=metrics,
        pairs=pairs,
        primary=primary,
    )
    return _Meeting(before, after, matched, shared, metrics, rules, pairs, tuple(notes))


def _refuse_nothing(
    before: Chosen,
    after: Chosen,
    matched: Matched,
    able: Sequence[object],
    shared: Shared,
) -> None:
    where = f"{before.name} and {after.name}"
    if not matched.pairs:
        hint = "name a run of each: REPORT:RUN REPORT:RUN"
        raise InputError("no run of one goes by a name of the other", where=where, hint=hint)
    if not able:
        hint = "compare runs that were measured"
        raise InputError("no run was scored in both", where=where, hint=hint)
    if not shared.queries:
        problem, hint = "have no query in common", "compare reports of the same dataset"
        if count := len(shared.rejudged):
            which = "query has" if count == 1 else "queries have"
            problem = f"judge no query alike: {count:,} {which} other judgments or another text"
            hint = "run the older benchmark again with the judgments of today"
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


def _strata(report: Report, queries: Sequence[str]) -> Ints | None:
    """Number the collection of each query, if all are known and there are several."""
    named = [str(report.queries.get(query, {}).get("collection", "")) for query in queries]
    codes: dict[str, int] = {}
    numbers = [codes.setdefault(name, len(codes)) for name in named]
    return np.array(numbers, np.int64) if len(codes) > 1 and all(named) else None


def _since(one: _Meeting, told: _Told) -> Since:
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
        settings={
            "alpha": one.rules.alpha,
            "correction": "holm",
            "flips": one.rules.flips,
            "margin": one.rules.margin,
            "seed": one.rules.seed,
        },
    )


def _change(one: _Meeting, at: int, told: _Told, *, comparable: bool) -> RunChange:
    pair = one.pairs[at]
    figures = {
        name: comparison(pair, column, told.p[at, name], told.count)
        for column, name in enumerate(one.metrics)
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


def _verdict(
    one: _Meeting, at: int, figures: Comparison, told: _Told, *, comparable: bool
) -> Verdict:
    """Decide by the same rules as in a benchmark, of all that reports can tell."""
    pair, count, alpha = one.pairs[at], told.count, one.rules.alpha
    margin, gain = margin_of(figures.baseline, one.rules.margin), figures.difference
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
        cheaper=cheaper(pair.before, pair.after) if comparable else (),
        noninferior=told.noninferior[at],
    )


def _lost(meetings: Sequence[_Meeting], *, further: int) -> list[list[list[Broken]]]:
    """Say which categories each pair is shown to lose, Holm over all pairs that differ."""
    found: dict[str, list[Loss]] = {}
    for number, one in enumerate(meetings):
        for at, pair in enumerate(one.pairs):
            if not is_same(pair):
                found[f"{number} {at}"] = _losses(one, pair)
    alpha = min((one.rules.alpha for one in meetings), default=0.05)
    broken = broken_categories(found, alpha=alpha, further=further)
    return [
        [broken.get(f"{number} {at}", []) for at in range(len(one.pairs))]
        for number, one in enumerate(meetings)
    ]


def _losses(one: _Meeting, pair: Pair) -> list[Loss]:
    """Test the categories and collections of a pair, where they are known."""
    known, pairing = one.after.report.queries, pair.pairing
    asked = [
        Query(key, "", category=_text(told, "category"), collection=_text(told, "collection"))
        for key, told in known.items()
    ]
    parts = parts_of(asked, pairing.queries, pairing.strata)
    scores = pairing.scores[0, 0], pairing.scores[1, 0]
    return losses(*scores, parts, margin=one.rules.margin, strata=pairing.strata)


def _text(known: Any, key: str) -> str:  # noqa: ANN401 - as a report has it
    return str((known or {}).get(key) or "")
