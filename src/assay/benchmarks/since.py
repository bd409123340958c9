"""Two reports and more -> what changed since the first: differences that hold up, and verdicts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.benchmarks._more_queries import for_difference, for_gain
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
from assay.benchmarks._since_pair import (
    Pair,
    Rules,
    agreement,
    comparison,
    evaluation,
    paired,
    settings,
)
from assay.benchmarks.budgets import broken_budgets
from assay.benchmarks.guardrails import broken_guardrails
from assay.benchmarks.summing import Tried
from assay.errors import InputError
from assay.records import (
    Broken,
    Candidate,
    Comparison,
    Dataset,
    Ints,
    Query,
    Report,
    Run,
    Verdict,
)
from assay.records.since import RunChange, Since
from assay.statistics.holm import holm
from assay.verdicts.cheaper import cheaper
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

    Each p is corrected (Holm) for all the pairs that are compared. What unjudged documents could
    change is not known, since a report does not have them all.
    """
    meetings = [
        _meet(first, one, primary=primary, alpha=alpha, margin=margin, flips=flips, seed=seed)
        for one in later
    ]
    count = sum(len(one.pairs) for one in meetings)
    corrected = _corrected(meetings)
    return tuple(
        _since(one, next_p, count) for one, next_p in zip(meetings, corrected, strict=True)
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
    able = [pair for pair in matched.pairs if all(_is_scored(run, metrics) for run in pair)]
    shared = shared_queries(before.report, after.report, able)
    _refuse_nothing(before, after, matched, able, shared)
    rules = _rules(after.report, alpha=alpha, margin=margin, flips=flips, seed=seed)
    strata = _strata(after.report, shared.queries)
    pairs = [paired(old, new, metrics, shared.queries, strata, rules) for old, new in able]
    return _Meeting(before, after, matched, shared, metrics, rules, pairs)


def _is_scored(run: Run, metrics: Sequence[str]) -> bool:
    """Tell whether a run has a score of each query."""
    return bool(run.per_query) and all(set(metrics) <= set(row) for row in run.per_query.values())


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


def _strata(report: Report, queries: Sequence[str]) -> Ints | None:
    """Number the collection of each query, if all are known and there are several."""
    named = [str(report.queries.get(query, {}).get("collection", "")) for query in queries]
    codes: dict[str, int] = {}
    numbers = [codes.setdefault(name, len(codes)) for name in named]
    return np.array(numbers, np.int64) if len(codes) > 1 and all(named) else None


def _corrected(meetings: Sequence[_Meeting]) -> list[dict[tuple[int, str], float]]:
    """Correct the p of each metric over every pair that has it, of all reports."""
    p: dict[str, list[tuple[int, int, float]]] = {}
    for number, one in enumerate(meetings):
        for at, pair in enumerate(one.pairs):
            for column, name in enumerate(one.metrics):
                p.setdefault(name, []).append((number, at, float(pair.pairing.p[0, column])))
    found: list[dict[tuple[int, str], float]] = [{} for _ in meetings]
    for name, rows in p.items():
        values = holm(np.array([value for _, _, value in rows])).tolist()
        for (number, at, _), value in zip(rows, values, strict=True):
            found[number][at, name] = value
    return found


def _since(one: _Meeting, corrected: dict[tuple[int, str], float], count: int) -> Since:
    changed = changed_environment(one.before.report, one.after.report)
    comparable = times_are_comparable(changed)
    changes = tuple(
        _change(one, at, corrected, count=count, comparable=comparable)
        for at in range(len(one.pairs))
    )
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
        notes=tuple(_notes(one)),
        settings={
            "alpha": one.rules.alpha,
            "correction": "holm",
            "flips": one.rules.flips,
            "margin": one.rules.margin,
            "seed": one.rules.seed,
        },
    )


def _change(
    one: _Meeting,
    at: int,
    corrected: dict[tuple[int, str], float],
    *,
    count: int,
    comparable: bool,
) -> RunChange:
    pair = one.pairs[at]
    figures = {
        name: comparison(pair, column, corrected[at, name], count)
        for column, name in enumerate(one.metrics)
    }
    candidate = Candidate(
        run=pair.after.name,
        metrics=figures,
        verdict=_verdict(one, pair, figures[one.metrics[0]], count, comparable=comparable),
        agreement=agreement(pair),
        changes=pair.pairing.changes(0),
    )
    costs = changed_costs(pair.before, pair.after, comparable=comparable)
    return RunChange(pair.before, pair.after, candidate, settings(pair), costs)


def _verdict(
    one: _Meeting, pair: Pair, figures: Comparison, count: int, *, comparable: bool
) -> Verdict:
    """Decide by the same rules as in a benchmark, of all that reports can tell."""
    margin = one.rules.margin * abs(figures.baseline)
    alpha = one.rules.alpha
    frugal = str(one.after.report.benchmark.get("ship_if") or "better")
    return ship(
        comparison=figures,
        alpha=alpha,
        margin=margin,
        queries_needed=for_difference(figures, margin, candidates=count, alpha=alpha),
        to_show=for_gain(figures, candidates=count, alpha=alpha),
        candidates=count,
        broken=_broken(one, pair),
        ship_if=frugal if frugal == "noninferior" else "better",
        cheaper=cheaper(pair.before, pair.after) if comparable else (),
    )


def _broken(one: _Meeting, pair: Pair) -> list[Broken]:
    """Say which budgets and guardrails are shown to be broken; categories where they are known."""
    tried = [
        Tried(run, None, evaluation(run, one.metrics, pair.pairing.queries))
        for run in (pair.before, pair.after)
    ]
    known = one.after.report.queries
    asked = tuple(Query(key, "", category=_category(known.get(key))) for key in known)
    lost = broken_guardrails(
        tried[0],
        tried[1],
        dataset=Dataset("", asked),
        primary=one.metrics[0],
        margin=one.rules.margin,
        alpha=one.rules.alpha,
        strata=pair.pairing.strata,
    )
    return [*broken_budgets(pair.after.budgets), *lost]


def _category(known: Any) -> str:  # noqa: ANN401 - as a report has it
    return str((known or {}).get("category") or "")


def _notes(one: _Meeting) -> Iterator[str]:
    """Say what a reader must know before the figures."""
    old, new = one.before.report, one.after.report
    for part in ("dataset", "corpus"):
        prints = (getattr(old, part).get("fingerprint"), getattr(new, part).get("fingerprint"))
        if prints[0] != prints[1]:
            yield f"the {part} is not the same: a difference may come from that"
    for before, after in one.matched.pairs:
        if before.name != after.name and not (one.before.run or one.after.run):
            yield f"{after.name} was called {before.name}"
        for run, name in ((before, one.before.name), (after, one.after.name)):
            if not _is_scored(run, one.metrics):
                yield f"{run.name} was not scored in {name}: {run.error or run.status}"
        if before.fingerprint != after.fingerprint and before.configuration == after.configuration:
            yield f"{after.name}: the settings are the same, but what was built with them is not"
