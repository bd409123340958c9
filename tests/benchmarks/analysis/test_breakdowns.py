"""Scores by the fields that a benchmark names."""

from dataclasses import replace

import pytest

from assay.benchmarks.analysis.breakdowns import breakdowns
from assay.benchmarks.analysis.harder import harder

RUNS = {
    "words": {"q1": 1.0, "q2": 0.5, "q3": 0.25},
    "meaning": {"q1": 0.5, "q2": 0.75, "q3": 0.0},
}
QUERIES = {
    "q1": {"breakdowns": {"language": ["de"], "product": ["pump", "valve"]}},
    "q2": {"breakdowns": {"language": ["de"]}},
    "q3": {"breakdowns": {"language": ["en"], "other": ["x"]}},
}


@pytest.fixture
def broken_down(scored_report):
    def make(*fields):
        made = scored_report(RUNS, QUERIES)
        return replace(made, benchmark={**made.benchmark, "breakdowns": [*fields]})

    return make


def test_by_hand(broken_down):
    found = breakdowns(broken_down("language", "product", "unknown"), seed=0)

    assert {*found} == {"language", "product"}
    assert found["language"] == [
        {
            "value": "en",
            "queries": 1,
            "mean": 0.125,
            "ci": None,  # of one query
            "best": "words",
            "scores": {"words": 0.25, "meaning": 0.0},
        },
        {
            "value": "de",
            "queries": 2,
            "mean": 0.6875,
            "ci": [0.625, 0.75],
            "best": "words",
            "scores": {"words": 0.75, "meaning": 0.625},
        },
    ]
    assert [(one["value"], one["queries"]) for one in found["product"]] == [
        ("no value", 2),
        ("pump", 1),
        ("valve", 1),
    ]  # a query counts in each group of its values


def test_each_field_is_a_question_of_its_own(broken_down):
    assert "breakdowns.language" in harder(broken_down("language"), seed=0)
    assert not harder(broken_down("unknown"), seed=0)
    assert breakdowns(broken_down(), seed=0) == {}
