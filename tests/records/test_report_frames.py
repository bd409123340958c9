"""Report.frame(): runs, scores and queries as polars frames."""

import subprocess
import sys
from dataclasses import replace

import polars as pl
import pytest

from assay.errors import InputError
from assay.records import Comparison, Comparisons, Interval, Report, Run
from assay.records.comparisons import Candidate
from assay.records.verdict import Verdict

OWN = Interval(0.4, 0.6)


def run(name, score, settings, **options):
    return Run(
        name=name,
        fingerprint=name,
        configuration={"search": "hybrid", **settings},
        scores={"ndcg@10": score},
        intervals={"ndcg@10": Interval(score - 0.1, score + 0.1)},
        per_query={"q1": {"ndcg@10": score}, "q2": {"ndcg@10": 1}},
        latency_ms={"p50": 3, "queries": {"q1": 2.5}},
        storage={"index_bytes": 1000},
        **options,
    )


@pytest.fixture
def report():
    told = Comparison("ndcg@10", 2, 0.5, 0.75, OWN, OWN, 0.25, OWN, 0.1, 0.2, 1.0, 1, 1, 0, 0.3)
    candidate = Candidate("both", {"ndcg@10": told}, Verdict("ship", "better"), {}, ())
    runs = (
        run("words", 0.5, {"depth": 10, "mmr": {"lambda": 0.5}, "weights": [1, 2]}),
        run("both", 0.75, {"depth": 20, "weights": [1, 2.5], "errors": "x"}, failed={"q2": "why"}),
        Run(name="lost", fingerprint="l", configuration={}, status="failed"),
    )
    return Report(
        benchmark={"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10", "baseline": "words"},
        dataset={},
        corpus={},
        environment={},
        runs=runs,
        comparisons=Comparisons(
            "words", "ndcg@10", 2, (candidate,), (), ("both",), "both", 0.25, None, ()
        ),
        queries={"q1": {"text": "how?", "category": "easy", "leaked": True}},
    )


def test_a_row_per_run(report):
    frame = report.frame()
    assert frame["run"].to_list() == ["words", "both", "lost"]
    assert frame["status"].to_list() == ["completed", "completed", "failed"]
    assert frame["ndcg@10"].to_list() == [0.5, 0.75, None]
    assert frame["ndcg@10_low"].to_list() == [0.4, pytest.approx(0.65), None]
    assert frame["latency_p50_ms"].to_list() == [3.0, 3.0, None]
    assert frame["index_bytes"].to_list() == [1000, 1000, None]
    assert frame["difference"].to_list() == [None, 0.25, None]
    assert frame["verdict"].to_list() == [None, "ship", None]
    assert frame["errors"].to_list() == [0, 1, 0]


def test_settings_that_differ_are_columns_of_their_type(report):
    frame = report.frame()
    assert frame["depth"].to_list() == [10, 20, None]
    assert frame.schema["depth"] == pl.Int64
    assert frame["mmr.lambda"].to_list() == [0.5, None, None]
    assert frame["weights"].to_list() == ["1/2", "1/2.5", None]
    assert frame["errors (setting)"].to_list() == [None, "x", None]
    alike = replace(report, runs=report.runs[:2]).frame()
    assert "search" not in alike.columns


def test_mixed_settings_become_numbers_or_texts(report):
    runs = (run("a", 1.0, {"depth": 1, "k": "all"}), run("b", 1.0, {"depth": 2.5, "k": 3}))
    frame = replace(report, runs=runs, comparisons=None).frame()
    assert frame["depth"].to_list() == [1.0, 2.5]
    assert frame["k"].to_list() == ["all", "3"]


def test_a_row_per_query_and_run(report):
    frame = report.frame("queries")
    assert frame["query"].to_list() == ["q1", "q2"] * 2
    assert frame["text"].to_list() == ["how?", None] * 2
    assert frame["ndcg@10"].to_list() == [0.5, 1.0, 0.75, 1.0]
    assert frame["difference"].to_list() == [None, None, 0.25, 0.0]
    assert frame["latency_ms"].to_list() == [2.5, None] * 2
    assert frame["failed"].to_list() == [False, False, False, True]
    assert frame["leaked"].to_list() == [True, None] * 2


def test_a_row_per_score(report):
    assert report.frame("scores").rows() == [
        ("words", "ndcg@10", 0.5, 0.4, 0.6),
        ("both", "ndcg@10", 0.75, pytest.approx(0.65), pytest.approx(0.85)),
    ]


@pytest.mark.parametrize("of", ["runs", "scores", "queries"])
def test_an_empty_report_has_the_same_types(of, report):
    empty = replace(report, runs=(), comparisons=None)
    full, none = report.frame(of).schema, empty.frame(of).schema
    assert empty.frame(of).height == 0
    assert none.items() <= full.items()


def test_an_unknown_frame_is_refused(report):
    with pytest.raises(InputError, match="runs, scores, queries"):
        report.frame("times")
    with pytest.raises(InputError, match='"runs"'):
        report.frame("run")


def test_records_do_not_import_polars():
    code = "import sys, assay.records; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
