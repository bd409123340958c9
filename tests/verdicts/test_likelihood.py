import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.verdicts.likelihood import likelihood


def chances(share, query, relevant, judged):
    arrays = np.array(query), np.array(relevant, bool), np.array(judged, bool)
    return likelihood(np.array(share, float), *arrays)


def test_before_anything_is_judged_agreement_of_runs_counts():
    found = chances([[1.0, 1.0], [1.0, 0.0], [0.3, 0.0]], [0, 0, 0], [0] * 3, [0] * 3)
    assert found[0] > found[1] > found[2]
    assert found[0] > 0.5 > found[2]


def test_a_query_whose_documents_are_relevant_has_more_of_them():
    share = [[0.5]] * 12
    query = [0] * 6 + [1] * 6
    judged = [1] * 5 + [0] + [1] * 5 + [0]
    found = chances(share, query, [1] * 6 + [0] * 6, judged)
    assert found[5] > found[11]


def test_it_learns_that_ranks_mean_nothing():
    """Half of the documents shown first are relevant, and half of those shown last."""
    share = [[1.0]] * 100 + [[0.3]] * 100
    query = list(range(200))
    found = chances(share, query, [at % 2 for at in range(200)], [1] * 198 + [0, 0])
    before = chances(share, query, [0] * 200, [0] * 200)
    assert before[0] - before[-1] > 0.3
    assert found[0] - found[-1] < (before[0] - before[-1]) / 1.5
    assert found[-1] > before[-1]


@settings(max_examples=60)
@given(st.integers(1, 30), st.integers(1, 4), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_chances_are_between_0_and_1(documents, runs, queries, seed):
    rng = np.random.default_rng(seed)
    share = rng.random((documents, runs)) * (rng.random((documents, runs)) < 0.5)
    query = rng.integers(0, queries, documents)
    relevant, judged = rng.random((2, documents)) < 0.5
    found = likelihood(share, query, relevant, judged)
    assert np.isfinite(found).all()
    assert ((found > 0) & (found < 1)).all()
    unseen = np.where(judged, relevant, ~relevant)  # what is not judged is not looked at
    assert np.array_equal(found, likelihood(share, query, unseen, judged))
