"""Scores, gates and fallbacks of one ranking, and the controls beside it."""

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engines.coherence.controls import neighbour_average, shuffled_graph
from assay.engines.coherence.graph import Graph, mutual_graph
from assay.engines.coherence.rank import alignments, best_first, kept, rank
from assay.records import CoherenceSettings

# As in test_solve: a and b are joined, c is alone, and the solution was worked out there.
VECTORS = np.array([[0.8, 0.6], [0.6, 0.8], [0.6, -0.8]])
QUERY = np.array([1.0, 0.0])
COSINES = VECTORS @ QUERY
OPEN = CoherenceSettings(gap_margin=1.0, tolerance=1e-12, max_iterations=99)


def ranked(chosen, *, vectors=VECTORS, query=QUERY):
    return rank(vectors, query, vectors @ query, graph=mutual_graph(vectors), settings=chosen)


def test_the_scores_by_hand():
    found, unit = ranked(OPEN), 8.12**2
    drops = [0.005 - 0.5 * 2.8928 / unit, 0.005 + 0.5 * 1.9552 / unit, 0.0]
    aligned = [7.38 / math.hypot(7.38, 2.02), 6.78 / math.hypot(6.78, 2.78), 9 / math.hypot(9, 4)]
    mean, spread = statistics.fmean(drops), statistics.pstdev(drops)
    z = [(drop - mean) / spread for drop in drops]
    expected = [0.1 * one + 0.9 * near for one, near in zip(z, aligned, strict=True)]
    np.testing.assert_allclose(found.scores, expected, atol=1e-11)
    assert (found.gate, found.fallback) == (None, None)
    # About .75, .96 and .82: a's own coherence term rises, and a sinks; b's falls, and b rises.
    assert found.order.tolist() == sorted(range(3), key=lambda at: -expected[at])
    assert found.order.tolist() == found.ungated.tolist() == [1, 2, 0]


def test_without_alpha_only_the_alignment_counts():
    found = ranked(replace(OPEN, alpha=0.0))
    np.testing.assert_allclose(found.scores, alignments(found.solved.solution.values, QUERY))
    assert found.order.tolist() == [0, 1, 2]


def test_drops_that_are_all_the_same_count_for_nothing():
    # Without smoothing there is no coherence term: no drop, and z is 0, not a division by 0.
    found = ranked(replace(OPEN, smoothing=0.0))
    np.testing.assert_allclose(
        found.scores, 0.9 * alignments(found.solved.solution.values, QUERY), atol=1e-11
    )


def test_a_row_of_zeros_has_no_direction():
    assert alignments(np.array([[0.0, 0.0], [0.0, 2.0]]), np.array([0.0, 1.0])).tolist() == [0, 1]
    assert alignments(np.ones((2, 2)), np.zeros(2)).tolist() == [0, 0]


def test_ties_keep_the_order_they_came_in():
    assert best_first(np.array([0.5, 0.7, 0.5, 0.7])).tolist() == [1, 3, 0, 2]
    # The same candidate six times over: nothing tells them apart, whatever the sums round to.
    same = np.tile([[0.6, 0.48, 0.64]], (4, 1))
    found = ranked(replace(OPEN, neighbours=3), vectors=same, query=np.array([0.8, 0.6, 0.0]))
    assert found.ungated.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(20))
def test_candidates_that_are_the_same_stay_as_they_came(seed):
    # Each twice, and all joined: the sums of a pair are the same but for the order of their terms.
    random = np.random.default_rng(seed)
    query = np.array([1.0, 0.0, 0.0])
    rows = random.random((4, 3)) + 0.1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.repeat(rows[np.argsort(-(rows @ query))], 2, axis=0)
    order = ranked(replace(OPEN, neighbours=7), vectors=rows, query=query).ungated.tolist()
    assert all(order.index(at) < order.index(at + 1) for at in range(0, 8, 2))


def spread_out(cosines):
    """Candidates in a plane, with these cosines to the query (1, 0)."""
    near = np.array(cosines)
    return np.stack([near, np.sqrt(1 - near**2)], axis=1)


@pytest.mark.parametrize(
    ("cosines", "gate"),
    [
        ([0.9] + [0.8] * 8 + [0.70], "easy"),  # .2 above the tenth
        ([0.9] + [0.8] * 8 + [0.76], None),
        ([0.9] + [0.8] * 8 + [0.76, 0.1], None),  # what comes after the tenth does not matter
        ([0.9, 0.8, 0.7], "easy"),  # of fewer the last counts
        ([0.9], None),  # alone there is no gap
    ],
)
def test_the_easy_gate_compares_the_first_with_the_tenth(cosines, gate):
    assert kept(np.array(cosines), CoherenceSettings()) == (gate, None)


