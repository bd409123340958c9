"""What a store leaves out is asked for again, until it cannot matter."""

import numpy as np
import pytest

from assay.engines.stores._given_vectors import GivenVectors, counted, settled
from assay.errors import InputError


class Sorted:
    """A fake store: scores as given, in its own order of ties (larger rows first)."""

    def __init__(self, scores):
        self.scores = np.asarray(scores, np.float64)
        self.asked = []

    def __call__(self, asked):
        self.asked.append(asked)
        order = np.lexsort((-np.arange(len(self.scores)), -self.scores))[:asked]
        return order.astype(np.int64), self.scores[order]


def test_one_question_is_enough_where_scores_fall():
    store = Sorted([5, 4, 3, 2, 1, 0, -1, -2, -3, -4, -5, -6])

    found = settled(store, 2, most=12, kind="bm25")

    assert (found.rows.tolist(), found.scores.tolist(), found.kind) == ([0, 1], [5, 4], "bm25")
    assert store.asked == [10]


def test_ties_at_the_cut_are_all_fetched_so_that_the_smaller_rows_win():
    store = Sorted([1.0] * 100)

    assert settled(store, 3, most=100, kind="bm25").rows.tolist() == [0, 1, 2]
    assert store.asked == [11, 22, 44, 88, 100]


def test_a_store_that_rounds_is_asked_until_the_error_cannot_matter():
    exact = 1 - np.arange(40) * 1e-9
    rounded = Sorted(np.round(exact, 6))

    found = settled(rounded, 2, most=40, kind="cosine", score=lambda rows: exact[rows], error=1e-6)

    assert found.rows.tolist() == [0, 1]
    assert rounded.asked[-1] == 40


def test_an_approximate_store_is_asked_once():
    store = Sorted([1.0] * 100)

    found = settled(store, 3, most=100, kind="cosine", error=-np.inf)

    assert store.asked == [3]
    assert len(found.rows) == 3


@pytest.mark.parametrize(("depth", "most"), [(0, 5), (-1, 5), (5, 0)])
def test_nothing_is_asked_for_nothing(depth, most):
    store = Sorted([])

    assert len(settled(store, depth, most=most, kind="bm25").rows) == 0
    assert store.asked == []


def test_batches_that_do_not_fit_are_refused():
    kept = GivenVectors(2)
    rows, vectors = np.array([0, 1]), np.eye(2, dtype=np.float32)

    with pytest.raises(InputError, match="different numbers"):
        kept.add((rows, ["one"], vectors))
    with pytest.raises(InputError, match="different numbers"):
        kept.add((rows, ["one", "two"], vectors[:1]))
    with pytest.raises(InputError, match=r"\(2, 3\).* 2 dimensions"):
        kept.add((rows, ["one", "two"], np.ones((2, 3), np.float32)))


def test_a_row_given_twice_is_refused():
    kept = GivenVectors(2)
    kept.add((np.array([3, 3]), ["one", "two"], np.eye(2, dtype=np.float32)))

    with pytest.raises(InputError, match="duplicate row"):
        _ = kept.stored


def test_a_row_that_nobody_gave_is_told():
    kept = GivenVectors(2)
    kept.add((np.array([3, 5]), ["one", "two"], np.eye(2, dtype=np.float32)))

    def near(_unit, _asked):
        return np.array([3, 4]), np.array([1.0, 0.5])

    with pytest.raises(InputError, match="row 4,"):
        kept.dense(np.ones(2, np.float32), 5, near, approximate=False)


def test_progress_counts_chunks_not_batches():
    seen = []

    def track(items, doing, *, total=None, unit=""):
        seen.append((doing, total, unit))
        for item in items:
            seen.append(item)
            yield item

    batches = [(np.arange(2), ["a", "b"], None), (np.arange(2, 5), ["c", "d", "e"], None)]

    assert len(list(counted(batches, "filling", 5, track))) == 2
    assert seen == [("filling", 5, "chunks"), 0, 1, 2, 3, 4]


@pytest.mark.parametrize("total", [0, 1, 9])
def test_a_wrong_total_does_no_harm(total):
    batches = [(np.arange(3), ["a", "b", "c"], None)]

    assert len(list(counted(batches, "filling", total, lambda items, *_, **__: items))) == 1
