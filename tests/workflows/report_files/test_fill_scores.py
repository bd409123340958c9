"""Scores that were not asked for come out of the kept rankings, or not at all."""

import pytest

from assay.records import Report, Run
from assay.workflows.report_files.fill_scores import fill_scores

QUERIES = {
    "q1": {"judged": {"a": 2, "b": 1, "z": 0}, "judgments": 3, "category": "x", "collection": "p"},
    "q2": {"judged": {"c": 1}, "judgments": 1, "category": "x", "collection": "q"},
    "q3": {"judged": {"d": 1}, "judgments": 1, "category": "y", "collection": "q"},
}
# q1 finds b first and a sixth, q2 finds c third, q3 failed.
RANKINGS = {"q1": ("b", "u", "v", "w", "x", "a"), "q2": ("u", "v", "c")}
RECALL_5 = {"q1": 0.5, "q2": 1.0, "q3": 0.0}


def report(queries=QUERIES, **options):
    run = Run(
        **{"name": "r", "fingerprint": "", "configuration": {}, "scores": {"recall@5": 0.5}}
        | {"per_query": {query: {"recall@5": score} for query, score in RECALL_5.items()}}
        | {"rankings": RANKINGS, "failed": {"q3": "timed out"}}
        | {"categories": {"x": {"recall@5": 0.75, "queries": 2}, "y": {"recall@5": 0.0}}}
        | options
    )
    about = {"name": "b", "metrics": ["recall@5"], "primary": "recall@5"}
    return Report(about, {}, {}, {}, (run,), queries=queries)


def test_scores_are_worked_out_by_hand():
    (run,) = fill_scores(report()).runs
    assert run.scores["mrr@10"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert run.scores["recall@10"] == pytest.approx(2 / 3)
    assert run.per_query["q1"]["recall@10"] == 1.0
    assert run.per_query["q3"]["mrr@10"] == 0.0
    assert run.categories["x"]["mrr@10"] == pytest.approx(2 / 3)
    assert run.categories["x"]["queries"] == 2
    assert run.scores["recall@5"] == 0.5  # what was measured stays


def test_each_collection_counts_the_same():
    parts = {"p": {"recall@5": 0.5, "queries": 1}, "q": {"recall@5": 0.5, "queries": 2}}
    (run,) = fill_scores(report(collections=parts)).runs
    assert run.collections["q"]["mrr@10"] == pytest.approx(1 / 6)
    assert run.scores["mrr@10"] == pytest.approx((1 + 1 / 6) / 2)


def test_a_judgment_that_the_report_does_not_hold_fills_nothing():
    missing = {**QUERIES, "q2": {"judged": {"c": 1}, "judgments": 2}}
    assert fill_scores(report(missing)).runs[0].scores == {"recall@5": 0.5}
    assert fill_scores(report({})).runs[0].scores == {"recall@5": 0.5}


def test_scores_that_come_out_differently_fill_nothing():
    other = {query: {"recall@5": 0.25} for query in RECALL_5}
    assert fill_scores(report(per_query=other)).runs[0].scores == {"recall@5": 0.5}


def test_a_failed_run_stays_empty():
    (run,) = fill_scores(report(scores={}, per_query={}, rankings={}, status="failed")).runs
    assert run.scores == {}
