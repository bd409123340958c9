"""Verdicts are right as often as they say: equal runs rarely ship, planted gains as predicted.

By default a quarter of the trials is run; ASSAY_TRIALS=1 runs all, of which docs/statistics.md has
figures.
"""

import os

import numpy as np
import pytest
from tests.simulations import decisions

from assay.benchmarks.comparisons.compare_runs import compare_runs
from assay.benchmarks.comparisons.guardrails import broken_categories, losses, parts_of
from assay.metrics import parse_all
from assay.records import Interval, Judgments, Query, Rankings, encode
from assay.statistics.power import power

pytestmark = pytest.mark.long

SHARE = float(os.environ.get("ASSAY_TRIALS", "0.25"))
ALPHA = 0.05
DEPTH = 10
GRADES = np.array([3, 2, 1, 1, 0, 0, 0, 0, 0, 0])
DISCOUNTS = 1 / np.log2(np.arange(DEPTH) + 2)
CHEAP = {"c0": ["p95 1.00 ms against 9.00 ms"]}


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Leave out the interval of each run's own mean: it takes long, and no verdict asks for it."""
    told = lambda *_, **__: Interval(0, 1)  # noqa: E731 - a stand-in needs no name
    monkeypatch.setattr("assay.benchmarks.comparisons.pairing.mean_interval", told)


def noisy(rng, queries, strengths):
    """Rank ten graded documents by their grade and noise, half of which all runs share."""
    shared = rng.normal(0, 1, (queries, DEPTH))
    own = rng.normal(0, 1, (len(strengths), queries, DEPTH))
    seen = np.asarray(strengths)[:, None, None] * GRADES + shared + own
    return np.argsort(-seen, axis=2)


def compared(orders, **options):
    """Compare runs of which every document is judged; the first is the baseline."""
    queries = orders.shape[1]
    names, ends = tuple(f"q{at}" for at in range(queries)), np.arange(queries + 1) * DEPTH
    documents = encode(f"d{at}" for at in range(DEPTH))
    judgments = Judgments(names, ends, np.tile(documents, queries), np.tile(GRADES, queries), 3)
    falling = np.tile(np.arange(DEPTH, 0, -1.0), queries)
    runs = [
        Rankings("base" if at == 0 else f"c{at - 1}", names, ends, documents[o.ravel()], falling)
        for at, o in enumerate(orders)
    ]
    metric = parse_all("ndcg@10")
    return compare_runs(judgments, runs, metric, ties="order", flips=999, **options).candidates


def truth(draw, strengths):
    """Return the true baseline score, and the true mean and spread of the first's difference."""
    orders = draw(np.random.default_rng(99), 200_000, strengths)
    scores = GRADES[orders] @ DISCOUNTS / (np.sort(GRADES)[::-1] @ DISCOUNTS)
    difference = scores[1] - scores[0]
    return scores[0].mean(), difference.mean(), difference.std()


def share_of_ships(draw, queries, strengths, trials, **options):
    """Return how often any candidate ships, and how often the first does."""
    rng = np.random.default_rng([queries, len(strengths)])
    shipped = []
    for _ in range(trials):
        told = compared(draw(rng, queries, strengths), **options)
        shipped.append([one.verdict.outcome == "ship" for one in told])
    found = np.array(shipped)
    return float(found.any(axis=1).mean()), float(found[:, 0].mean())


@pytest.mark.parametrize("draw", decisions.DRAWS)
@pytest.mark.parametrize("queries", [10, 30, 100])
@pytest.mark.parametrize(("candidates", "trials"), [(1, 800), (5, 400), (15, 200)])
def test_equal_runs_are_shipped_or_refused_at_most_alpha_of_the_time(
    draw, queries, candidates, trials, chance_bounds, record
):
    found = decisions.equal(decisions.DRAWS[draw], candidates, queries, int(SHARE * trials))
    for name, rate in found.items():
        record(name, rate)
    assert max(found.values()) <= chance_bounds(ALPHA, int(SHARE * trials))[1]


@pytest.mark.parametrize("draw", decisions.DRAWS)
def test_the_queries_that_a_verdict_asks_for_show_the_gain(draw, chance_bounds, record):
    more = decisions.ASKED[draw][30]
    found = decisions.asked(decisions.DRAWS[draw], 1, 30, more, int(SHARE * 200))
    record("shipped", found["shipped"])
    assert found["verdicts"] >= 20
    assert found["shipped"] >= chance_bounds(0.75, found["verdicts"])[0]


PLANTED = [
    (30, 0.15), (30, 0.30), (100, 0.08), (100, 0.15), (300, 0.05), (300, 0.09),
]  # fmt: skip


@pytest.mark.parametrize("candidates", [1, 4])
@pytest.mark.parametrize(("queries", "more"), PLANTED)
def test_planted_gains_ship_as_often_as_predicted(queries, more, candidates, chance_bounds, record):
    trials = int(SHARE * (600 if candidates == 1 else 300))
    strengths = [0.5, 0.5 + more, *[0.5] * (candidates - 1)]
    _, gain, sd = truth(noisy, strengths[:2])
    predicted = power(gain, sd=sd, queries=queries, candidates=candidates)
    _, rate = share_of_ships(noisy, queries, strengths, trials)
    record("gain", gain)
    record("predicted", predicted)
    record("shipped", rate)
    # Of twelve cells none may be outside: 99.6 % bounds each. .01: ndcg is not quite normal.
    low, high = chance_bounds(predicted, trials, errors=2.86)
    assert low - 0.01 < rate < high + 0.01


