"""Simulate gates on unchanged and on worse quality: ``python -m tests.simulations.gates [TRIALS]``.

It prints the tables of docs/gates.md. Scores are drawn so that the bare rule (5 % lower fails) is
as often wrong as it was when it was measured first: in 31, 21, 6.7 and 0.5 % of the gates at 10,
30, 100 and 300 queries. The standard deviation of differences is then a third of the mean.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np

from assay.benchmarks.gates.gate import GateRules, run_gate
from assay.benchmarks.gates.presets import GateChecks
from assay.benchmarks.since.match import ReportSide
from assay.records import Report, Run
from assay.statistics.percentile_interval import percentile_interval
from assay.statistics.smallest_detectable import smallest_detectable
from assay.statistics.t_interval import t_interval

SIZES = (10, 30, 100, 300)
METRICS = ("ndcg@10", "mrr@10", "recall@5")
ALLOWED = 0.05
PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}  # of latencies
BARE = {10: 0.31, 30: 0.21, 100: 0.067, 300: 0.005}  # what the bare rule was measured to fail
MEAN, SD = 0.6, 0.2  # of scores, and of their differences


def report(scores) -> ReportSide:
    """Make a report of scores by run, metric and query."""
    queries = [f"q{at}" for at in range(scores.shape[2])]
    metrics = METRICS[: scores.shape[1]]
    runs = tuple(
        Run(
            f"run{at}",
            "",
            {},
            scores=dict(zip(metrics, one.mean(axis=1).tolist(), strict=True)),
            per_query={
                query: dict(zip(metrics, one[:, row].tolist(), strict=True))
                for row, query in enumerate(queries)
            },
        )
        for at, one in enumerate(scores)
    )
    about = {"name": "simulated", "metrics": [*metrics], "primary": metrics[0]}
    return ReportSide("simulated", Report(about, {}, {}, {}, runs))


def unchanged(rng, shape):
    """Draw two measurements of the same quality: each differs from a shared score by noise."""
    shared = rng.uniform(0.25, 0.95, shape)
    noise = rng.normal(0, SD / np.sqrt(2), (2, *shape))
    return shared + noise


def ranked(rng, shape):
    """Draw reciprocal ranks of two searches of the same quality, half of which they share."""
    ranks = np.array([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 10, 0])
    chances = np.array([0.45, 0.15, 0.1, 0.05, 0.05, 0.05, 0.15])
    first, second = rng.choice(ranks, (2, *shape), p=chances)
    return np.stack([first, np.where(rng.random(shape) < 0.5, first, second)])


DRAWS = {"scores": unchanged, "reciprocal ranks": ranked}
# Scores of single searches whose true mean is the limit that they must keep: value -> chance.
LIMITS = {
    "even scores, 0.6": {0.2: 0.1, 0.4: 0.2, 0.5: 0.15, 0.6: 0.1, 0.7: 0.15, 0.8: 0.2, 1.0: 0.1},
    "hits, 23%": {1.0: 0.234, 0.0: 0.766},
    "hits, 90%": {1.0: 0.9, 0.0: 0.1},
    "reciprocal ranks, 0.33": {1.0: 0.2, 0.5: 0.12, 1 / 3: 0.1, 0.2: 0.1, 0.1: 0.16, 0.0: 0.32},
    "recall, 0.31": {1.0: 0.12, 0.5: 0.2, 1 / 3: 0.15, 0.2: 0.2, 0.0: 0.33},
}


def checks(metrics: int) -> GateChecks:
    """Allow each metric to be 5 % worse."""
    return GateChecks.read(allow=[f"{name}:{ALLOWED:.0%}" for name in METRICS[:metrics]])


def outcome(before, after, asked, *, bare: bool = False) -> str:
    """Return the outcome of one gate."""
    return run_gate(report(before), report(after), asked, rules=GateRules(bare=bare)).outcome


def false_alarms(draw, queries, *, metrics=1, runs=1, trials=1_000) -> dict[str, float]:
    """Return how often a gate fails on unchanged quality: by the rule, and by the bare one."""
    rng, asked = np.random.default_rng([queries, metrics, runs]), checks(metrics)
    found = {"gate": 0, "bare": 0, "inconclusive": 0}
    for _ in range(trials):
        before, after = draw(rng, (runs, metrics, queries))
        told = outcome(before, after, asked)
        found["gate"] += told == "fail"
        found["inconclusive"] += told == "inconclusive"
        found["bare"] += outcome(before, after, asked, bare=True) == "fail"
    return {name: number / trials for name, number in found.items()}


def caught(queries, *, metrics=1, runs=1, trials=1_000) -> dict[str, float]:
    """Return how often a true drop is caught: twice the minimum detectable, and twice the allowed.

    The drop is in one metric of one run; the others are unchanged.
    """
    rng, asked = np.random.default_rng([queries, metrics, runs, 1]), checks(metrics)
    least = smallest_detectable(sd=SD, queries=queries)
    drop = max(2 * least, 2 * ALLOWED * MEAN)
    failed = 0
    for _ in range(trials):
        before, after = unchanged(rng, (runs, metrics, queries))
        after[0, 0] -= drop
        failed += outcome(before, after, asked) == "fail"
    return {"drop": drop, "caught": failed / trials}


def limit_alarms(kind, queries, *, trials=1_000) -> dict[str, float]:
    """Return how often a gate fails a search whose true mean is exactly its minimum."""
    values, chances = (np.array(list(some)) for some in zip(*LIMITS[kind].items(), strict=True))
    rng, mean = np.random.default_rng([queries, len(kind)]), float(values @ chances)
    asked = GateChecks.read(min={METRICS[0]: mean})
    found = {"gate": 0, "bare": 0}
    for _ in range(trials):
        now = report(rng.choice(values, (1, 1, queries), p=chances))
        for name in found:
            rules = GateRules(bare=name == "bare")
            found[name] += run_gate(None, now, asked, rules=rules).outcome == "fail"
    return {name: number / trials for name, number in found.items()}


def timed(rng, runs, queries) -> ReportSide:
    """Make a report of runs that are equally fast: their times are lognormal."""
    scores = np.full((runs, 1, queries), 0.5)
    told = report(scores)
    found = []
    for one in told.report.runs:
        times = rng.lognormal(2.0, 0.5, queries)
        ends = {name: percentile_interval(times, at) for name, at in PERCENTILES.items()}
        ends["mean"] = t_interval(times)
        figures = {name: float(np.percentile(times, 100 * at)) for name, at in PERCENTILES.items()}
        intervals = {
            name: [end if np.isfinite(end) else None for end in (of.low, of.high)]
            for name, of in ends.items()
        }
        latency = {**figures, "mean": float(times.mean()), "intervals": intervals, "busy": False}
        found.append(replace(one, latency_ms=latency))
    return replace(told, report=replace(told.report, runs=tuple(found)))


def slow_alarms(queries, *, runs, allowed, trials=300) -> float:
    """Return how often checks of the mean and three percentiles fail equally fast searches."""
    rng = np.random.default_rng([queries, runs, round(100 * allowed)])
    names = [f"latency_{name}_ms" for name in ("mean", *PERCENTILES)]
    asked = GateChecks.read(allow=[f"{name}:{allowed:.0%}" for name in names])
    outcomes = (
        run_gate(timed(rng, runs, queries), timed(rng, runs, queries), asked).outcome
        for _ in range(trials)
    )
    return sum(one == "fail" for one in outcomes) / trials


def tables(trials: int) -> Iterator[str]:
    """Write the tables, a row at a time; the rows are shared by the cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        shapes = [(1, 1), (3, 1), (3, 4)]
        cells = [(name, n, *shape, trials) for name in DRAWS for shape in shapes for n in SIZES]
        yield "| scores | queries | checks | runs | gate fails | inconclusive | `--bare` fails |"
        yield "|---|--:|--:|--:|--:|--:|--:|"
        yield from pool.map(_alarm_row, cells)
        drops = [
            (n, *shape, trials) for shape in shapes for n in SIZES if n > 10 or shape == (1, 1)
        ]
        yield "\n| queries | checks | runs | true drop | caught |"
        yield "|--:|--:|--:|--:|--:|"
        yield from pool.map(_caught_row, drops)
        yield "\n| scores, true mean | queries | `--min` at that mean fails | `--bare` fails |"
        yield "|---|--:|--:|--:|"
        yield from pool.map(_limit_row, [(name, n, trials) for name in LIMITS for n in SIZES])
        yield "\n| queries | runs | latency checks | 0% allowed | 5% allowed | 25% allowed |"
        yield "|--:|--:|--:|--:|--:|--:|"
        yield from pool.map(_slow_row, [(n, r, trials) for r in (1, 4, 12) for n in SIZES])


