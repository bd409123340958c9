"""The prices of configurations -> what each costs per hour and per month under a load."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from assay.corpora.text.count_tokens import count_tokens
from assay.records import Report, Run
from assay.records.report import query_weights
from assay.records.traffic import weighted_mean

__all__ = ["MONTH_H", "add_prices", "costs_of"]

MONTH_H = 730  # hours of a month: a twelfth of a year
Price = Mapping[str, float]
ONE = "its capacity is not known: the price of one machine, whatever the load"
CORES = "the cores that it uses are not known, so a price per core-hour says nothing"


def costs_of(
    report: Report,
    told: Mapping[str, Mapping[str, Any]],
    loads: Sequence[float],
    price: float | None,
) -> dict[str, dict[str, Any]]:
    """Tell what each configuration with a price costs, by its name.

    ``told`` is what is known of runs under load. A configuration without a price has that of a
    core-hour, ``price``, if that is given. Configurations that differ in their prices alone are
    one run, and each has its own costs.
    """
    tokens = _tokens(report)
    return {
        name: _costs(run, given, told.get(run.name) or {}, loads, tokens)
        for name, run, given in _priced(report, told, price)
    }


def add_prices(told: Mapping[str, dict[str, Any]], costs: Mapping[str, Mapping[str, Any]]) -> None:
    """Write beside the times of each run what they cost."""
    for name in told.keys() & costs.keys():
        if costs[name]["price_per_million"] is not None:
            told[name]["price_per_million"] = costs[name]["price_per_million"]
        for load, cost in zip(told[name]["loads"], costs[name]["loads"], strict=False):
            load |= {key: cost[key] for key in ("price_per_hour", "price_per_month")}


def _priced(
    report: Report, told: Mapping[str, Mapping[str, Any]], price: float | None
) -> Iterator[tuple[str, Run, Price]]:
    given: Mapping[str, Price] = report.benchmark.get("prices") or {}
    for run in (run for run in report.runs if run.status == "completed"):
        ours = (told.get(run.name) or {}).get("cpu_hours_per_million") is not None
        own = given.get(run.name) or (
            {"per_core_hour": price} if price is not None and ours else {}
        )
        others = [(name, given[name]) for name in run.aliases if name in given]
        yield from ((run.name, run, own),) if own else ()
        yield from ((name, run, its) for name, its in others if its != own)


def _costs(
    run: Run, price: Price, told: Mapping[str, Any], loads: Sequence[float], tokens: float
) -> dict[str, Any]:
    capacity, needed = told.get("capacity_qps"), _cores(told)
    found: dict[str, Any] = {"run": run.name, "price": dict(price)}
    if "per_million_tokens" in price:
        indexed = run.indexing.get("tokens")
        once = None if indexed is None else indexed / 1e6 * price["per_million_tokens"]
        found |= {"index_once": once, "tokens_per_query": tokens}
    found["price_per_million"] = _price(price, _million(told, tokens))
    found["loads"] = [_at(qps, price, capacity, needed.get(qps), tokens) for qps in loads]
    notes = [ONE] if "per_hour" in price and not capacity else []
    notes += [CORES] if "per_core_hour" in price and not needed else []
    return found | ({"note": "; ".join(notes)} if notes else {})


def _cores(told: Mapping[str, Any]) -> dict[float, int | None]:
    return {load["qps"]: load["cores_needed"] for load in told.get("loads") or ()}


def _million(told: Mapping[str, Any], tokens: float) -> dict[str, float | None]:
    """Tell what a million queries take, on a machine that has as many as it can serve."""
    capacity = told.get("capacity_qps")
    return {
        "per_hour": 1e6 / (3600 * capacity) if capacity else None,
        "per_core_hour": told.get("cpu_hours_per_million"),
        "per_1000_queries": 1000.0,
        "per_million_tokens": tokens,
    }


def _at(
    qps: float, price: Price, capacity: float | None, cores: int | None, tokens: float
) -> dict[str, Any]:
    """Tell what an hour costs; machines share a load at random, each up to its capacity."""
    machines = math.ceil(qps / capacity) if capacity else 1
    queries = 3600 * qps
    amounts = {"per_hour": machines, "per_core_hour": cores, "per_1000_queries": queries / 1000}
    hour = _price(price, {**amounts, "per_million_tokens": queries * tokens / 1e6})
    return {
        "qps": qps,
        **({"machines": machines} if "per_hour" in price else {}),
        "price_per_hour": hour,
        "price_per_month": None if hour is None else hour * MONTH_H,
    }


def _price(price: Price, amounts: Mapping[str, float | None]) -> float | None:
    """Add up what is due; None where an amount is not known."""
    due = [(amounts[name], each) for name, each in price.items()]
    known = [amount * each for amount, each in due if amount is not None]
    return sum(known) if len(known) == len(due) else None


def _tokens(report: Report) -> float:
    """Count the tokens of a query, on average, as often as each is asked."""
    counts = [count_tokens(str(one.get("text", ""))) for one in report.queries.values()]
    weights = query_weights(report, tuple(report.queries))
    return weighted_mean(np.array(counts, np.float64), weights) if counts else 0.0
