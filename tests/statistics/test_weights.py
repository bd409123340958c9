"""Queries of unequal weight: every statistic against plain loops; equal weights change no bit."""

import inspect
import math
import random
from dataclasses import asdict, is_dataclass
from importlib import import_module
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import assay.statistics
from assay.errors import InputError, UsageError
from assay.statistics.best_set import best_set
from assay.statistics.bootstrap import bootstrap
from assay.statistics.effect import effect
from assay.statistics.fieller import fieller
from assay.statistics.max_t import max_t
from assay.statistics.mean_interval import mean_interval
from assay.statistics.noninferiority import noninferiority
from assay.statistics.randomisation import randomisation
from assay.statistics.t_interval import t_interval
from assay.statistics.t_test import t_test
from assay.statistics.winners_curse import winners_curse

FOLDER = Path(assay.statistics.__file__).parent
EVERY = {
    path.stem: getattr(import_module(f"assay.statistics.{path.stem}"), path.stem)
    for path in sorted(FOLDER.glob("[!_]*.py"))
}
STRATIFIED = {n: f for n, f in EVERY.items() if "strata" in inspect.signature(f).parameters}
MORE = {  # arguments besides the values
    "bootstrap": {"resamples": 300},
    "mean_interval": {"resamples": 300},
    "best_set": {"flips": 200},
    "max_t": {"flips": 200},
    "randomisation": {"flips": 200},
    "noninferiority": {"margin": 0.02},
}
WIDE = ("best_set", "max_t", "winners_curse", "randomisation")  # a column per run


def plain(found):
    """Return a result as something that is compared bit by bit."""
    if is_dataclass(found):
        found = asdict(found)
        return {key: plain(value) for key, value in found.items()}
    return found.tobytes() if isinstance(found, np.ndarray) else repr(found)


def called(name, rows, **options):
    values = [rows] if name in WIDE else [rows[:, 0]]
    values += [rows[:, 1] + 2.0] if name == "fieller" else []
    return plain(EVERY[name](*values, **MORE.get(name, {}), **options))


def test_every_statistic_of_queries_takes_weights():
    assert len(STRATIFIED) == 11
    for name, function in STRATIFIED.items():
        assert "weights" in inspect.signature(function).parameters, name


SCORES = st.sampled_from([0.0, 0.1, 0.2, 0.25, 1 / 3, 0.5, 1.0])
ROWS = st.integers(2, 24).flatmap(lambda n: st.lists(st.tuples(SCORES, SCORES), min_size=n))
ANY = st.floats(1e-9, 1e9)


@pytest.mark.parametrize("name", STRATIFIED)
@given(rows=ROWS, weight=ANY)
def test_equal_weights_change_no_bit(name, rows, weight):
    rows = np.array(rows)
    weights = np.full(len(rows), weight)

    assert called(name, rows, weights=weights) == called(name, rows)


@pytest.mark.parametrize("name", STRATIFIED)
@given(rows=ROWS, each=st.tuples(ANY, ANY, ANY))
def test_weights_that_are_equal_within_collections_change_no_bit(name, rows, each):
    rows = np.array(rows)
    strata = np.arange(len(rows)) % 3

    weighted = called(name, rows, strata=strata, weights=np.array(each)[strata])

    assert weighted == called(name, rows, strata=strata)


@pytest.mark.parametrize("name", STRATIFIED)
def test_only_proportions_of_weights_count(name):
    rng = np.random.default_rng(3)
    rows, weights = rng.random((20, 2)), rng.integers(1, 9, 20) / 8

    assert called(name, rows, weights=weights) == called(name, rows, weights=weights * 2.0**20)


def test_wrong_weights_are_refused():
    for name in STRATIFIED:
        for wrong in ([1.0, 0.0, 2.0], [1.0, -1.0, 2.0], [1.0, math.nan, 2.0], [1, math.inf, 2]):
            with pytest.raises(InputError, match="weight"):
                called(name, np.ones((3, 2)), weights=np.array(wrong))
        with pytest.raises(UsageError, match="2 weights"):
            called(name, np.ones((3, 2)), weights=np.ones(2))


# By hand: differences .4, 0 and -.2 of weight 2, 1 and 1 have the mean .5 * .4 - .25 * .2 = .15.
HAND, HEAVY = np.array([0.4, 0.0, -0.2]), np.array([2.0, 1.0, 1.0])