SIZES = (10, 30, 60)  # of three collections whose means count alike


@pytest.mark.parametrize("more", [0.0, 0.12, 0.24])
def test_collections_of_unequal_size_ship_as_often_as_predicted(more, chance_bounds, record):
    trials, strata = int(SHARE * 600), np.repeat(np.arange(3), SIZES)
    _, gain, sd = truth(noisy, [0.5, 0.5 + more])
    error = sd * sum(1 / (9 * size) for size in SIZES) ** 0.5
    predicted = power(gain, sd=error * 100**0.5, queries=100) if more else ALPHA / 2
    _, rate = share_of_ships(noisy, 100, [0.5, 0.5 + more], trials, strata=strata)
    record("predicted", predicted)
    record("shipped", rate)
    low, high = chance_bounds(predicted, trials)
    assert low - 0.02 < rate < high + 0.01  # the ten queries of the first count most


@pytest.mark.parametrize("queries", [30, 100])
def test_a_loss_of_just_the_margin_ships_at_most_alpha_of_the_time(queries, chance_bounds, record):
    trials = int(SHARE * 600)
    base, gain, _ = truth(noisy, [0.5, 0.4])
    options = {"ship_if": "noninferior", "cheaper": CHEAP, "margin": -gain / base}
    rate, _ = share_of_ships(noisy, queries, [0.5, 0.4], trials, **options)
    record("rate", rate)
    assert rate <= (ALPHA if SHARE >= 1 else chance_bounds(ALPHA, trials)[1])


@pytest.mark.parametrize(("queries", "margin"), [(30, 0.12), (100, 0.06), (300, 0.04)])
def test_what_is_as_good_and_cheaper_ships_as_often_as_predicted(
    queries, margin, chance_bounds, record
):
    base, _, sd = truth(noisy, [0.5, 0.5])
    options = {"ship_if": "noninferior", "cheaper": CHEAP, "margin": margin}
    predicted = power(margin * base, sd=sd, queries=queries, alpha=2 * ALPHA)  # one-sided
    trials = int(SHARE * 600)
    _, rate = share_of_ships(noisy, queries, [0.5, 0.5], trials, **options)
    record("predicted", predicted)
    record("shipped", rate)
    # Of three cells none may be outside: 98.3 % bounds each.
    low, high = chance_bounds(predicted, trials, errors=2.39)
    assert low - 0.01 < rate < high + 0.01
    options = {"ship_if": "noninferior", "margin": margin}
    dear, _ = share_of_ships(noisy, queries, [0.5, 0.5], trials // 3, **options)
    assert dear <= chance_bounds(ALPHA, trials // 3)[1]


def alarms(base, new, names, size):
    """Tell whether any of the categories is shown to lose too much."""
    asked = [Query(name, name, category=f"c{at // size}") for at, name in enumerate(names)]
    lost = losses(base, new, parts_of(asked, names), margin=0.02)
    return bool(broken_categories({"new": lost})["new"])


@pytest.mark.parametrize("ties", [0.0, 0.7])
@pytest.mark.parametrize("categories", [1, 4])
@pytest.mark.parametrize("size", [10, 30])
@pytest.mark.parametrize("loss", [0.0, 0.02])
def test_guardrails_alarm_falsely_at_most_alpha_of_the_time(
    ties, categories, size, loss, chance_bounds, record
):
    """The worst case is a true loss of just twice the margin: 4 % of .5."""
    trials, rng = int(SHARE * 2_000), np.random.default_rng([size, categories])
    names = tuple(f"q{at}" for at in range(size * categories))
    base, alarmed = np.full(len(names), 0.5), 0
    for _ in range(trials):
        moved = rng.random(len(names)) >= ties
        change = np.where(moved, rng.normal(-loss / (1 - ties), 0.2, len(names)), 0.0)
        alarmed += alarms(base, 0.5 + change, names, size)
    record("rate", alarmed / trials)
    assert alarmed / trials <= chance_bounds(ALPHA, trials)[1]


def test_a_category_that_pays_is_found_as_often_as_predicted(chance_bounds, record):
    trials, size, sd = int(SHARE * 1_000), 40, 0.1
    rng = np.random.default_rng(8)
    names = tuple(f"q{at}" for at in range(2 * size))
    base, alarmed = np.full(len(names), 0.5), 0
    for _ in range(trials):
        change = rng.normal(np.repeat([0.05, -0.06], size), sd)
        alarmed += alarms(base, 0.5 + change, names, size)
    # One-sided at .025 over two categories is two-sided at .05 over two.
    predicted = power(0.06 - 0.02, sd=sd, queries=size, candidates=2, alpha=ALPHA)
    record("predicted", predicted)
    record("found", alarmed / trials)
    low, high = chance_bounds(predicted, trials)
    assert low < alarmed / trials < high
