import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.lexical._ranked import nothing, ranked


def test_by_hand():
    found = ranked(np.array([7, 9, 2, 4]), np.array([3.0, 1.0000001, 1.0, 0.5]), 3, 4.0)

    assert found.rows.tolist() == [7, 2, 9]  # what differs by noise is a tie
    assert found.scores.tolist() == [3.0, 1.0000001, 1.0000001]
    assert (found.kind, found.best) == ("bm25", 4.0)


def test_nothing_is_empty():
    found = nothing()
    assert (len(found.rows), len(found.scores), found.best) == (0, 0, 0.0)
    assert len(ranked(found.rows, found.scores, 5, 0.0).rows) == 0


@given(st.lists(st.sampled_from([0.5, 1.0, 1.0000001, 2.0]), max_size=30), st.integers(1, 30))
def test_sorted_by_score_and_row_and_never_far_from_what_came(scores, depth):
    rows = np.random.default_rng(len(scores)).permutation(len(scores))
    falling = np.sort(np.array(scores, np.float64))[::-1]

    found = ranked(rows, falling, depth, None)

    order = list(zip((-found.scores).tolist(), found.rows.tolist(), strict=True))
    assert order == sorted(order)
    assert len(order) == min(depth, len(scores))
    before = dict(zip(rows.tolist(), falling.tolist(), strict=True))
    assert all(abs(before[row] + score) < 1e-6 for score, row in order)
