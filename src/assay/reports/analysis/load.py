"""Load: how many queries per second each run serves, and what a million of them cost."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.records.times import incomparable
from assay.records.verdict import DONT_SHIP
from assay.reports.analysis._remote_runs import remote_runs
from assay.reports.analysis._table_of import Shown, table_of
from assay.reports.analysis._unfit_runs import left_out, unfit_runs, whole
from assay.reports.analysis.busy import busy
from assay.reports.runs.phrases.run_label import run_label
from assay.text.count_noun import count_noun

__all__ = ["load"]


def load(report: Report) -> Table | None:
    """Lay out service times, capacity and cost, and name the run that serves the most."""
    found = report.analysis.get("load") or {}
    runs = found.get("runs") or {}
    if not runs:
        return None
    priced = any(one.get("price_per_million") is not None for one in runs.values())
    price = ["price/million"] if priced else []
    titles = ["run", "mean ms", "p95 ms", "queries/s", "CPU h/million", *price]
    rows = [_row(run, one, priced=priced) for run, one in runs.items()]
    return table_of(titles, rows, _said(report, found))


def _row(run: str, one: Mapping[str, Any], *, priced: bool) -> list[Shown]:
    service = one["service_ms"]
    told = [(service["mean"], ",.2f"), (service["p95"], ",.2f"), (one["capacity_qps"], ",.0f")]
    told.append((one["cpu_hours_per_million"], ",.2f"))
    told += [(one.get("price_per_million"), ",.4f")] if priced else []
    return [(run, run), *((value, _shown(value, form)) for value, form in told)]


def _shown(value: float | None, form: str) -> str:
    if value is None:
        return "-"
    return f"{value:,.1f}" if form == ",.0f" and value < 100 else f"{value:{form}}"


def _said(report: Report, found: Mapping[str, Any]) -> str:
    known = {run: one for run, one in found["runs"].items() if one["capacity_qps"]}
    runs, left = {run: known[run] for run in whole(report, known)}, left_out(report, known)
    cores = count_noun(found["cores"], "core")
    if not runs or incomparable([run for run in report.runs if run.name in runs]):
        return " ".join(
            filter(
                None, [f"Simulated capacity of {cores}.", left, remote_runs(report), busy(report)]
            )
        )
    most = max(runs, key=lambda run: float(runs[run]["capacity_qps"]))
    least = min(runs, key=lambda run: float(runs[run]["capacity_qps"]))
    high, low = (_shown(runs[one]["capacity_qps"], ",.0f") for one in (most, least))
    span = f"{_named(report, most)} serves {high} queries per second on {cores}"
    span += f", {_named(report, least)} {low}" if least != most else ""
    timed = [one.get("cores_busy") is not None for one in runs.values()]
    rests = "" if all(timed) else "; wall-clock time where CPU time was not measured"
    said = f"{span}, before p95 exceeds 5 times that of a single query (simulated{rests})."
    return " ".join(filter(None, [said, left, remote_runs(report), busy(report)]))


def _named(report: Report, run: str) -> str:
    return run_label(report, run) + f" ({DONT_SHIP})" * bool(unfit_runs(report, [run]))