def test_by_hand():
    found = effect(HAND, weights=HEAVY)
    assert found.difference == pytest.approx(0.15)
    assert (found.wins, found.ties, found.losses) == (1, 1, 1)
    # Without each in turn the mean is -.1, .2 and .26667: squares about .15, times 2/3.
    error = math.sqrt((0.25**2 + 0.05**2 + (0.8 / 3 - 0.15) ** 2) * 2 / 3)
    assert found.sd == pytest.approx(error * math.sqrt(3))
    # The effective number of queries is 16 / 6, so t has 16 / 6 - 1 degrees of freedom.
    reach = scipy.stats.t.ppf(0.975, 16 / 6 - 1) * error
    interval = t_interval(HAND, weights=HEAVY)
    assert (interval.low, interval.high) == pytest.approx((0.15 - reach, 0.15 + reach))
    # .8, 0 and -.2 with any signs: |.6| or more 8 times of 8, as only .6 and 1.0 can come out.
    assert randomisation(HAND, weights=HEAVY).tolist() == [1.0]
    assert randomisation(np.array([0.4, 0.1, 0.2]), weights=HEAVY).tolist() == [2 / 8]


def loop_mean(values, weights):
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def drawn(queries, seed, kind="zipf"):
    rng = np.random.default_rng(seed)
    values = rng.choice([-0.5, -0.2, 0.0, 0.0, 0.1, 0.3, 1.0], queries)
    weights = 1 / np.arange(1.0, queries + 1) if kind == "zipf" else rng.lognormal(0, 1, queries)
    return values, rng.permutation(weights)


@pytest.mark.parametrize("queries", [2, 5, 9])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_randomisation_against_all_flips_in_a_loop(queries, alternative):
    values, weights = drawn(queries, queries)
    values = values + 0.013 * np.arange(queries)  # no equal sums but by equal signs
    seen, beaten = loop_mean(values, weights), 0
    for signs in product((1, -1), repeat=queries):
        flipped = loop_mean([s * v for s, v in zip(signs, values, strict=True)], weights)
        if alternative == "two-sided":
            beaten += abs(flipped) >= abs(seen) - 1e-12
        else:
            beaten += (
                flipped >= seen - 1e-12 if alternative == "greater" else flipped <= seen + 1e-12
            )

    found = randomisation(values, weights=weights, alternative=alternative)

    assert found.item() == beaten / 2**queries


def test_max_t_against_all_flips_in_a_loop():
    values = np.column_stack([drawn(7, seed)[0] + 0.01 * np.arange(7) for seed in (1, 2)])
    weights = drawn(7, 3)[1]
    columns = [[float(w * v) for w, v in zip(weights, column, strict=True)] for column in values.T]
    lengths = [math.sqrt(sum(v * v for v in column)) for column in columns]
    seen = [abs(sum(c)) / length for c, length in zip(columns, lengths, strict=True)]
    most, least = max(seen), min(seen)
    joint = alone = 0
    for signs in product((1, -1), repeat=7):
        sums = [
            abs(sum(s * v for s, v in zip(signs, c, strict=True))) / length
            for c, length in zip(columns, lengths, strict=True)
        ]
        joint += max(sums) >= most - 1e-12
        alone += sums[seen.index(least)] >= least - 1e-12

    found = sorted(max_t(values, weights=weights))

    assert found == pytest.approx([joint / 128, max(joint, alone) / 128])


@pytest.mark.parametrize("queries", [2, 5, 40])
@pytest.mark.parametrize("kind", ["zipf", "lognormal"])
def test_the_error_is_that_of_the_jackknife_in_a_loop(queries, kind):
    values, weights = drawn(queries, 11 + queries, kind)
    values[0] += 0.1
    mean, total = loop_mean(values, weights), 0.0
    for at in range(queries):
        rest = [i for i in range(queries) if i != at]
        total += (loop_mean(values[rest], weights[rest]) - mean) ** 2
    error = math.sqrt((queries - 1) / queries * total)
    freedom = max(1.0, sum(weights) ** 2 / sum(w * w for w in weights) - 1)

    interval = t_interval(values, weights=weights)
    reach = scipy.stats.t.ppf(0.975, freedom) * error
    assert interval.high - interval.low == pytest.approx(2 * reach)
    assert interval.low + interval.high == pytest.approx(2 * mean)
    expected = 2 * scipy.stats.t.sf(abs(mean) / error, freedom)
    assert t_test(values, weights=weights) == pytest.approx(expected)
    one_sided = scipy.stats.t.sf((mean + 0.1) / error, freedom)
    found = noninferiority(values, margin=0.1, weights=weights).p
    assert found == pytest.approx(one_sided)


