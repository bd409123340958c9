"""Reports with scores that a test gives, as a gate reads them."""

from dataclasses import replace

import numpy as np

from assay.benchmarks.since.match import ReportSide
from assay.records import Report, Run

ENVIRONMENT = {"cpu": "A", "python": "3.12", "git_commit": "c" * 40}


def run(name="ours", metric="ndcg@10", scores=(), **about):
    """Make a run with a score per query; its queries are q0, q1, ..."""
    columns = {metric: list(scores)} if not isinstance(scores, dict) else scores
    count = len(next(iter(columns.values())))
    rows = {f"q{at}": {m: float(v[at]) for m, v in columns.items()} for at in range(count)}
    means = {m: float(np.mean(v)) for m, v in columns.items()} if count else {}
    told = {"configuration": {}, "scores": means, "per_query": rows}
    return Run(name, f"print-{name}", **told | about)


def report(*runs, queries=None, **about):
    """Make a report of runs; each query has a text and a judgment."""
    metrics = list(dict.fromkeys(m for one in runs for m in one.scores)) or ["ndcg@10"]
    keys = dict.fromkeys(key for one in runs for key in one.per_query)
    facts = {key: {"text": f"text of {key}", "judged": {"d": 1}} for key in keys}
    for key, more in (queries or {}).items():
        facts[key] |= more
    benchmark = {"name": "docs", "metrics": metrics, "primary": metrics[0]}
    return Report(
        benchmark | about.pop("benchmark", {}),
        {"fingerprint": "d"},
        {"fingerprint": "c", "documents": 200} | about.pop("corpus", {}),
        ENVIRONMENT | about.pop("environment", {}),
        runs,
        queries=facts,
        **about,
    )


def side(found, name="now"):
    return ReportSide(name, found)


def timed(one, *, p95=10.0, ends=(8.0, 12.0), queries=None, **about):
    """Give a run latencies: of p95 the value and its interval, and of queries if given."""
    latency = {"mean": p95, "p50": p95, "p95": p95, "p99": p95, "samples": 100, "busy": False}
    latency["intervals"] = {key: list(ends) for key in ("mean", "p50", "p95", "p99")}
    latency |= {"queries": {f"q{at}": float(ms) for at, ms in enumerate(queries or ())}}
    return replace(one, latency_ms=latency | about)
