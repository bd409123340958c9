import numpy as np
import pytest

from assay.benchmarks.comparisons.guardrails import (
    broken_categories,
    broken_errors,
    losses,
    parts_of,
)
from assay.records import Dataset, Query, Run

NAMES = [f"q{at}" for at in range(60)]
CATEGORIES = ["easy"] * 30 + ["hard"] * 30
DATASET = Dataset(
    "d", tuple(Query(n, n, category=c) for n, c in zip(NAMES, CATEGORIES, strict=True))
)
NOISE = np.random.default_rng(7).normal(0, 0.02, 60)


def tried(_name, scores):
    return np.asarray(scores, np.float64)


def broken(before, after, dataset=DATASET, *, strata=None, alpha=0.05, margin=0.02, further=0):
    parts = parts_of(dataset.queries, NAMES, strata)
    lost = losses(before, after, parts, margin=margin, strata=strata)
    return broken_categories({"new": lost}, alpha=alpha, further=further)["new"]


def test_a_gain_that_one_category_pays_for_is_broken(snapshot):
    base = tried("base", np.full(60, 0.5))
    better = np.r_[np.full(30, 0.9), np.full(30, 0.4)] + NOISE
    (said,) = broken(base, tried("new", better))
    lost = 0.1 - NOISE[30:].mean()
    assert f"{lost:.3f}" in said.what
    snapshot([said.what, said.keep])
    assert said.rule == "category"


def test_a_loss_within_twice_the_margin_is_none():
    base = tried("base", np.full(60, 0.5))
    assert broken(base, tried("new", np.full(60, 0.5) - 0.015 + NOISE / 10)) == []
    assert broken(base, tried("same", np.full(60, 0.5))) == []


def test_what_chance_could_do_is_not_broken():
    wide = np.random.default_rng(1).normal(0, 0.4, 60)
    wide -= wide.mean() + 0.03  # it loses more than the margin, and nobody can be sure of it
    assert broken(tried("base", np.full(60, 0.5)), tried("new", 0.5 + wide)) == []


def test_equal_losses_of_few_queries_show_nothing():
    few = Dataset(
        "d", tuple(Query(n, n, category="rare" if at < 3 else "") for at, n in enumerate(NAMES))
    )
    scores = np.full(60, 0.5)
    worse = scores.copy()
    worse[:3] = 0.0  # 1 / 2^3 is above .05
    assert broken(tried("base", scores), tried("new", worse), few) == []


def test_queries_without_a_category_are_no_category():
    plain = Dataset("d", tuple(Query(name, name) for name in NAMES))
    assert broken(tried("base", np.full(60, 0.5)), tried("new", NOISE), plain) == []


def run(name, *failed):
    return Run(name, name, {}, failed=dict.fromkeys(failed, "x"))


def test_more_failures_than_the_baseline_are_told_if_they_are_no_chance(snapshot):
    base, new = run("base", "q0"), run("new", "q0", *NAMES[1:6])
    (said,) = broken_errors(base, new)  # 5 that only the candidate fails: p = 2^-5
    snapshot([said.what, said.keep])
    assert said.rule == "errors"
    assert broken_errors(base, run("new", "q0", *NAMES[1:5])) == []  # 2^-4
    assert broken_errors(new, base) == []
    assert broken_errors(run("base", *NAMES[9:14]), run("new", *NAMES[:9])) == []  # 9 after 5


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_the_margin_is_a_share_of_the_baselines_score(margin):
    base, new = tried("base", np.full(60, 0.5)), tried("new", 0.4 + NOISE)
    # Half of .5 may be lost at a margin of .3: twice that is .3, and .1 is lost.
    assert bool(broken(base, new, margin=margin)) == (margin == 0)


@pytest.mark.parametrize("loss", [0.0, 0.02])
def test_a_loss_that_is_just_the_margin_is_none(loss):
    # All queries lose alike: no spread is left to ask how sure the loss is.
    base, new = tried("base", np.full(60, 0.5)), tried("new", np.full(60, 0.5 - loss))
    assert broken(base, new, margin=loss) == []
    assert len(broken(base, tried("new", np.full(60, 0.3)), margin=loss)) == 2


def test_alpha_decides():
    base = tried("base", np.full(60, 0.5))
    wide = np.r_[np.zeros(30), np.random.default_rng(3).normal(-0.06, 0.1, 30)]
    new = tried("new", 0.5 + wide)
    assert [bool(broken(base, new, alpha=alpha)) for alpha in (0.4, 1e-6)] == [True, False]


def test_collections_count_alike_within_a_category():
    # Of the hard queries 25 lose in the large collection, and 5 gain as much in the small one.
    strata = np.r_[np.zeros(55, np.int64), np.ones(5, np.int64)]
    change = np.r_[np.zeros(30), np.full(25, -0.2), np.full(5, 0.2)] + NOISE
    base, new = tried("base", np.full(60, 0.5)), tried("new", 0.5 + change)
    assert ["category hard" in one.what for one in broken(base, new)] == [True]
    assert broken(base, new, strata=strata) == []


def test_a_collection_counts_as_a_category():
    queries = [Query(n, n, collection="a" if at < 30 else "b") for at, n in enumerate(NAMES)]
    strata = np.repeat([0, 1], 30)
    change = np.r_[np.full(30, 0.3), np.full(30, -0.1)] + NOISE
    base = np.full(60, 0.5)
    (said,) = broken(base, base + change, Dataset("d", tuple(queries)), strata=strata)
    assert "collection b" in said.what
    assert " 0.1" in said.what
    both = [Query(n, n, category=c, collection=c) for n, c in zip(NAMES, CATEGORIES, strict=True)]
    parts = parts_of(both, NAMES, strata)
    assert [part.name for part in parts] == ["category easy", "category hard"]  # not twice


def test_losses_are_corrected_over_categories_and_candidates():
    base, rng = np.full(60, 0.5), np.random.default_rng(3)
    change = np.r_[np.zeros(30), rng.normal(-0.08, 0.09, 30)]
    parts = parts_of(DATASET.queries, NAMES)
    lost = losses(base, base + change, parts, margin=0.02)
    p = lost[1].p
    assert 0.05 / 60 < p < 0.05 / 4  # half of alpha, over two categories x candidates
    assert broken_categories({"new": lost})["new"]
    same = losses(base, base, parts, margin=0.02)
    many = {"new": lost} | {f"c{at}": same for at in range(14)}
    assert broken_categories(many)["new"] == []
    assert broken_categories({"new": lost}, further=14)["new"] == []


def test_two_queries_that_lose_the_same_show_nothing():
    pair = Dataset("d", (Query("q0", "", category="a"), Query("q1", "", category="a")))
    parts = parts_of(pair.queries, ["q0", "q1"])
    (lost,) = losses(np.array([0.9, 0.9]), np.array([0.4, 0.4]), parts, margin=0.02)
    assert lost.p == 0.25
    assert broken_categories({"new": [lost]}) == {"new": []}