def test_collections_count_the_same_and_weights_within_each():
    (a, wa), (b, wb) = drawn(12, 21), drawn(30, 22, "lognormal")
    strata = np.repeat([0, 1], [12, 30])
    values, weights = np.concatenate([a, b]), np.concatenate([wa, 1000 * wb])

    found = effect(values, strata=strata, weights=weights)

    assert found.difference == pytest.approx((loop_mean(a, wa) + loop_mean(b, wb)) / 2)
    each = [effect(a, weights=wa), effect(b, weights=wb)]
    variance = (each[0].sd ** 2 / 12 + each[1].sd ** 2 / 30) / 4
    assert found.sd == pytest.approx(math.sqrt(variance * 42))


def test_bootstrap_against_resampling_in_a_loop():
    """The plain percentiles of means that a loop draws, where nothing is skewed and n is large."""
    rng = np.random.default_rng(5)
    values = np.concatenate([half := rng.random(150), 1 - half])
    weights = np.tile(1 + rng.random(150), 2)
    chance = random.Random(7)
    means = []
    for _ in range(3_000):
        rows = chance.choices(range(300), k=300)
        means.append(loop_mean(values[rows], weights[rows]))
    means.sort()

    found = bootstrap(values, weights=weights, resamples=10_000)

    assert found.low == pytest.approx(means[75], abs=0.004)
    assert found.high == pytest.approx(means[2_925], abs=0.004)
    assert found.high - found.low < 0.95 * (np.ptp(means))


def test_a_proportion_has_wilsons_interval_of_the_effective_number_of_queries():
    ones, weights = np.array([1.0] * 4 + [0.0] * 4), np.array([1.0, 1, 1, 1, 1, 1, 1, 2])
    trials, share, z = 81 / 11, 4 / 9, scipy.stats.norm.ppf(0.975)
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    spread = math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    reach = z * spread / (1 + z**2 / trials)

    found = mean_interval(ones, weights=weights)

    assert (found.low, found.high) == pytest.approx((centre - reach, centre + reach))
    assert mean_interval(np.ones(8), weights=weights).high == 1.0
    assert mean_interval(np.zeros(8), weights=weights).low == 0.0


def test_the_interval_of_a_weighted_mean_stays_between_0_and_1():
    values, weights = np.array([1.0, 1.0, 1.0, 1.0, 0.5]), np.array([50.0, 1, 1, 1, 2])
    found = mean_interval(values, weights=weights)
    assert 0 <= found.low < loop_mean(values, weights) < found.high <= 1
    assert mean_interval(np.full(3, 0.5), weights=HEAVY).note == "all values equal"


def test_other_scores_are_resampled():
    values, weights = drawn(30, 8)
    assert mean_interval(values, weights=weights) == bootstrap(values, weights=weights)


def test_the_best_set_and_the_curse_look_at_weighted_means():
    rng = np.random.default_rng(9)
    rows = rng.random((60, 1)) * 0.2 + np.zeros((60, 3))
    rows += 0.01 * rng.random((60, 3))
    rows[:10, 0] += 0.5  # a run that is better on the heavy queries alone
    weights = np.where(np.arange(60) < 10, 50.0, 1.0)
    rows[10:, 1] += 0.2  # and one that is better on all others

    assert best_set(rows, weights=weights).members.tolist() == [True, False, False]
    assert best_set(rows).members.tolist() == [False, True, False]
    gains = rows[:, :2] - rows[:, 2:]
    for weighed, winner in ((weights, 0), (np.ones(60), 1)):
        found = winners_curse(gains, weights=weighed)
        assert found.winner == winner
        assert found.observed == pytest.approx(loop_mean(gains[:, winner], weighed))


def test_the_best_set_against_all_flips_in_a_loop():
    """The first round, of which nobody leaves at this level: p is how often any one trails so."""
    rng = np.random.default_rng(4)
    rows, weights = rng.random((7, 3)), rng.lognormal(0, 1, 7)
    scaled = [[float(w * v) for v in row] for w, row in zip(weights, rows, strict=True)]
    pairs = [(one, other) for one in range(3) for other in range(3) if one != other]
    length = {
        (one, other): math.sqrt(sum((row[one] - row[other]) ** 2 for row in scaled))
        for one, other in pairs
    }

    def trails(signs):
        found = [0.0, 0.0, 0.0]
        for one, other in pairs:
            behind = sum(s * (row[other] - row[one]) for s, row in zip(signs, scaled, strict=True))
            found[one] = max(found[one], behind / length[one, other])
        return found

    seen = trails([1] * 7)
    largest = [max(trails(signs)) for signs in product((1, -1), repeat=7)]
    expected = [sum(one >= own - 1e-9 for one in largest) / 128 for own in seen]

    assert best_set(rows, weights=weights, level=0.999).p.tolist() == pytest.approx(expected)


