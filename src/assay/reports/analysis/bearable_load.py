"""Bearable load: the cheapest run that can serve the requested load, and the best of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report
from assay.records.verdict import DONT_SHIP
from assay.reports.analysis._remote_runs import remote_runs
from assay.reports.analysis._unfit_runs import left_out, unfit_runs, whole
from assay.reports.analysis.busy import busy
from assay.reports.runs.phrases.run_label import run_label
from assay.text.count_noun import count_noun

__all__ = ["bearable_load"]


def bearable_load(report: Report) -> str:
    """Answer for each requested load, and warn of latencies that are too long.

    Runs with failed queries are not named, nor are those with DON'T SHIP unless no other can
    serve it.
    """
    found = report.analysis.get("load") or {}
    every = {run: one["loads"] for run, one in (found.get("runs") or {}).items() if one["loads"]}
    asked = found.get("asked") or []
    if not asked or not every:
        return remote_runs(report) if asked else ""
    kept = whole(report, every)
    answers = [
        _said(report, found, {run: every[run][at] for run in kept}, qps)
        for at, qps in enumerate(asked)
    ]
    told = [*answers, left_out(report, every), remote_runs(report), busy(report)]
    return " ".join(filter(None, told))


def _said(
    report: Report, found: Mapping[str, Any], at: Mapping[str, Mapping[str, Any]], qps: float
) -> str:
    """Tell which need no more cores than there are."""
    cores = count_noun(found["cores"], "core")
    load = f"{qps:,g} queries per second"
    bear = [run for run, one in at.items() if (one["cores_needed"] or 1e9) <= found["cores"]]
    if not bear:
        return f"No run can serve {load} on {cores}.{_more(report, at)}"
    every = [run.name for run in report.runs if run.status != "beaten"]
    known = [run for run in every if (found["runs"].get(run) or {}).get("loads")]
    others = "all runs" if len(bear) == len(every) else f"{len(bear)} of {len(known)} runs"
    if len(known) < len(every):
        share = f"{len(bear)} of " if len(bear) < len(known) else ""
        others = f"{share}{count_noun(len(known), 'run')} of known capacity"
    bad = unfit_runs(report, bear)
    sound = [run for run in bear if run not in bad]
    least = f"the cheapest without {DONT_SHIP} is" if bad and sound else "the cheapest is"
    which = _which(report, at, sound or bear)
    told = f"{load} on {cores}: {others} can serve this; {least} {which}"
    each = "each of them" if bad[1:] else "it"
    return told if sound else f"{told} The verdict on {each} is {DONT_SHIP}."


def _which(report: Report, at: Mapping[str, Mapping[str, Any]], bear: Sequence[str]) -> str:
    """Name the cheapest, then the best."""
    primary = str(report.benchmark["primary"])
    scores = {run.name: run.scores.get(primary, 0.0) for run in report.runs}
    prices = [at[run].get("price_per_hour") for run in bear]
    paid = dict(zip(bear, prices, strict=True)) if None not in prices else dict.fromkeys(bear, 0)
    cheap = min(bear, key=lambda run: (paid[run], at[run]["cores_needed"], at[run]["cpu_cores"]))
    best = max(bear, key=lambda run: (scores[run], run == cheap))
    told = f"{run_label(report, cheap)} ({_costs(at[cheap], scores[cheap], primary)})"
    if best == cheap:
        return f"{told}, which also scores best." if bear[1:] else f"{told}."
    scored = _costs(at[best], scores[best], primary)
    same = " and needs no more cores" * (at[best]["cores_needed"] == at[cheap]["cores_needed"])
    return f"{told}; {run_label(report, best)} scores best{same} ({scored})."


def _costs(one: Mapping[str, Any], score: float, primary: str) -> str:
    price = one.get("price_per_hour")
    cores = count_noun(one["cores_needed"], "core")
    paid = "" if price is None else f", {price:,.3g} per hour"
    return f"{cores}{paid}, p95 {one['p95_ms']:,.3g} ms, {primary} {score:.3f}"


def _more(report: Report, at: Mapping[str, Mapping[str, Any]]) -> str:
    """Say what it would take."""
    known = {run: one["cores_needed"] for run, one in at.items() if one["cores_needed"]}
    if not known:
        return ""
    least = min(known, key=lambda run: int(known[run]))
    return f" {run_label(report, least)} needs the fewest: {count_noun(known[least], 'core')}."