def test_the_margin_itself_is_not_above_the_margin():
    assert kept(np.array([0.75, 0.5]), CoherenceSettings(gap_margin=0.25)) == (None, None)
    assert kept(np.array([0.75, 0.5]), CoherenceSettings(gap_margin=0.249)) == ("easy", None)


def test_an_easy_query_keeps_its_order_and_shows_the_other():
    found = ranked(replace(OPEN, gap_margin=0.15))  # .8 - .6
    assert (found.gate, found.fallback) == ("easy", None)
    assert found.order.tolist() == [0, 1, 2]
    assert found.ungated.tolist() == [1, 2, 0]


def test_a_fall_below_the_least_is_of_low_impact():
    total = ranked(OPEN).drop.total
    assert ranked(replace(OPEN, min_drop=total)).gate is None
    found = ranked(replace(OPEN, min_drop=total + 1e-9))
    assert (found.gate, found.fallback, found.order.tolist()) == ("low_impact", None, [0, 1, 2])
    assert found.ungated.tolist() == [1, 2, 0]


def test_all_on_the_other_side_of_the_query_leave_no_anchor():
    found = ranked(OPEN, vectors=spread_out([0.0, -0.1, -0.9]))
    assert (found.gate, found.fallback, found.order.tolist()) == (None, "no_anchor", [0, 1, 2])
    assert (found.solved, found.drop) == (None, None)


def test_a_residual_above_the_tolerance_is_a_fallback_and_one_at_the_cap_is_not():
    needs = ranked(OPEN).solved
    cap = max(needs.baseline.iterations, needs.solution.iterations)
    assert ranked(replace(OPEN, max_iterations=cap)).fallback is None
    found = ranked(replace(OPEN, max_iterations=cap - 1))
    assert (found.gate, found.fallback) == (None, "residual")
    assert found.order.tolist() == found.ungated.tolist() == [0, 1, 2]


def test_a_forced_fallback_is_said_to_be_forced():
    found = ranked(replace(OPEN, force_fallback=True, gap_margin=0.0))
    assert (found.gate, found.fallback) == (None, "forced")
    assert found.order.tolist() == found.ungated.tolist() == [0, 1, 2]
    assert found.drop.total > 0


def test_the_neighbour_average_by_hand():
    # a and b are each other's only neighbour, c keeps what it has.
    scores = neighbour_average(COSINES, mutual_graph(VECTORS))
    np.testing.assert_allclose(scores, [0.7, 0.7, 0.6])
    # Path 0 - 1 - 2 with weights 1 and 4: the middle one gets (.6 + 4 * .2) / 5 = .28.
    path = Graph(3, np.array([0, 1]), np.array([1, 2]), np.array([1.0, 4.0]))
    scores = neighbour_average(np.array([0.6, 0.4, 0.2]), path)
    np.testing.assert_allclose(scores, [0.5, 0.34, 0.3])


def test_a_shuffled_graph_has_the_same_shape_at_other_places():
    graph = mutual_graph(np.random.default_rng(1).standard_normal((30, 4)))
    names = [f"d{at}" for at in range(30)]
    shuffled = shuffled_graph(graph, names)
    assert sorted(shuffled.degrees()) == pytest.approx(sorted(graph.degrees()))
    assert shuffled.components() == graph.components()
    assert (shuffled.first < shuffled.second).all()
    assert shuffled.first.tolist() != graph.first.tolist()
    again = shuffled_graph(graph, names)
    assert again.first.tolist() == shuffled.first.tolist()
    other = shuffled_graph(graph, names, seed=1)
    assert other.first.tolist() != shuffled.first.tolist()
    renamed = shuffled_graph(graph, ["\udc80", *names[1:]])  # any text names a candidate
    assert renamed.first.tolist() != shuffled.first.tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(2, 16))
def test_any_candidates_are_ranked_each_once(seed, count, dimension):
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[random.random(count) < 0.1] = 0.0
    query = random.standard_normal(dimension)
    query /= np.linalg.norm(query)
    vectors = vectors[np.argsort(-(vectors @ query), kind="stable")]
    found = ranked(CoherenceSettings(gap_margin=0.5), vectors=vectors, query=query)
    assert sorted(found.order) == sorted(found.ungated) == list(range(count))
    assert np.isfinite(found.scores).all()
    if not found.gate and not found.fallback:
        assert (np.diff(found.scores[found.order]) <= 0).all()
    else:
        assert found.order.tolist() == list(range(count))
