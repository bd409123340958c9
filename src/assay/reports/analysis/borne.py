"""Borne: which run bears the load that was asked for at the least cost, and which is the best."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.analysis.busy import busy
from assay.reports.runs.called import called

__all__ = ["borne"]


def borne(report: Report) -> str:
    """Answer for each load that was asked for, and warn of times that are too long."""
    found = report.analysis.get("load") or {}
    runs = {run: one["loads"] for run, one in (found.get("runs") or {}).items() if one["loads"]}
    asked = found.get("asked") or []
    answers = [
        _said(report, found, {run: its[at] for run, its in runs.items()}, qps)
        for at, qps in enumerate(asked)
        if runs
    ]
    return " ".join(filter(None, [*answers, busy(report) if answers else ""]))


def _said(
    report: Report, found: Mapping[str, Any], at: Mapping[str, Mapping[str, Any]], qps: float
) -> str:
    """Name the cheapest of those that need no more cores than there are, then the best of them."""
    cores = f"{found['cores']:,} core{'s' * (found['cores'] != 1)}"
    load = f"{qps:,g} queries per second"
    bear = [run for run, one in at.items() if (one["cores_needed"] or 1e9) <= found["cores"]]
    if not bear:
        return f"No run bears {load} on {cores}.{_more(report, at)}"
    primary = str(report.benchmark["primary"])
    scores = {run.name: run.scores.get(primary, 0.0) for run in report.runs}
    cheap = min(bear, key=lambda run: (at[run]["cores_needed"], at[run]["cpu_cores"]))
    best = max(bear, key=lambda run: (scores[run], run == cheap))
    how = f"{_costs(at[cheap], scores[cheap], primary)}"
    others = "all" if len(bear) == len(at) else f"{len(bear)} of {len(at)}"
    told = f"{load} on {cores}: {others} runs bear it, cheapest {called(report, cheap)} ({how})"
    if best == cheap:
        return f"{told}, and scores best of these."
    scored = _costs(at[best], scores[best], primary)
    same = " and needs no more cores" * (at[best]["cores_needed"] == at[cheap]["cores_needed"])
    return f"{told}; {called(report, best)} scores best of these{same} ({scored})."


def _costs(one: Mapping[str, Any], score: float, primary: str) -> str:
    price = one.get("price_per_hour")
    cores = f"{one['cores_needed']:,} core{'s' * (one['cores_needed'] != 1)}"
    paid = "" if price is None else f", {price:,.3g} an hour"
    return f"{cores}{paid}, p95 {one['p95_ms']:,.3g} ms, {primary} {score:.3f}"


def _more(report: Report, at: Mapping[str, Mapping[str, Any]]) -> str:
    """Say what it would take."""
    known = {run: one["cores_needed"] for run, one in at.items() if one["cores_needed"]}
    if not known:
        return ""
    least = min(known, key=lambda run: int(known[run]))
    return f" The least would be {known[least]:,} cores, with {called(report, least)}."
