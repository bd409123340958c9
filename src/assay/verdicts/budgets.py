"""Budgets: the limits of a configuration, and whether it is shown to be beyond them."""

from collections.abc import Collection, Mapping
from typing import Any

from assay.records import BrokenLimit
from assay.records.busy import is_busy, was_built_busy
from assay.records.costs import COSTS, Cost, is_minimum
from assay.records.times import has_given_queries
from assay.text.figures import digits_apart
from assay.verdicts.margin import SAME
from assay.verdicts.open_budget import open_budget

__all__ = ["broken_budgets", "check_budgets", "exceeded_budgets", "unknown_budgets"]

BUSY = ": measured on a busy machine"


def check_budgets(
    budgets: Mapping[str, float],
    measured: Mapping[str, Mapping[str, Any]],
    *,
    lower_is_better: Collection[str] = (),
) -> dict[str, dict[str, Any]]:
    """Tell for each budget what was measured, and whether it is shown to be broken.

    A budget is a cost or a metric of ``scores``, and ``direction`` says what it is: a minimum where
    higher is better, else a maximum. ``exceeded`` says that the value is beyond it.

    A latency or a score breaks its budget only when the whole of its interval is beyond it: another
    few queries could else have kept it. One whose nearer end is open (None) breaks nothing. What is
    measured once and has no interval (an index's seconds and rates, bytes, memory, errors) decides
    as it is. Times of a busy machine neither break nor keep a budget. Seconds that leave out what
    was remembered can break one, but not keep it, and so can times without embedding (``partial``):
    a search or a build looks faster than it is. ``state`` is then unknown.
    """
    limited = {name: _limited(name, lower_is_better) for name in budgets}
    return {name: _check(limit, limited[name], measured) for name, limit in budgets.items()}


def _limited(name: str, lower_is_better: Collection[str]) -> Cost:
    """Describe what a budget is about; a score depends on no machine, as what is counted."""
    if name in COSTS:
        return COSTS[name]
    return Cost("scores", name, "exact", higher_is_better=name not in lower_is_better)


def _check(limit: float, cost: Cost, measured: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    figures = measured.get(cost.part, {})
    value, interval = figures.get(cost.key), figures.get("intervals", {}).get(cost.key)
    nearer = interval[1 if cost.higher_is_better else 0] if interval else value
    busy = value is not None and _is_busy(cost, measured)
    exceeded = _is_beyond(value, limit, cost)
    broken = _is_beyond(nearer, limit, cost) and not busy
    partial = value is not None and _is_partial(figures)
    known = value is not None and _is_complete(cost, figures) and not busy
    kept = known and not exceeded and not partial
    state = "broken" if broken else "kept" if kept else "unknown"
    figured = {"budget": limit, "value": value, "broken": broken, "exceeded": exceeded}
    direction = "min" if cost.higher_is_better else "max"
    figured |= {"state": state, "busy": busy, "direction": direction}
    return figured | ({"partial": True} if partial else {})


def _is_beyond(value: float | None, limit: float, cost: Cost) -> bool:
    """Tell whether a value is beyond its limit; not where rounding of a mean explains it."""
    if value is None:
        return False
    beyond = limit - value if cost.higher_is_better else value - limit
    return bool(beyond > (SAME if cost.part == "scores" else 0))


def _is_complete(cost: Cost, figures: Mapping[str, Any]) -> bool:
    """Tell whether the time of a build includes all that it did."""
    return cost.by != "build" or bool(figures.get("seconds_complete", True))


def _is_partial(figures: Mapping[str, Any]) -> bool:
    """Tell whether embedding is missing in what was measured, since vectors were given."""
    return has_given_queries(figures) or "given_vectors" in figures


def _is_busy(cost: Cost, measured: Mapping[str, Mapping[str, Any]]) -> bool:
    """Tell whether this is a time of a busy machine; bytes, memory and scores are no times."""
    latency_ms = measured.get("latency_ms", {})
    if cost.by == "latency":
        return is_busy(latency_ms)
    return cost.by == "build" and was_built_busy(latency_ms, measured.get("indexing", {}))


def broken_budgets(checked: Mapping[str, Mapping[str, Any]]) -> list[BrokenLimit]:
    """Say each broken budget in a few words."""
    return [
        BrokenLimit(_said(name, one), f"{name} {_bound(one)} {_limit(name, one['budget'])}")
        for name, one in checked.items()
        if one["broken"]
    ]


def _bound(one: Mapping[str, Any]) -> str:
    return "at least" if is_minimum(one) else "at most"


def unknown_budgets(checked: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Say which budgets could not be checked: not measured, or only on a busy machine."""
    return [
        f"{name} {open_budget(one)}"
        for name, one in checked.items()
        if one["state"] == "unknown" and (one.get("busy") or not one["exceeded"])
    ]


def exceeded_budgets(checked: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Say what is beyond its budget, where that may be chance, and what nobody knows."""
    beyond = [_said(name, one) + _doubt(one) for name, one in checked.items() if one["exceeded"]]
    return [*beyond, *(_open(name, one) for name, one in checked.items() if _is_open(one))]


def _doubt(one: Mapping[str, Any]) -> str:
    """Say why a figure beyond its budget may not break it; nothing where it does."""
    if one.get("busy"):
        return BUSY
    limit = "minimum" if is_minimum(one) else "budget"
    return "" if one["broken"] else f", but its confidence interval includes the {limit}"


def _is_open(one: Mapping[str, Any]) -> bool:
    return one["state"] == "unknown" and not one["exceeded"]


def _open(name: str, one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return f"{name} was not measured, so its budget is not checked"
    if one.get("busy"):
        return f"the budget for {name} could not be checked{BUSY}"
    if one.get("partial"):
        return f"the budget for {name} could not be checked: vectors were given, not embedded"
    return f"the budget for {name} could not be checked: cached vectors were used (see --fresh)"


def _said(name: str, one: Mapping[str, Any]) -> str:
    beyond = "is below the minimum of" if is_minimum(one) else "exceeds the budget of"
    value, limit = one["value"], one["budget"]
    said, told = _value(name, value, limit), _limit(name, limit)
    return f"{name} {said} {beyond} {told}"


def _value(name: str, value: float, limit: float) -> str:
    """Write what was measured, with as many digits as it takes to differ from the limit."""
    if name in COSTS:
        said, told = _figure(value), _figure(limit)
    else:
        digits = digits_apart(value, limit)
        said, told = f"{value:.{digits}f}", f"{limit:.{digits}f}"
    return said if said != told else f"{value:,.10g}"


def _limit(name: str, limit: float) -> str:
    return _figure(limit) if name in COSTS else f"{limit:.6g}"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"