def test_fieller_holds_the_ratios_whose_difference_may_be_0():
    """At both ends the mean of above - r below is as many errors of the jackknife from 0 as t."""
    rng = np.random.default_rng(6)
    above, below, weights = rng.random(25), 1 + rng.random(25), rng.lognormal(0, 1, 25)
    freedom = sum(weights) ** 2 / sum(w * w for w in weights) - 1
    found = fieller(above, below, weights=weights)
    for ratio in (found.low, found.high):
        values = above - ratio * below
        mean, rest = loop_mean(values, weights), np.arange(25)
        moved = [loop_mean(values[rest != at], weights[rest != at]) - mean for at in range(25)]
        error = math.sqrt(24 / 25 * sum(one * one for one in moved))
        assert abs(mean) / error == pytest.approx(scipy.stats.t.ppf(0.975, freedom))


def test_the_winners_curse_against_resampling_in_a_loop():
    """Ten equal candidates: what is left of the best gain is what a loop over samples leaves."""
    rng = np.random.default_rng(10)
    gains, weights = rng.normal(0, 0.3, (40, 10)), rng.lognormal(0, 0.7, 40)
    chance = random.Random(1)
    means = np.array([loop_mean(gains[:, at], weights) for at in range(10)])
    noise = []
    for _ in range(1_500):
        rows = chance.choices(range(40), k=40)
        share = weights[rows] / weights[rows].sum()
        noise.append(share @ gains[rows] - means)
    noise = np.array(noise)
    shares = weights / weights.sum()
    squares = float(shares @ shares)
    factor = squares / sum(p * p * (1 - 2 * p + squares) for p in shares)
    apart = noise - noise.mean(axis=1, keepdims=True)
    kept = max(
        0.0, 1 - factor * (apart**2).sum(axis=1).mean() / ((means - means.mean()) ** 2).sum()
    )
    shrunk = means.mean() + math.sqrt(kept) * (means - means.mean())
    best = (shrunk + noise).argmax(axis=1)
    winner = int(means.argmax())
    too_good = float(np.mean(noise[np.arange(len(noise)), best] - noise[:, winner]))

    found = winners_curse(gains, weights=weights, repeats=1_500)

    assert found.corrected == pytest.approx(means[winner] - too_good, abs=0.012)
    assert found.corrected < 0.6 * found.observed


def test_one_heavy_query_cannot_decide_alone():
    values, weights = np.array([0.9] + [-0.01] * 11), np.array([1e6] + [1.0] * 11)
    assert effect(values, weights=weights).difference > 0.89
    assert randomisation(values, weights=weights).item() == 1.0
    assert t_interval(values, weights=weights).low < 0


@pytest.mark.parametrize("heavy", [1e3, 1e16, 1e17, 1e100])
@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("name", STRATIFIED)
@pytest.mark.filterwarnings("error")
def test_a_query_with_nearly_all_weight_gives_numbers(name, heavy, score):
    """Of 1e17 and 1, the share of the first is 1 and what is left of 1 - p is 0."""
    rows = np.array([[score, 0.2, 0.9], [0.5, 0.1, 0.4], [0.25, 0.75, 0.1]])
    for strata in (None, np.array([0, 0, 1])):
        found = called(name, rows, strata=strata, weights=np.array([heavy, 1, 1e-9]))
        assert "nan" not in found.values() if isinstance(found, dict) else found != "nan"


def test_without_the_heaviest_query_the_mean_is_that_of_the_others():
    values, weights = np.array([1.0, 0.2, 0.6]), np.array([1e17, 3.0, 1.0])
    # Without the first the mean falls from 1 to (3 * .2 + .6) / 4 = .3; the others move nothing.
    assert effect(values, weights=weights).sd == pytest.approx(math.sqrt(0.7**2 * 2 / 3 * 3))
    found = mean_interval(values, weights=weights)
    assert (found.low, found.high) == (0.0, 1.0)
