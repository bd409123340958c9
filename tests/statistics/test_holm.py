import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.holm import holm

several = st.lists(st.floats(1e-6, 1), min_size=1, max_size=12)


def test_by_hand():
    # .01 x 4; .02 x 3 = .06; .03 x 2 = .06; .04 x 1 may not fall below .06.
    assert holm(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])


@given(several)
def test_corrected_p_is_between_the_raw_one_and_bonferroni(p):
    corrected = holm(np.array(p))
    assert (corrected >= p).all()
    assert (corrected <= np.minimum(np.array(p) * len(p), 1) + 1e-15).all()


@given(several)
def test_the_order_of_p_is_kept(p):
    corrected = holm(np.array(p))
    assert (np.diff(corrected[np.argsort(p)]) >= 0).all()


@given(several.flatmap(lambda p: st.tuples(st.just(p), st.permutations(range(len(p))))))
def test_the_order_of_input_does_not_matter(case):
    p, order = case
    assert holm(np.array(p)[list(order)]).tolist() == holm(np.array(p))[list(order)].tolist()


def test_one_test_needs_no_correction():
    assert holm(np.array([0.03])).tolist() == [0.03]


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        holm(np.array([]))
    with pytest.raises(InputError, match="p-values"):
        holm(np.array([np.nan]))
