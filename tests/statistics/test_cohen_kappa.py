import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.cohen_kappa import cohen_kappa


def from_table(table):
    """Unfold a table of counts into the two judges' grades."""
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [one for one, _ in pairs], [other for _, other in pairs]


def test_by_hand():
    # 50 yes/no pairs, 20 + 15 equal: observed .7, expected .5 * .6 + .5 * .4 = .5.
    found = cohen_kappa(*from_table([[20, 5], [10, 15]]))
    assert found.value == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_the_example_of_fleiss_cohen_and_everitt():
    # Psychological Bulletin 72 (1969), tables 1 and 2: two judges, 200 patients, three diagnoses.
    # The paper gives kappa .429 with a standard error of .054 (var .002885).
    table = [[106, 10, 4], [22, 28, 10], [2, 12, 6]]
    found = cohen_kappa(*from_table(table))
    assert found.value == pytest.approx(0.429, abs=5e-4)
    error = (found.interval.high - found.interval.low) / 2 / 1.959964
    assert error**2 == pytest.approx(0.002885, abs=2e-6)


def test_weights_by_hand():
    # Three grades, one pair each of 0-0, 1-1, 2-2 and 0-2: the margins are (2, 1, 1), (1, 1, 2).
    one, other = [0, 1, 2, 0], [0, 1, 2, 2]
    distances = {"none": lambda a, b: float(a != b), "linear": lambda a, b: abs(a - b) / 2}
    distances["quadratic"] = lambda a, b: (a - b) ** 2 / 4
    for weights, distance in distances.items():
        observed = sum(map(distance, one, other)) / 4
        expected = sum(distance(a, b) for a, b in product(one, other)) / 16
        found = cohen_kappa(one, other, weights=weights)
        assert found.value == pytest.approx(1 - observed / expected)


def test_quadratic_weights_with_equal_margins_are_the_correlation():
    # Fleiss and Cohen (1973): with equal means and variances kappa is the product-moment r.
    one, other = [0, 1, 2, 3, 3, 1], [1, 0, 3, 2, 3, 1]
    found = cohen_kappa(one, other, weights="quadratic")
    assert found.value == pytest.approx(np.corrcoef(one, other)[0, 1])


grades = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40)


@given(grades, st.sampled_from(["none", "linear", "quadratic"]))
def test_a_brute_force_agrees(pairs, weights):
    """Disagreement observed, divided by that of all pairs of one judge's with the other's."""
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]

    def apart(a, b):
        return abs(a - b) ** power if a != b else 0

    expected = np.mean([apart(a, b) for a, b in product(one, other)])
    found = cohen_kappa(one, other, weights=weights)
    if len({*one, *other}) == 1:
        assert found.value is None
        assert "same grade" in found.note
        return
    assert found.value == pytest.approx(1 - np.mean([apart(*pair) for pair in pairs]) / expected)
    assert -1 <= found.interval.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.interval.high <= 1
    swapped = cohen_kappa(other, one, weights=weights)
    assert swapped.value == pytest.approx(found.value)


def test_the_interval_covers_what_it_promises():
    draw = np.random.default_rng(3)
    table = np.array([[0.30, 0.06, 0.02], [0.08, 0.22, 0.06], [0.02, 0.06, 0.18]])
    true = cohen_kappa(*from_table((table * 100).astype(int).tolist()), weights="linear").value
    hits = 0
    for _ in range(400):
        counts = draw.multinomial(300, table.ravel()).reshape(3, 3).tolist()
        interval = cohen_kappa(*from_table(counts), weights="linear").interval
        hits += interval.low <= true <= interval.high
    assert 0.92 <= hits / 400 <= 0.98


def test_what_cannot_be_told_is_said():
    assert cohen_kappa([], []).value is None
    assert "in common" in cohen_kappa([], []).note
    assert cohen_kappa([2, 2], [2, 2]).value is None
    perfect = cohen_kappa([0, 1, 2], [0, 1, 2])
    assert perfect.value == 1
    assert "agree on all" in perfect.interval.note
    assert cohen_kappa([0, 0], [1, 1]).value == 0  # no better and no worse than chance
    assert math.isfinite(cohen_kappa([0, 1], [1, 0]).value)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60))
def test_judges_that_agree_on_everything_are_told_so_by_counts(grades):
    found = cohen_kappa(grades, grades, weights="linear")
    if len(set(grades)) == 1:
        assert found.value is None
        return
    assert found.value == 1.0
    assert (found.interval.low, found.interval.high) == (1.0, 1.0)
    assert "agree on all" in found.interval.note


def test_one_disagreement_in_many_is_not_hidden():
    one = [0, 1] * 50_000
    found = cohen_kappa(one, [*one[:-1], 0])
    assert found.interval.note == ""
    assert found.value < 1


def test_unused_grades_of_the_scale_change_nothing():
    one, other = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]
    for weights in ("none", "linear", "quadratic"):
        plain = cohen_kappa(one, other, weights=weights)
        wide = cohen_kappa(one, other, weights=weights, scale=range(4))
        assert wide.value == pytest.approx(plain.value)


def test_wrong_use_is_refused():
    with pytest.raises(UsageError, match="weights"):
        cohen_kappa([1], [1], weights="cubic")
    with pytest.raises(InputError, match="cannot be paired"):
        cohen_kappa([1, 2], [1])
