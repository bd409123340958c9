"""Equal costs are rarely called different, however few queries were timed."""

import numpy as np
import pytest

from assay.benchmarks.runs.measure import Measurements, latency
from assay.benchmarks.since.costs import changed_costs
from assay.records import Run
from assay.verdicts._named_run import by_latency
from assay.verdicts.cheaper import cheaper

pytestmark = pytest.mark.long

TRIALS = 1_000
ALPHA = 0.05


def timed(name, milliseconds):
    found = {str(at): ([], np.empty(0)) for at in range(len(milliseconds))}
    return Run(
        name,
        name,
        {},
        latency_ms=latency(Measurements(found, milliseconds, {}, timed=tuple(found))),
    )


@pytest.mark.parametrize("queries", [1, 5, 10, 20, 30, 100, 300])
def test_equal_latencies(queries, record):
    rng = np.random.default_rng(queries)
    pairs = [
        [timed(name, rng.lognormal(3, 1, queries)) for name in ("base", "other")]
        for _ in range(TRIALS)
    ]
    first = [min(pair, key=lambda run: run.latency_ms["p50"]) for pair in pairs]
    costs = [changed_costs(*pair, comparable=True).values() for pair in pairs]
    shares = {
        "cheaper": np.mean([bool(cheaper(*pair)) for pair in pairs]),
        "fastest": np.mean(
            [by_latency(run, pair)["told_apart"] for run, pair in zip(first, pairs, strict=True)]
        ),
        "since": np.mean([any(one.shown == "lower" for one in some) for some in costs]),
    }
    for name, share in shares.items():
        record(name, share)
        assert share <= ALPHA, name
