"""Load: how many queries per second each run serves, how long they wait, and what it costs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.benchmarks.analysis._costs import add_prices, costs_of
from assay.benchmarks.analysis._load_run import HOUR_MS, SLOWER, serving_of, simulate_load
from assay.errors import UsageError
from assay.records import Report, Run
from assay.records.busy import IDLE
from assay.searches.configuration.nested_settings import is_asked
from assay.statistics.percentile import percentile

__all__ = ["load"]

REQUESTS = 20_000  # that are simulated at most
FEWEST = 2_000
EACH = 100  # for each query that was measured: more would only draw the same times again
AT_ONCE = 16  # runs up to which that many are simulated
ROUND = (1, 2, 5)
SHOWN = 6  # loads, if none is given
LOADS = (1.0, 10.0, 100.0)  # for prices of systems alone, of which nothing is simulated
LOAD = "expected queries per second, e.g. 50"
PRICE = "expected the price of a core per hour, e.g. 0.04"
AWAY = "an external system: its latency includes the network and does not show the cores it uses"
ASSUMES = (
    "queries arrive at random (a Poisson process); each takes its measured latency and keeps as"
    " many cores busy as its CPU time shows (one core where CPU time was not measured)"
)


def load(
    report: Report,
    *,
    seed: int,
    loads: Sequence[float] | None = None,
    cores: int | None = None,
    price: float | None = None,
) -> dict[str, Any]:
    """Simulate every timed run under the same loads.

    ``loads`` are in queries per second (round ones, where none is given), ``cores`` those of the
    machine that measured, ``price`` is of a core for an hour, for configurations without a price of
    their own. Capacity is the load at which p95
    reaches five times the p95 of a single query. An external system works on cores that are not
    known, and one that ran several queries concurrently was under load already: for these nothing
    is simulated, and they have no cores.
    """
    runs = [run for run in report.runs if run.status == "completed" and _is_timed(run)]
    cores = cores if cores is not None else max(1, int(report.environment.get("cores") or 1))
    _refuse_odd(loads, cores, price)
    if not runs:
        return {}
    requests = _requests(runs)
    asked = [*loads] if loads is not None else _round_loads(_simulated(runs), cores)
    told = {run.name: _told(run, asked, cores, requests, seed) for run in runs}
    costs = costs_of(report, told, asked or LOADS, price)
    add_prices(told, costs)
    about: dict[str, Any] = {"cores": cores, "assumes": ASSUMES, "requests": requests}
    about |= {"capacity": f"p95 of {SLOWER:g} times that of a single query"}
    about |= {} if loads is None else {"asked": asked}
    about |= {} if price is None else {"price": price}
    return about | {"runs": told} | ({"costs": costs} if costs else {})


def _simulated(runs: Sequence[Run]) -> list[Run]:
    """Return those whose times are those of a query alone on cores of this machine."""
    alone = [run for run in runs if int(run.latency_ms.get("concurrency", 1)) == 1]
    return [run for run in alone if not is_asked(run.configuration.get("system"))]


def _requests(runs: Sequence[Run]) -> int:
    measured = max(len(run.latency_ms["queries"]) for run in runs)
    most = min(REQUESTS, EACH * measured) * AT_ONCE // max(AT_ONCE, len(runs))
    return max(FEWEST, most)


def _is_timed(run: Run) -> bool:
    times = [*(run.latency_ms.get("queries") or {}).values()]
    return bool(times) and min(times) >= 0 and sum(times) > 0


def _told(run: Run, loads: Sequence[float], cores: int, requests: int, seed: int) -> dict[str, Any]:
    times = np.array([*run.latency_ms["queries"].values()], np.float64)
    serving = serving_of(run, requests=requests, seed=seed)
    hours = serving.cpu * 1_000_000 / HOUR_MS
    service = {"mean": float(times.mean()), "p95": percentile(times, 0.95)}
    told: dict[str, Any] = {
        "service_ms": service,
        "cores_busy": (run.latency_ms.get("cpu") or {}).get("cores"),
    }
    if run not in _simulated([run]):
        several = int(run.latency_ms.get("concurrency", 1)) > 1
        told["capacity_qps"] = run.latency_ms.get("queries_per_second") if several else None
        queries = run.latency_ms.get("concurrency")
        note = f"measured with {queries} concurrent queries" if several else AWAY
        return told | {"cpu_hours_per_million": None, "loads": [], "note": note}
    told["capacity_qps"] = serving.capacity(cores)
    told["cpu_hours_per_million"] = hours
    told["loads"] = [
        simulate_load(run, qps=qps, cores=cores, requests=requests, seed=seed) for qps in loads
    ]
    if not run.configuration.get("system") and (told["cores_busy"] or 1.0) < IDLE:
        told["busy_machine"] = True
        told["note"] = (
            f"measured on a busy machine: a search got {told['cores_busy']:.0%} of a core, so its"
            " latencies are too high"
        )
    return told


def _round_loads(runs: Sequence[Run], cores: int) -> list[float]:
    """Choose loads between what the slowest run serves with ease and what the fastest cannot."""
    if not runs:
        return []
    most = [1000 * cores / serving_of(run).cpu for run in runs]
    low, high = 0.2 * min(most), max(most)
    tens = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = [step * 10.0**ten for ten in tens for step in ROUND]
    within = [step for step in steps if low <= step <= high] or [high]
    kept = np.linspace(0, len(within) - 1, min(SHOWN, len(within))).round().astype(int)
    return [within[at] for at in kept.tolist()]


def _refuse_odd(loads: Sequence[float] | None, cores: int, price: float | None) -> None:
    for qps in loads or ():
        if not (np.isfinite(qps) and qps > 0):
            raise UsageError(f"load: invalid value {qps}", hint=LOAD)
    if cores < 1:
        raise UsageError(f"cores: invalid value {cores}", hint="expected a whole number >= 1")
    if price is not None and not (np.isfinite(price) and price >= 0):
        raise UsageError(f"price: invalid value {price}", hint=PRICE)
