"""What is said of a load where a system is asked as it is."""

from dataclasses import replace

import numpy as np
import pytest

from assay.benchmarks.analysis.load import load as simulated
from assay.records import Report, Run
from assay.reports.analysis.bearable_load import bearable_load
from assay.reports.analysis.load import load

AWAY = (
    '"remote" is asked as it is: its wall clock stands for no core, so that capacity, cores and '
    "price are left out."
)


def run(name, configuration):
    times = {f"q{at}": float(one) for at, one in enumerate(np.linspace(1, 9, 20))}
    latency = {"queries": times, "p50": 5.0, "mean": 5.0, "cpu": {"mean": 5.0, "cores": 1.0}}
    scores = {"ndcg@10": 0.5}
    return Run(name, name, configuration, scores=scores, latency_ms=latency)


@pytest.fixture
def report():
    runs = (run("words", {"search": "lexical"}), run("remote", {"system": {"kind": "http"}}))
    about = {"primary": "ndcg@10", "metrics": ["ndcg@10"]}
    made = Report(about, {}, {}, {"cores": 4}, runs, None)
    told = simulated(made, seed=0, loads=[50.0], price=0.04)
    return replace(made, analysis={"load": told})


def test_a_system_that_is_asked_has_neither_cores_nor_price(report):
    table = load(report)
    assert table.rows[1][3:] == [None, None, None]
    assert [table.texts[1, at] for at in (3, 4, 5)] == ["-"] * 3
    assert table.caption.startswith('Simulated on 4 cores: "words" serves')
    assert AWAY in table.caption


def test_a_load_is_not_borne_by_what_is_not_known(report):
    told = bearable_load(report)
    assert told.startswith(
        '50 queries per second on 4 cores: 1 of 2 runs bear it, cheapest "words"'
    )
    assert told.endswith(AWAY)
    alone = replace(report, runs=report.runs[1:])
    alone = replace(alone, analysis={"load": simulated(alone, seed=0, loads=[50.0])})
    assert bearable_load(alone) == AWAY
    both = replace(alone, runs=(*alone.runs, replace(alone.runs[0], name="other")))
    both = replace(both, analysis={"load": simulated(both, seed=0)})
    assert load(both).caption.endswith(
        "are asked as they are: their wall clock stands for no core, so that capacity, cores and "
        "price are left out."
    )
    assert bearable_load(both) == ""  # no load was asked for
