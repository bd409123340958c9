import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.wilcoxon import wilcoxon


def test_by_hand():
    # Ranks 1, 2, 3 all favourable: one of 8 patterns, and one more for the other side.
    assert wilcoxon(np.array([0.1, 0.2, 0.3])) == 2 / 8
    assert wilcoxon(np.array([-0.1, 0.2, 0.3])) == 4 / 8


CASES = [(n, kind) for n in (1, 4, 10, 14, 50, 51, 300) for kind in ("distinct", "tied", "zeros")]


@pytest.mark.parametrize(("queries", "kind"), [*CASES, (13, "tied")])
def test_agrees_with_scipy_and_its_choice(queries, kind):
    rng = np.random.default_rng(queries)
    values = rng.normal(0.2, 1, queries)
    if kind == "tied":
        values = np.where(values > 0, 1.0, -1.0) * rng.integers(1, 5, queries)
    if kind == "zeros":
        values[: queries // 3] = 0.0
    assert wilcoxon(values) == pytest.approx(scipy.stats.wilcoxon(values).pvalue, abs=1e-9)


@settings(max_examples=50)
@given(st.lists(st.integers(-6, 6), min_size=14, max_size=60).filter(any))
def test_agrees_with_scipy_on_discrete_scores(values):
    expected = scipy.stats.wilcoxon(np.array(values, dtype=float)).pvalue
    assert wilcoxon(np.array(values) / 8) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=60))
def test_p_is_a_chance_and_ignores_the_sign(values):
    p = wilcoxon(np.array(values))
    assert 0 < p <= 1
    assert wilcoxon(-np.array(values)) == pytest.approx(p, abs=1e-12)


def test_rounding_is_a_tie():
    noisy = np.array([0.1 + 0.2, -0.3, 0.3, 0.15] * 20)
    assert wilcoxon(noisy) == wilcoxon(np.round(noisy, 6))


def test_nothing_differs():
    assert wilcoxon(np.zeros(9)) == 1.0


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        wilcoxon(np.array([]))
    with pytest.raises(InputError, match="row 0"):
        wilcoxon(np.array([np.nan]))
