import math

import pytest

import assay
from assay.benchmarks.comparisons.diff_rankings import diff_queries, diff_totals
from assay.rankings.load import load
from assay.records import Query

BEFORE = {
    "same": {"a": 3.0, "b": 2.0, "c": 1.0},
    "order": {"a": 3.0, "b": 2.0, "c": 1.0},
    "new": {"a": 3.0, "b": 2.0, "c": 1.0},
    "deep": {"a": 3.0, "b": 2.0, "c": 1.0},
    "gone": {"a": 3.0},
}
AFTER = {
    "same": {"a": 3.0, "b": 2.0, "c": 1.0},
    "order": {"b": 3.0, "a": 2.0, "c": 1.0},
    "new": {"x": 3.0, "a": 2.0, "b": 1.0},
    "deep": {"a": 3.0, "b": 2.0, "x": 1.0},
}
ASKED = [
    Query("same", "the same", weight=50.0),
    Query("order", "another order", weight=20.0),
    Query("new", "a new first", weight=20.0),
    Query("deep", "below the top", weight=9.0),
    Query("gone", "nothing found", weight=1.0),
]


@pytest.fixture
def changes():
    return diff_queries(ASKED, load(BEFORE), load(AFTER), k=2, p=0.9)


def test_by_hand(changes):
    found = {one.query: one for one in changes}
    assert [one.query for one in changes] == ["new", "order", "gone", "same", "deep"]
    new = found["new"]
    assert (new.before, new.after) == (("a", "b"), ("x", "a"))
    assert (new.new, new.gone, new.moved) == (("x",), ("b",), (("a", 1, 2),))
    assert new.share == pytest.approx(0.2)
    assert new.overlap == pytest.approx(1 / 3)
    assert found["order"].changed
    assert not found["order"].documents_changed
    assert not found["deep"].changed  # a, b in both: x stands below the top 2
    assert found["deep"].rbo < 1  # of which whole rankings know
    assert (found["gone"].after, found["gone"].rbo) == ((), 0.0)


def test_totals_by_traffic_and_by_query(changes):
    by_traffic, by_query = (diff_totals(changes, weighted=one) for one in (True, False))
    assert by_traffic.changed == pytest.approx(0.41)
    assert by_query.changed == pytest.approx(3 / 5)
    assert by_traffic.first_changed == pytest.approx(0.41)
    assert by_traffic.documents_changed == pytest.approx(0.21)
    assert (by_traffic.empty_before, by_traffic.empty_after) == (0.0, pytest.approx(0.01))
    mean = sum(one.share * one.rbo for one in changes)
    assert by_traffic.rbo == pytest.approx(mean)
    assert by_traffic.rbo_interval.low < mean < by_traffic.rbo_interval.high


def test_equal_counts_give_the_totals_of_queries():
    even = [Query(one.key, one.text, weight=7.0) for one in ASKED]
    found = diff_queries(even, load(BEFORE), load(AFTER), k=2, p=0.9)
    assert diff_totals(found, weighted=True) == diff_totals(found, weighted=False)


def test_agrees_with_the_metrics_between_rankings(changes):
    from assay.metrics.between.rbo import rbo

    keys = tuple(one.query for one in changes)
    expected = rbo(load(BEFORE), load(AFTER), queries=keys).tolist()
    assert [one.rbo for one in changes] == expected


def test_a_query_that_neither_answers_is_counted():
    found = assay.diff(BEFORE, AFTER, queries=assay.Dataset("d", (*ASKED, Query("none", "none"))))
    one = next(one for one in found.changes if one.query == "none")
    assert (one.before, one.after, one.changed, one.rbo) == ((), (), False, 1.0)
    assert math.isclose(sum(one.share for one in found.changes), 1.0)


def test_the_interval_of_rbo_does_not_depend_on_k():
    """Rankings are compared whole; k only decides what counts as changed, and the order."""
    found = [
        diff_totals(diff_queries(ASKED, load(BEFORE), load(AFTER), k=k, p=0.9), weighted=False)
        for k in (1, 2, 3)
    ]
    assert len({one.rbo_interval for one in found}) == 1
    assert len({one.first_changed_interval for one in found}) == 1
