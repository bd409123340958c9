import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.statistics.pareto_front import pareto_front


def test_by_hand():
    # Best quality; cheapest; worse than the first in both; a trade; beaten by the trade alone.
    points = [[0.9, -9.0], [0.2, -1.0], [0.8, -10.0], [0.5, -3.0], [0.4, -4.0]]
    assert pareto_front(np.array(points)) == [None, None, 0, None, 3]


def test_equal_points_are_on_the_front_together():
    assert pareto_front(np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 1.0]])) == [None, None, 0]


def test_one_axis_has_the_best_alone_on_it():
    assert pareto_front(np.array([1.0, 3.0, 2.0])) == [1, None, 1]


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=25))
def test_agrees_with_looking_at_every_pair(points):
    table = np.array(points, float)
    found = pareto_front(table)

    def beats(a, b):
        return (table[a] >= table[b]).all() and (table[a] > table[b]).any()

    for at, by in enumerate(found):
        others = [one for one in range(len(table)) if beats(one, at)]
        assert (by is None) == (not others)
        if by is not None:
            assert beats(by, at)
            assert found[by] is None
            assert table[by, 0] == max(table[one, 0] for one in others)


def test_wrong_input_is_refused():
    for wrong in (np.empty((0, 2)), np.array([[1.0, np.nan]])):
        with pytest.raises(InputError):
            pareto_front(wrong)
