"""Budgets of whole benchmarks: maxima of costs, minima of rates and scores."""

import json

import pytest

import assay
from assay.records.busy import was_built_busy
from assay.reports.runs.json.json import json as report_json
from assay.reports.runs.json.read import load_report

FOUND = 12  # queries that find their document; the others find nothing
WORDS = (
    *("apple", "bridge", "candle", "desert", "engine", "forest", "garden", "harbour", "island"),
    *("jacket", "kettle", "ladder", "meadow", "needle", "orange", "pencil", "quarry", "river"),
    *("saddle", "timber"),
)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "docs").mkdir()
    for at, word in enumerate(WORDS):
        (tmp_path / "docs" / f"d{at}.md").write_text(f"page about {word}\n")
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": word if at < FOUND else word[::-1],
            "relevant_docs": [{"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 3}],
        }
        for at, word in enumerate(WORDS)
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    return tmp_path


def asked(place, queries="queries.json", **budgets):
    return {
        "dataset": str(place / queries),
        "corpus": str(place / "docs"),
        "metrics": ["ndcg@10", "mrr", "recall@5", "rbp_residual"],
        "budgets": {name.replace("_at_", "@"): limit for name, limit in budgets.items()},
        "baseline": "words",
        "configurations": [
            {"name": "words", "search": "lexical"},
            {"name": "chunks", "search": "lexical", "lexical_unit": "chunk"},
        ],
    }


def test_minima_are_kept_broken_or_open(place):
    limits = {"ndcg_at_10": 0.7, "mrr": 0.9, "recall_at_5": 0.6, "rbp_residual": 0.01}
    limits |= {"files_per_second": 0.001, "tokens_per_second": 1e12, "errors": 0}
    report = assay.run(asked(place, **limits), asks=1, fresh=True)
    words, chunks = report.runs
    for run in (words, chunks):
        assert run.scores["mrr"] == pytest.approx(0.6)
        # Wilson's interval of 12 in 20
        assert run.intervals["mrr"].high == pytest.approx(0.7812, abs=1e-4)
        told = {name: (one["state"], one["direction"]) for name, one in run.budgets.items()}
        timed = ("unknown", "unknown") if _is_busy(run) else ("kept", "broken")
        assert told == {
            "ndcg@10": ("unknown", "min"),  # .7 is in the interval
            "mrr": ("broken", "min"),
            "recall@5": ("kept", "min"),
            "rbp_residual(p=0.8)": ("broken", "max"),  # lower is better
            "files_per_second": (timed[0], "min"),
            "tokens_per_second": (timed[1], "min"),
            "errors": ("kept", "max"),
        }
        assert run.budgets["ndcg@10"]["value"] == run.scores["ndcg@10"]
        assert "mrr 0.600 is below the minimum of 0.9" in run.notes
        unsure = "ndcg@10 0.600 is below the minimum of 0.7, but its confidence interval includes "
        assert f"{unsure}the minimum" in run.notes


def test_a_run_below_a_minimum_is_not_shipped(place):
    report = assay.run(asked(place, mrr=0.9), asks=1, fresh=True)
    verdict = report.comparisons.candidates[0].verdict
    assert (verdict.outcome, verdict.rule) == ("dont_ship", "budget")
    assert verdict.reason.startswith("mrr 0.600 is below the minimum of 0.9; ")
    assert verdict.change.startswith("With mrr at least 0.9 it would ")
    assert report.recommendations["pick"]["run"] is None
    assert "below a minimum" in report.recommendations["pick"]["reason"]
    assert report_json(report)["runs"][0]["budgets"]["mrr"]["direction"] == "min"
    again = load_report(json.dumps(report_json(report)).encode())
    assert again.runs[0].budgets == report.runs[0].budgets


@pytest.mark.parametrize("limit", [0.7, 0.6, 0.1])
def test_a_minimum_in_the_interval_or_below_it_refuses_nothing(place, limit):
    report = assay.run(asked(place, mrr=limit), asks=1, fresh=True)
    verdict = report.comparisons.candidates[0].verdict
    assert verdict.rule == "no_gain"
    within = report.recommendations["pick_within_budgets"]["run"]
    assert within == ("words" if limit <= 0.6 else None)


def _is_busy(run):
    return was_built_busy(run.latency_ms, run.indexing)
