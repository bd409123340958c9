import numpy as np
import pytest

from assay.benchmarks.runs.repeats import sum_up_repeats
from assay.errors import UsageError


def test_by_hand():
    scores = {"mrr": np.array([[0.0, 0.2], [0.5, 0.7], [1.0, 1.0]])}
    told = sum_up_repeats(scores, {"index_seconds": [2.0, 4.0], "latency_p50_ms": [3.0, 3.0]})
    assert told["builds"] == told["scores"]["mrr"]["builds"] == 2
    assert told["scores"]["mrr"]["sd_query"] > told["scores"]["mrr"]["sd_build"] > 0
    seconds = told["figures"]["index_seconds"]
    assert (seconds["mean"], seconds["sd"]) == (3.0, pytest.approx(2**0.5))
    assert seconds["values"] == [2.0, 4.0]
    assert told["figures"]["latency_p50_ms"]["sd"] == 0.0


def test_one_build_varies_by_nothing_known():
    told = sum_up_repeats({"mrr": np.ones((3, 1))}, {"index_seconds": [2.0]})
    assert told["builds"] == 1
    assert told["scores"]["mrr"]["sd_build"] is told["figures"]["index_seconds"]["sd"] is None


def test_nothing_and_uneven_things():
    assert sum_up_repeats({}, {}) == {"builds": 0, "scores": {}, "figures": {}}
    with pytest.raises(UsageError, match="2 and 3"):
        sum_up_repeats({"mrr": np.ones((3, 2))}, {"index_seconds": [1.0, 2.0, 3.0]})
