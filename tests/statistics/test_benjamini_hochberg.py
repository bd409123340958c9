import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.holm import holm

several = st.lists(st.floats(1e-6, 1), min_size=1, max_size=12)


def test_by_hand():
    # .01 x 4/1 = .04, .02 x 4/2 = .04, .03 x 4/3 = .04, .04.
    p = np.array([0.04, 0.01, 0.03, 0.02])
    assert benjamini_hochberg(p) == pytest.approx([0.04, 0.04, 0.04, 0.04])


@given(several)
def test_agrees_with_scipy(p):
    expected = scipy.stats.false_discovery_control(p)
    assert benjamini_hochberg(np.array(p)) == pytest.approx(expected, abs=1e-9)


@given(several)
def test_it_lies_between_the_raw_p_and_holm(p):
    corrected = benjamini_hochberg(np.array(p))
    assert (corrected >= np.array(p) - 1e-15).all()
    assert (corrected <= holm(np.array(p)) + 1e-15).all()


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        benjamini_hochberg(np.array([]))
