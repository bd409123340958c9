"""The margin is a share of the baseline's score, and .01 where that is 0."""

import pytest

from assay.benchmarks.comparisons.recommend import recommend_runs
from assay.records import Comparisons, Run
from assay.verdicts.margin import margin_of


@pytest.mark.parametrize(
    ("score", "share", "margin"),
    [(0.5, 0.02, 0.01), (0.5, 0.1, 0.05), (0.0, 0.02, 0.01), (0.0, 0.005, 0.01), (0.0, 0.1, 0.01)],
)
def test_the_margin_of_a_verdict(score, share, margin):
    assert margin_of(score, share) == pytest.approx(margin)


@pytest.mark.parametrize(("score", "margin"), [(0.0, 0.01), (0.4, 0.002)])
def test_the_pick_has_the_same_margin(score, margin):
    per_query = {f"q{at}": {"mrr": score} for at in range(60)}
    sizes = {"base": 100, "top": 1000, "small": 10}
    runs = [
        Run(
            name,
            name,
            {},
            scores={"mrr": score},
            per_query=per_query,
            storage={"index_bytes": size},
        )
        for name, size in sizes.items()
    ]
    told = Comparisons(
        "base", "mrr", 60, (), (), (), "base", 0.0, 0.0, (), settings={"margin": 0.005}
    )
    found = recommend_runs(runs, primary="mrr", baseline="base", comparisons=told)["pick"]
    assert found["run"] == "small"
    assert f"{margin:.3f}" in found["reason"]