def _alarm_row(cell) -> str:
    name, queries, metrics, runs, trials = cell
    found = false_alarms(DRAWS[name], queries, metrics=metrics, runs=runs, trials=trials)
    figures = " | ".join(f"{found[key]:.3f}" for key in ("gate", "inconclusive", "bare"))
    return f"| {name} | {queries} | {metrics} | {runs} | {figures} |"


def _caught_row(cell) -> str:
    queries, metrics, runs, trials = cell
    found = caught(queries, metrics=metrics, runs=runs, trials=trials)
    return f"| {queries} | {metrics} | {runs} | {found['drop']:.3f} | {found['caught']:.3f} |"


def _limit_row(cell) -> str:
    kind, queries, trials = cell
    found = limit_alarms(kind, queries, trials=trials)
    return f"| {kind} | {queries} | {found['gate']:.3f} | {found['bare']:.3f} |"


def _slow_row(cell) -> str:
    queries, runs, trials = cell
    found = [
        slow_alarms(queries, runs=runs, allowed=one, trials=trials) for one in (0.0, 0.05, 0.25)
    ]
    return f"| {queries} | {runs} | {4 * runs} | {' | '.join(f'{one:.3f}' for one in found)} |"


if __name__ == "__main__":
    for line in tables(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000):
        print(line, flush=True)  # noqa: T201 - it is what this is for
