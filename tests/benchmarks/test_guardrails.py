import numpy as np
import pytest

from assay.benchmarks.guardrails import broken_guardrails
from assay.benchmarks.summing import Tried
from assay.records import Dataset, Evaluation, Query, Run

NAMES = [f"q{at}" for at in range(60)]
CATEGORIES = ["easy"] * 30 + ["hard"] * 30
DATASET = Dataset(
    "d", tuple(Query(n, n, category=c) for n, c in zip(NAMES, CATEGORIES, strict=True))
)
NOISE = np.random.default_rng(7).normal(0, 0.02, 60)


def tried(name, scores, errors=0):
    failed = {f"q{at}": "x" for at in range(errors)}
    values = np.asarray(scores, np.float64)
    evaluation = Evaluation(name, tuple(NAMES), {}, {"ndcg@10": values})
    return Tried(Run(name, name, {}, failed=failed), None, evaluation)


def broken(before, after, dataset=DATASET, **options):
    figures = {"dataset": dataset, "primary": "ndcg@10", "margin": 0.02} | options
    return broken_guardrails(before, after, **figures)


def test_a_gain_that_one_category_pays_for_is_broken():
    base = tried("base", np.full(60, 0.5))
    better = np.r_[np.full(30, 0.9), np.full(30, 0.4)] + NOISE
    (said,) = broken(base, tried("new", better))
    lost = 0.1 - NOISE[30:].mean()
    assert said.what == f"the category hard loses {lost:.4f}, more than twice the margin (0.0200)"
    assert said.keep == "a loss of the category hard of at most 0.0200"


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


def test_more_failures_than_the_baseline_are_told():
    same = np.full(60, 0.5)
    (said,) = broken(tried("base", same, errors=1), tried("new", same, errors=3))
    assert said.what == 'more queries failed than with "base" (3 after 1)'
    assert said.keep == 'no more failed queries than "base" has (1)'
    assert broken(tried("base", same, errors=3), tried("new", same, errors=3)) == []


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
    assert [bool(broken(base, new, alpha=alpha)) for alpha in (0.2, 1e-6)] == [True, False]


def test_collections_count_alike_within_a_category():
    # Of the hard queries 25 lose in the large collection, and 5 gain as much in the small one.
    strata = np.r_[np.zeros(55, np.int64), np.ones(5, np.int64)]
    change = np.r_[np.zeros(30), np.full(25, -0.2), np.full(5, 0.2)] + NOISE
    base, new = tried("base", np.full(60, 0.5)), tried("new", 0.5 + change)
    assert [one.what[:21] for one in broken(base, new)] == ["the category hard los"]
    assert broken(base, new, strata=strata) == []
