"""Pick: the one configuration to take, whether that is sure, and its runner-up."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.records import Run
from assay.records.costs import is_minimum
from assay.records.times import incomparable, timed_runs
from assay.records.verdict import DONT_SHIP
from assay.text.count_noun import count_noun
from assay.text.join_list import join_names
from assay.text.quote import quote
from assay.verdicts._named_run import by_score, highest, named_run
from assay.verdicts.cheaper import cheaper
from assay.verdicts.evidence import VerdictEvidence
from assay.verdicts.margin import SAME
from assay.verdicts.open_budget import open_budget

__all__ = ["no_pick", "pick"]

FEWEST = 10  # queries: fewer decide nothing


def pick(
    runs: Sequence[Run],
    *,
    primary: str,
    evidence: VerdictEvidence,
    silent: Collection[str] = (),
    among: Collection[str] | None = None,
) -> dict[str, Any] | None:
    """Pick by the rule of docs/verdicts.md; ``run`` is None where nothing can be picked.

    The leader is the eligible run with the highest score (equal scores: the baseline, then the
    first named). It is replaced only by a materially cheaper eligible run that is shown to be
    non-inferior to it. ``sure``: the verdict is SHIP, or it is the baseline and no eligible run
    scores higher; else ``meanwhile`` names what to ship until it is proven. The costs of ``silent``
    runs, which answered nothing, decide nothing. ``among`` limits what is eligible to these names.
    None where no run has a score.
    """
    known = [run for run in runs if primary in run.scores]
    if not known:
        return None
    if len(runs) == 1:
        return _only(known[0], primary, evidence)
    if evidence.queries < FEWEST:
        count = count_noun(evidence.queries, "query")
        return no_pick(f"only {count}; a pick needs at least {FEWEST}")
    open_ = known if among is None else [run for run in known if run.name in among]
    eligible = [run for run in _baseline_first(open_, evidence) if not _against(run, evidence)]
    if not eligible:
        return no_pick(f"no eligible run: {_named(known, evidence)}")
    leader, reason = _leader(eligible, primary, evidence)
    taken, why = _replaced(leader, eligible, primary, evidence, silent)
    told = _laid_out(taken, eligible, primary, evidence, why or reason)
    others = [run for run in open_ if run not in eligible]
    better = [run for run in others if _gap(run, leader, primary) > SAME]
    stuck = [run for run in known if _is_stuck(run, told, evidence)]
    named = [run for run in better if run not in stuck]
    said = [f"not eligible: {_named(named, evidence)}"] if named else []
    said += [_nothing_to_ship(run, evidence) for run in stuck]
    said += _not_known([taken, *(run for run in eligible if run.name == told["meanwhile"])])
    return told | {"reason": "; ".join([told["reason"], *said])}


def no_pick(reason: str) -> dict[str, Any]:
    """Lay out that nothing is picked, and why."""
    nothing = dict.fromkeys(("run", "by", "value", "meanwhile", "runner_up"))
    return nothing | {"sure": False, "reason": reason, "uncertainty": {}}


def _only(run: Run, primary: str, evidence: VerdictEvidence) -> dict[str, Any]:
    """Take the only run, even one that breaks a budget: then it is not sure."""
    against = _against(run, evidence)
    told = _laid_out(run, [run], primary, evidence, "only run")
    if against:
        told |= {"reason": f"only run, but it is {against}", "sure": False, "meanwhile": None}
    return told | {"reason": "; ".join([told["reason"], *_not_known([run])])}


def _baseline_first(runs: Sequence[Run], evidence: VerdictEvidence) -> list[Run]:
    """Put the baseline first: of equal runs it counts, then the first named."""
    return sorted(runs, key=lambda run: run.name != evidence.baseline)


def _leader(eligible: Sequence[Run], primary: str, evidence: VerdictEvidence) -> tuple[Run, str]:
    """Take the highest score; of equal ones the baseline, then the first named."""
    equal = highest(eligible, primary)
    leader = equal[0]
    of = "only eligible run" if len(eligible) == 1 else f"of {len(eligible)} eligible runs"
    if len(equal) == 1:
        return leader, of if len(eligible) == 1 else f"highest {primary} {of}"
    which = "is the baseline" if leader.name == evidence.baseline else "is listed first"
    others = count_noun(len(equal) - 1, "other ties", "others tie")
    return leader, f"highest {primary} {of}; {others}, and this one {which}"


def _replaced(
    leader: Run,
    eligible: Sequence[Run],
    primary: str,
    evidence: VerdictEvidence,
    silent: Collection[str],
) -> tuple[Run, str]:
    """Take a materially cheaper run instead if it is shown to be non-inferior, and say why."""
    told = {run.name: cheaper(leader, run, silent=silent) for run in eligible if run is not leader}
    tested = [name for name, costs in told.items() if costs and name not in silent]
    shown = set(evidence.noninferior(leader.name, tested)) if tested else set()
    found = [run for run in eligible if run.name in shown]
    if not found:
        return leader, ""
    taken = _cheapest(_distinct(found))
    costs = "; ".join(told[taken.name])
    than = f"materially cheaper than {quote(leader.name)}, which has the highest {primary}"
    return taken, f"{than} ({costs}), and non-inferior to it (margin {evidence.margin:.3f})"


def _distinct(found: Sequence[Run]) -> list[Run]:
    """Keep the first of runs with identical rankings, and any that is materially cheaper than it.

    Such runs are one run: otherwise the chance of two measured times would choose between them.
    """
    kept: list[Run] = []
    for run in found:
        same = [one for one in kept if run.rankings and one.rankings == run.rankings]
        if not same or cheaper(same[-1], run):
            kept.append(run)
    return kept


def _cheapest(found: Sequence[Run]) -> Run:
    """Take the lowest p95, then the fewest bytes, then the first named.

    Where times cannot be compared, or one is not known, they decide nothing.
    """
    timed = len(timed_runs(found)) == len(found) and not incomparable(found)

    def costs(run: Run) -> tuple[float, float]:
        p95 = float(run.latency_ms.get("p95", math.inf)) if timed else 0.0
        return p95, float(run.storage.get("index_bytes", math.inf))

    return min(found, key=costs)


def _laid_out(
    run: Run, eligible: Sequence[Run], primary: str, evidence: VerdictEvidence, reason: str
) -> dict[str, Any]:
    """Lay out the pick with its runner-up, and what to ship until it is proven."""
    others = [one for one in eligible if one is not run]
    sure = evidence.outcomes.get(run.name) == "ship" or (
        run.name == evidence.baseline and all(_gap(one, run, primary) <= SAME for one in others)
    )
    uncertainty = by_score(run, eligible, primary, evidence.alike)
    found = named_run(run, primary, run.scores[primary], reason, uncertainty)
    return found | {
        "sure": sure,
        "meanwhile": None if sure else _meanwhile(eligible, primary, evidence),
        "runner_up": _runner_up(run, others, primary, evidence),
    }


def _meanwhile(eligible: Sequence[Run], primary: str, evidence: VerdictEvidence) -> str | None:
    """Name the best run whose verdict is SHIP, else the baseline, if it is eligible."""
    ships = [run for run in eligible if evidence.outcomes.get(run.name) == "ship"]
    if ships:
        return highest(ships, primary)[0].name
    return next((run.name for run in eligible if run.name == evidence.baseline), None)


def _is_stuck(run: Run, told: Mapping[str, Any], evidence: VerdictEvidence) -> bool:
    """Tell whether this is the baseline, and nothing is proven that could be shipped."""
    return run.name == evidence.baseline and not told["sure"] and told["meanwhile"] is None


def _nothing_to_ship(baseline: Run, evidence: VerdictEvidence) -> str:
    why = _against(baseline, evidence)
    if not why:  # it may keep the budgets
        return "no run is both proven and known to keep the budgets"
    named = f"the baseline {quote(baseline.name)}"
    return f"nothing can ship within the budgets: {named} is {why}, and no other run is proven"


def _not_known(runs: Sequence[Run]) -> list[str]:
    """Say of which runs it is not known whether they keep the budgets, and why."""
    found = {
        run.name: [
            f"{name} {open_budget(one)}"
            for name, one in run.budgets.items()
            if one["state"] == "unknown"
        ]
        for run in runs
    }
    return [
        f"the budgets of {quote(name)} are not confirmed ({', '.join(why)})"
        for name, why in found.items()
        if why
    ]


def _runner_up(
    run: Run, others: Sequence[Run], primary: str, evidence: VerdictEvidence
) -> dict[str, Any] | None:
    """Describe the next eligible run by score; its difference is its score minus the pick's."""
    if not others:
        return None
    next_ = highest(others, primary)[0]
    interval = evidence.difference(run.name, next_.name)
    known = interval is not None and math.isfinite(interval.low + interval.high)
    return {
        "run": next_.name,
        "difference": _gap(next_, run, primary),
        "ci": [interval.low, interval.high] if interval and known else None,
        "latency_p95_ms": next_.latency_ms.get("p95"),
        "index_bytes": next_.storage.get("index_bytes"),
    }


def _gap(one: Run, other: Run, primary: str) -> float:
    return one.scores[primary] - other.scores[primary]


def _named(runs: Sequence[Run], evidence: VerdictEvidence) -> str:
    """Name runs with what makes them ineligible."""
    why: dict[str, list[str]] = {}
    for run in runs:
        why.setdefault(_against(run, evidence), []).append(run.name)
    return "; ".join(f"{join_names(names)} ({reason})" for reason, names in why.items())


def _against(run: Run, evidence: VerdictEvidence) -> str:
    """Say what makes a run ineligible; nothing where it is eligible."""
    broken = [one for one in run.budgets.values() if one.get("state") == "broken"]
    if broken:
        return "below a minimum" if all(map(is_minimum, broken)) else "over a budget"
    return DONT_SHIP if evidence.outcomes.get(run.name) == "dont_ship" else ""
