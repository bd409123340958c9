"""What is said of a load where a system is asked as it is."""

from dataclasses import replace

import numpy as np
import pytest

from assay.benchmarks.analysis.load import load as simulated
from assay.records import Report, Run
from assay.reports.analysis.bearable_load import bearable_load
from assay.reports.analysis.load import load


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


def test_a_system_that_is_asked_has_neither_cores_nor_price(report, snapshot):
    table = load(report)
    assert table.rows[1][3:] == [None, None, None]
    assert [table.texts[1, at] for at in (3, 4, 5)] == ["-"] * 3
    snapshot(table.caption)
    assert table.caption.index('"words"') < table.caption.index('"remote"')


def test_a_load_is_not_borne_by_what_is_not_known(report, snapshot):
    told = bearable_load(report)
    assert ": 1 run of known capacity can serve this" in told
    assert told.index('"words"') < told.index('"remote"')
    alone = replace(report, runs=report.runs[1:])
    alone = replace(alone, analysis={"load": simulated(alone, seed=0, loads=[50.0])})
    assert told.endswith(bearable_load(alone))  # nothing else is said of it
    assert '"remote"' in bearable_load(alone)
    both = replace(alone, runs=(*alone.runs, replace(alone.runs[0], name="other")))
    both = replace(both, analysis={"load": simulated(both, seed=0)})
    snapshot([told, bearable_load(alone), load(both).caption])
    assert bearable_load(both) == ""  # no load was asked for
