"""Costs: what each configuration costs per month under the same loads, by its prices."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._table_of import Shown, table_of
from assay.reports.analysis._unfit_runs import whole
from assay.reports.runs.phrases.run_label import run_label
from assay.text.join_list import join_list

__all__ = ["costs"]

UNITS = {
    "per_hour": "per machine-hour",
    "per_core_hour": "per core-hour",
    "per_1000_queries": "per 1,000 queries",
    "per_million_tokens": "per million tokens",
}


def costs(report: Report) -> Table | None:
    """Lay out prices and the cost of a month, and name the cheapest at each load that was asked.

    Where all have one price of a core, the table of loads has it.
    """
    found = report.analysis.get("load") or {}
    each: Mapping[str, Mapping[str, Any]] = found.get("costs") or {}
    if not each or not report.benchmark.get("prices"):
        return None
    once = any(one.get("index_once") is not None for one in each.values())
    loads = [f"{one['qps']:,g}/s" for one in next(iter(each.values()))["loads"]]
    titles = ("configuration", "price", *(["index once"] if once else []), *loads)
    rows = [_row(name, one, once=once) for name, one in each.items()]
    return table_of(titles, rows, _said(report, found, each), names=(0, 1))


def _row(name: str, one: Mapping[str, Any], *, once: bool) -> list[Shown]:
    told = ", ".join(f"{value:,.6g} {UNITS[key]}" for key, value in one["price"].items())
    index = [(one.get("index_once"), _money(one.get("index_once")))] if once else []
    months = [(load["price_per_month"], _month(load)) for load in one["loads"]]
    return [(name, name), (told, told), *index, *months]


def _month(load: Mapping[str, Any]) -> str:
    """Write the price of a month, and of how many machines it is where there are several."""
    shown = _money(load["price_per_month"])
    return f"{shown} ({load['machines']:,} machines)" if load.get("machines", 1) > 1 else shown


def _money(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _said(report: Report, found: Mapping[str, Any], each: Mapping[str, Mapping[str, Any]]) -> str:
    said = "Cost per month (730 hours) by queries per second, in the currency of the prices."
    kept = {name: one for name, one in each.items() if whole(report, [one["run"]])}
    cheapest = [_cheapest(report, kept, at, qps) for at, qps in enumerate(found.get("asked") or [])]
    notes = dict.fromkeys(f"{name}: {one['note']}." for name, one in each.items() if "note" in one)
    return " ".join(filter(None, [said, *cheapest, *notes]))


def _cheapest(report: Report, each: Mapping[str, Mapping[str, Any]], at: int, qps: float) -> str:
    known = {name: one["loads"][at]["price_per_month"] for name, one in each.items()}
    priced = {name: float(price) for name, price in known.items() if price is not None}
    least = [name for name, price in priced.items() if price == min(priced.values())]
    if len(least) == len(priced):
        return ""
    named = join_list([_named(report, name, each[name]["run"]) for name in least])
    month = _money(priced[least[0]])
    unsure = any("note" in each[name] for name in least)
    enough = ", if one machine can serve this load" if unsure else ""
    return f"Cheapest at {qps:,g} queries per second: {named}, {month} per month{enough}."


def _named(report: Report, name: str, run: str) -> str:
    return run_label(report, name) if name == run else f'"{name}"'
