"""The graph by hand, against a slow one, and how near an approximate one comes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engines.coherence import approximate
from assay.engines.coherence import graph as graphs
from assay.engines.coherence.approximate import approximate_graph, edge_overlap, join
from assay.engines.coherence.check_settings import check_settings
from assay.engines.coherence.graph import Graph, mutual_graph
from assay.errors import InputError
from assay.records import CoherenceSettings


def rows_of(seed, count, dimension):
    """Random directions, some of them twice and some of them zero."""
    random = np.random.default_rng(seed)
    rows = random.standard_normal((count, dimension))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    if count > 3:
        rows[random.integers(count)] = rows[0]
        rows[random.integers(count)] = 0.0
    return rows


def edges_of(graph):
    return list(zip(graph.first.tolist(), graph.second.tolist(), strict=True))


def test_only_mutual_neighbours_are_joined():
    # Degrees on a circle: 0, 10, 12, 60. Nearest of each: 0 -> 10, 10 -> 12, 12 -> 10, 60 -> 12.
    angles = np.radians([0.0, 10.0, 12.0, 60.0])
    graph = mutual_graph(np.stack([np.cos(angles), np.sin(angles)], axis=1), neighbours=1)
    assert edges_of(graph) == [(1, 2)]
    assert graph.weights.tolist() == pytest.approx([np.cos(np.radians(2.0))])
    # Two nearest: 0 -> 10, 12; 10 -> 12, 0; 12 -> 10, 0; 60 -> 12, 10, who do not think so.
    graph = mutual_graph(np.stack([np.cos(angles), np.sin(angles)], axis=1), neighbours=2)
    assert edges_of(graph) == [(0, 1), (0, 2), (1, 2)]
    assert graph.components() == 2


def test_cosines_of_zero_and_below_make_no_edge():
    graph = mutual_graph(np.array([[1.0, 0], [0, 1.0], [-1.0, 0], [0, 0]]), neighbours=3)
    assert edges_of(graph) == []
    assert graph.components() == 4
    assert not graph.laplacian().toarray().any()


def test_of_equally_near_ones_the_earlier_is_nearer():
    # Four times the same row, one neighbour each: 0 -> 1, 1 -> 0, 2 -> 0, 3 -> 0.
    assert edges_of(mutual_graph(np.ones((4, 1)), neighbours=1)) == [(0, 1)]


@pytest.mark.parametrize("turn", np.linspace(0, 3, 30))
def test_equally_near_is_not_a_matter_of_the_last_bit(turn):
    # One in the middle of two, turned about: cos(.2) to both, but for rounding.
    angles = turn + np.array([0.0, 0.2, -0.2])
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert edges_of(mutual_graph(rows, neighbours=1)) == [(0, 1)]


def test_the_laplacian_by_hand():
    # Path 0 - 1 - 2 with weights 1 and 4: degrees 1, 5, 4; node 3 is alone.
    graph = Graph(4, np.array([0, 1]), np.array([1, 2]), np.array([1.0, 4.0]))
    left, right = -1 / np.sqrt(1 * 5), -4 / np.sqrt(5 * 4)
    expected = [[1, left, 0, 0], [left, 1, right, 0], [0, right, 1, 0], [0, 0, 0, 0]]
    np.testing.assert_allclose(graph.laplacian().toarray(), expected)
    assert graph.degrees().tolist() == [1, 5, 4, 0]
    assert graph.components() == 2


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one_have_no_edges(count):
    graph = mutual_graph(np.ones((count, 3)))
    assert (edges_of(graph), graph.components()) == ([], count)
    assert graph.laplacian().shape == (count, count)
    assert edges_of(approximate_graph(np.ones((count, 3)))) == []


def slow_edges(rows, neighbours):
    cosines = np.round(rows @ rows.T, 12)
    near = []
    for row in range(len(rows)):
        others = sorted((-cosines[row, at], at) for at in range(len(rows)) if at != row)
        near.append({at for _, at in others[:neighbours]})
    pairs = [(i, j) for i in range(len(rows)) for j in range(i + 1, len(rows))]
    return [(i, j) for i, j in pairs if j in near[i] and i in near[j] and cosines[i, j] > 0]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 16), st.integers(1, 8))
def test_the_graph_is_that_of_a_slow_one(seed, count, dimension, neighbours):
    rows = rows_of(seed, count, dimension)
    graph = mutual_graph(rows, neighbours=neighbours)
    assert edges_of(graph) == slow_edges(rows, neighbours)
    laplacian = graph.laplacian().toarray()
    np.testing.assert_array_equal(laplacian, laplacian.T)
    assert np.linalg.eigvalsh(laplacian).min() > -1e-9
    assert np.linalg.eigvalsh(laplacian).max() < 2 + 1e-9
    assert not laplacian[graph.degrees() == 0].any()


def test_many_rows_are_compared_some_at_a_time(monkeypatch):
    rows = rows_of(9, 57, 5)
    whole, guess = mutual_graph(rows), approximate_graph(rows)
    monkeypatch.setattr(graphs, "NUMBERS", 57 * 10)
    assert edges_of(mutual_graph(rows)) == edges_of(whole)
    assert mutual_graph(rows).weights.tolist() == whole.weights.tolist()
    assert edges_of(approximate_graph(rows)) == edges_of(guess)


def test_overlap_by_hand():
    exact = Graph(5, np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3]), np.ones(4))
    guess = Graph(5, np.array([0, 1, 3]), np.array([1, 3, 4]), np.ones(3))
    assert edge_overlap(exact, guess) == (1 / 4, 1 / 6)  # 0-1 of four, and of six in all
    assert edge_overlap(exact, exact) == (1.0, 1.0)
    nothing = Graph(5, *(np.empty(0, np.int64),) * 2, np.empty(0))
    assert edge_overlap(nothing, guess) == (None, None)
    assert edge_overlap(exact, nothing) == (0.0, 0.0)


def test_an_approximate_graph_is_seeded_and_its_weights_are_exact():
    rows = rows_of(1, 200, 64)
    graph, again = approximate_graph(rows, seed=3), approximate_graph(rows, seed=3)
    assert edges_of(graph) == edges_of(again) != edges_of(approximate_graph(rows, seed=4))
    cosines = rows @ rows.T
    np.testing.assert_allclose(graph.weights, cosines[graph.first, graph.second], atol=1e-12)
    overlap, jaccard = edge_overlap(mutual_graph(rows), graph)
    assert 0 < jaccard <= overlap < 1


@pytest.mark.parametrize("seed", range(5))
def test_more_directions_find_more_of_the_graph(seed):
    rows = rows_of(seed, 200, 64)
    exact, counts = mutual_graph(rows), (2, 8, 32, 512)
    asked = [CoherenceSettings(graph="approximate", directions=n) for n in counts]
    found = [join(rows, replace(one, min_overlap=1e-9)).overlap for one in asked]
    assert sorted(set(found)) == found
    guesses = [approximate_graph(rows, directions=n) for n in counts]
    assert found == [edge_overlap(exact, guess)[0] for guess in guesses]


def test_an_exact_graph_has_no_directions():
    exact = CoherenceSettings(directions=8)
    assert exact.in_effect() == CoherenceSettings(directions=9).in_effect()
    assert replace(exact, graph="approximate").in_effect()["directions"] == 8
    with pytest.raises(InputError, match="directions"):
        check_settings(CoherenceSettings(graph="approximate", directions=0))


def test_below_the_least_overlap_the_exact_graph_takes_over():
    rows = rows_of(3, 120, 32)
    overlap, jaccard = edge_overlap(mutual_graph(rows), approximate_graph(rows))
    strict = join(rows, CoherenceSettings(graph="approximate", min_overlap=overlap + 1e-6))
    assert strict.label == f"exact (overlap {overlap:.2f})"
    assert edges_of(strict.graph) == edges_of(mutual_graph(rows))
    lenient = join(rows, CoherenceSettings(graph="approximate", min_overlap=overlap))
    assert lenient.label == "approximate"
    assert edges_of(lenient.graph) == edges_of(approximate_graph(rows))
    assert (lenient.overlap, lenient.jaccard) == (strict.overlap, strict.jaccard)
    assert (lenient.overlap, lenient.jaccard) == (overlap, jaccard)


def test_nobody_looks_for_an_overlap_of_nothing(monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("the exact graph was built")

    monkeypatch.setattr(approximate, "mutual_graph", refuse)
    joined = join(rows_of(3, 50, 8), CoherenceSettings(graph="approximate", min_overlap=0))
    assert (joined.label, joined.overlap, joined.jaccard) == ("approximate", None, None)


def test_an_exact_graph_has_no_overlap_to_tell_of():
    joined = join(rows_of(3, 50, 8), CoherenceSettings())
    assert (joined.label, joined.overlap, joined.jaccard) == ("exact", None, None)
