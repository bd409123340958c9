"""The run that is shown against the baseline, by one rule."""

from dataclasses import replace

import pytest

from assay.records import Report, Run
from assay.reports.rival import baseline_of, rival


def run(name, score, **options):
    told = {"q1": {"s": score}, "q2": {"s": 0.5}}
    return Run(name, "f", {}, scores={"s": score}, per_query=told, **options)


@pytest.fixture
def report():
    """Four runs: the baseline, one that is the same, the best, and another."""
    runs = (run("base", 0.5), run("same", 0.5), run("good", 0.9), run("fair", 0.7))
    return Report({"primary": "s", "baseline": "base"}, {}, {}, {}, runs)


def test_it_is_a_pick_and_that_of_the_budgets_first(report):
    picks = {"pick": {"run": "fair"}, "pick_within_budgets": {"run": "same"}}
    without = replace(report, recommendations=picks | {"pick_within_budgets": {"run": None}})
    assert rival(without) == "fair"
    within = picks | {"pick_within_budgets": {"run": "good"}}
    assert rival(replace(report, recommendations=within)) == "good"
    assert rival(replace(report, winner={"pick": "fair"})) == "fair"  # of an older report


def test_without_a_pick_it_is_the_best_of_the_others(report):
    assert rival(report) == "good"
    assert rival(replace(report, recommendations={"pick": {"run": "base"}})) == "good"
    assert rival(replace(report, recommendations={"pick": None}, winner={"pick": None})) == "good"


def test_a_run_that_scores_as_the_baseline_does_is_the_last(report):
    base, same, *_ = report.runs
    assert rival(replace(report, runs=(base, same, run("bad", 0.1)))) == "bad"
    assert rival(replace(report, runs=(base, same))) == "same"


def test_neither_a_beaten_run_nor_the_baseline_nor_one_without_queries(report):
    base, same, good, fair = report.runs
    runs = (base, replace(good, status="beaten"), replace(fair, per_query={}))
    assert rival(replace(report, runs=runs)) == ""
    assert rival(replace(report, runs=())) == ""
    assert rival(replace(report, runs=(base, same, replace(good, status="failed")))) == "same"


def test_the_baseline_is_that_of_the_comparison_or_of_the_file(report):
    assert baseline_of(report) == "base"
    assert baseline_of(replace(report, benchmark={})) == ""
