"""Reconciled: what to ship now, where the pick is not what the verdicts say to ship."""

from collections.abc import Mapping
from typing import Any

from assay.records import Candidate, Report, Run
from assay.reports.comparisons.decisions import heading
from assay.reports.runs.called import called

__all__ = ["is_for_now", "reconciled"]

COSTS = {"latency_p50_ms": "faster", "bytes_per_document": "smaller"}


def is_for_now(report: Report, pick: Mapping[str, Any]) -> bool:
    """Tell whether more evidence may change a pick: it is unsure, or no verdict bears it."""
    return pick.get("run") is not None and (
        pick.get("sure") is False or bool(reconciled(report, pick))
    )


def reconciled(report: Report, pick: Mapping[str, Any]) -> str:
    """Say how a pick and the verdicts go together; nothing where the pick itself is SHIP.

    The pick is the cheapest that cannot be told from the best, which asks for no evidence that it
    beats the baseline; a verdict does.
    """
    runs = {run.name: run for run in report.runs}
    run, compared = runs.get(str(pick.get("run"))), report.comparisons
    if run is None or compared is None:
        return ""
    own = next((one for one in compared.candidates if one.run == run.name), None)
    if own is not None and own.verdict.outcome == "ship":
        return ""
    ships = [
        runs[one.run]
        for one in compared.candidates
        if one.verdict.outcome == "ship" and one.run in runs and _keeps(runs[one.run])
    ]
    if not ships:
        return f"It {_unshown(report, own)}" if own else ""
    first = _first(ships, compared.primary)
    return f"{_shipped(report, first, ships)}; {_beside(report, run, first, own, pick)}"


def _keeps(run: Run) -> bool:
    """Tell whether it is known to keep its budgets."""
    return run.status == "completed" and all(
        one.get("state") == "kept" for one in run.budgets.values()
    )


def _first(ships: list[Run], primary: str) -> Run:
    """Take the fastest, if all were timed, else the highest score."""
    if all("p50" in run.latency_ms for run in ships):
        return min(ships, key=lambda run: float(run.latency_ms["p50"]))
    return max(ships, key=lambda run: run.scores.get(primary, 0.0))


def _shipped(report: Report, first: Run, ships: list[Run]) -> str:
    named, baseline = called(report, first.name), _baseline(report)
    if len(ships) == 1:
        return f"{named} alone is SHIP against {baseline}: ship it now"
    timed = all("p50" in run.latency_ms for run in ships)
    which = "the fastest" if timed else "the best"
    return f"{len(ships)} runs are SHIP against {baseline}: ship {named} now, {which} of them"


def _beside(
    report: Report, run: Run, first: Run, own: Candidate | None, pick: Mapping[str, Any]
) -> str:
    """Say what speaks for the pick all the same, and what is missing."""
    compared = report.comparisons
    best_set = compared.best_set if compared else ()
    like = called(report, first.name) if first.name in best_set else "the best"
    cheaper = _cheaper(run, first, str(pick.get("by")))
    told = f"{called(report, run.name)} {cheaper}cannot be told from {like}"
    if own is None:
        return f"{told} where all runs are compared with each other"
    return f"{told}, but {_unshown(report, own)}"


def _cheaper(run: Run, other: Run, by: str) -> str:
    ours, theirs = (_cost(one, by) for one in (run, other))
    known = ours is not None and theirs is not None and ours < theirs
    return f"is {COSTS[by]} and " if known else ""


def _cost(run: Run, by: str) -> float | None:
    if by not in COSTS:
        return None
    return run.latency_ms.get("p50") if by == "latency_p50_ms" else run.storage.get(by)


def _baseline(report: Report) -> str:
    return called(report, report.comparisons.baseline) if report.comparisons else ""


def _unshown(report: Report, own: Candidate) -> str:
    """Say that a gain is not shown, and what would show it: the number for the margin would not."""
    if worse := _worse(report, own):
        return f"scores {worse}, and is not shown to be as good: nothing speaks for a change yet"
    count = own.verdict.queries_to_show
    shout = heading(own.verdict.outcome, None)
    if count is not None:
        more = f"{count:,} more quer{'y' if count == 1 else 'ies'}"
        shout = f"{more} would show a gain as large as the one seen"
    return f"is not shown to beat {_baseline(report)} yet ({shout})"


def _worse(report: Report, own: Candidate) -> str:
    """Say by how much it is worse than the baseline, if it is."""
    primary = report.comparisons.primary if report.comparisons else ""
    found = own.metrics.get(primary)
    if found is None or not (
        found.difference < 0 if found.higher_is_better else found.difference > 0
    ):
        return ""
    which = "less" if found.higher_is_better else "more"
    return f"{abs(found.difference):.4f} {which} than {_baseline(report)}"
