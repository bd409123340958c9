"""Budgets: the most that a configuration may cost, and whether it is shown to cost more."""

from collections.abc import Mapping
from typing import Any

from assay.records import BrokenLimit
from assay.records.busy import is_busy, was_built_busy
from assay.records.times import has_given_queries
from assay.verdicts.open_budget import open_budget

__all__ = ["BUDGETS", "broken_budgets", "check_budgets", "exceeded_budgets", "unknown_budgets"]

BUSY = ": measured on a busy machine"
# Where the measured value stands: the part of a run, and its key there.
BUDGETS: dict[str, tuple[str, str]] = {
    "latency_mean_ms": ("latency_ms", "mean"),
    "latency_p50_ms": ("latency_ms", "p50"),
    "latency_p95_ms": ("latency_ms", "p95"),
    "latency_p99_ms": ("latency_ms", "p99"),
    "bytes_per_document": ("storage", "bytes_per_document"),
    "index_bytes": ("storage", "index_bytes"),
    "index_seconds": ("indexing", "seconds"),
    "peak_memory_mb": ("indexing", "peak_memory_mb"),
    "errors": ("failures", "errors"),
}


def check_budgets(
    budgets: Mapping[str, float], measured: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Tell for each budget what was measured, and whether it is shown to be broken.

    A latency breaks its budget only when the whole of its interval is above it: another few queries
    could else have kept it. One whose lower end is open (None) breaks nothing. What is measured
    once and has no interval (seconds of an index, bytes, memory, errors) decides as it is. Times of
    a busy machine neither break nor keep a budget. Seconds that leave out what was remembered can
    break one, but not keep it, and so can times without embedding (``partial``). ``state`` is then
    unknown.
    """
    checked = {}
    strained = _busy(measured.get("latency_ms", {}), measured.get("indexing", {}))
    for name, most in budgets.items():
        part, key = BUDGETS[name]
        figures = measured.get(part, {})
        value, interval = figures.get(key), figures.get("intervals", {}).get(key)
        least = interval[0] if interval else value
        busy = value is not None and strained.get(f"{part}.{key}", strained.get(part, False))
        broken = bool(least is not None and least > most and not busy)
        exceeded = bool(value is not None and value > most)
        partial = value is not None and _is_partial(figures)
        known = value is not None and figures.get(f"{key}_complete", True) and not busy
        kept = known and not exceeded and not partial
        state = "broken" if broken else "kept" if kept else "unknown"
        figured = {"budget": most, "value": value, "broken": broken, "exceeded": exceeded}
        checked[name] = figured | {"state": state, "busy": busy}
        checked[name] |= {"partial": True} if partial else {}
    return checked


def _is_partial(figures: Mapping[str, Any]) -> bool:
    """Tell whether embedding is missing in what was measured, since vectors were given."""
    return has_given_queries(figures) or "given_vectors" in figures


def _busy(latency_ms: Mapping[str, Any], indexing: Mapping[str, Any]) -> dict[str, bool]:
    """Tell which times are those of a busy machine; bytes and memory are no times."""
    seconds = was_built_busy(latency_ms, indexing)
    return {"latency_ms": is_busy(latency_ms), "indexing.seconds": seconds}


def broken_budgets(checked: Mapping[str, Mapping[str, Any]]) -> list[BrokenLimit]:
    """Say each broken budget in a few words."""
    return [
        BrokenLimit(_said(name, one), f"{name} at most {_figure(one['budget'])}")
        for name, one in checked.items()
        if one["broken"]
    ]


def unknown_budgets(checked: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Say which budgets could not be checked: not measured, or only on a busy machine."""
    return [
        f"{name} {open_budget(one)}"
        for name, one in checked.items()
        if one["state"] == "unknown" and (one.get("busy") or not one["exceeded"])
    ]


def exceeded_budgets(checked: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Say what is above its budget, where that may be chance, and what nobody knows."""
    unsure = ", but its confidence interval includes the budget"
    above = [
        _said(name, one) + (BUSY if one.get("busy") else "" if one["broken"] else unsure)
        for name, one in checked.items()
        if one["exceeded"]
    ]
    return [*above, *(_open(name, one) for name, one in checked.items() if _is_open(one))]


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
    return f"{name} {_figure(one['value'])} exceeds the budget of {_figure(one['budget'])}"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"
