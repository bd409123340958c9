"""Both solves and the energy: by hand, and against a dense solver."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from assay.engines.coherence.conjugate_gradient import conjugate_gradient
from assay.engines.coherence.energy import condition_bound, energy, fall
from assay.engines.coherence.graph import mutual_graph
from assay.engines.coherence.solve import anchors, solve
from assay.records import CoherenceSettings

EXACT = CoherenceSettings(tolerance=1e-12, max_iterations=200)

# The query is y = (1, 0). a and b are joined (cosine .96), c is alone: its cosine with a is 0, with
# b -.28. Both ends of the one edge have the same degree, so L of a and b is [[1, -1], [-1, 1]].
VECTORS = np.array([[0.8, 0.6], [0.6, 0.8], [0.6, -0.8]])
QUERY = np.array([1.0, 0.0])
ANCHOR = np.array([0.4, 0.3, 0.3])  # .8, .6 and .6 divided by 2


def solved_by_hand():
    graph = mutual_graph(VECTORS)
    return solve(VECTORS, QUERY, anchor=ANCHOR, graph=graph, settings=EXACT)


def test_the_anchor_by_hand():
    np.testing.assert_allclose(anchors(VECTORS @ QUERY), ANCHOR)
    assert anchors(np.array([0.0, -0.5])) is None
    assert anchors(np.empty(0)) is None


def test_both_solves_by_hand():
    # (I + .5 L) has the inverse [[.75, .25], [.25, .75]] on a and b, and is 1 for c.
    found = solved_by_hand()
    baseline = [[0.75, 0.65], [0.65, 0.75], [0.6, -0.8]]
    np.testing.assert_allclose(found.baseline.values, baseline, atol=1e-12)
    # With the anchor: [[3.1, -.5], [-.5, 2.7]] q = [[2.4, .6], [1.8, .8]], determinant 8.12, and
    # 2.2 q = (1.8, -.8) for c.
    solution = [[7.38 / 8.12, 2.02 / 8.12], [6.78 / 8.12, 2.78 / 8.12], [9 / 11, -4 / 11]]
    np.testing.assert_allclose(found.solution.values, solution, atol=1e-12)
    assert 1 <= found.baseline.iterations <= 3
    assert 1 <= found.solution.iterations <= 3
    assert found.residual <= 1e-12


def test_the_energy_by_hand():
    found = solved_by_hand()
    before = energy(found.baseline.values, VECTORS, QUERY, found, EXACT)
    # qa - qb = (.1, -.1): qa.(qa - qb) = .01, and so is qb.(qb - qa); half of that each.
    np.testing.assert_allclose(before["coherence"], [0.005, 0.005, 0], atol=1e-12)
    # With the pulls 1.6, 1.2 and 1.2: .25^2 + .65^2, .35^2 + .75^2 and .4^2 + .8^2.
    np.testing.assert_allclose(before["anchor"], [0.776, 0.822, 0.96], atol=1e-12)
    np.testing.assert_allclose(before["ground"], [0.005, 0.005, 0], atol=1e-12)
    # In units of 1 / 8.12: qa - qb = (.6, -.76), qa - y = (-.74, 2.02), qb - y = (-1.34, 2.78),
    # qa - a = (.884, -2.852), qb - b = (1.908, -3.716). In units of 1 / 11: qc - y = (-2, -4),
    # qc - c = (2.4, 4.8).
    drop, unit = fall(VECTORS, QUERY, found, EXACT), 8.12**2
    coherence = [0.005 - 0.5 * 2.8928 / unit, 0.005 + 0.5 * 1.9552 / unit, 0]
    anchor = [0.776 - 1.6 * 4.628 / unit, 0.822 - 1.2 * 9.524 / unit, 0.96 - 1.2 * 20 / 121]
    ground = [0.005 - 8.91536 / unit, 0.005 - 17.44912 / unit, -28.8 / 121]
    np.testing.assert_allclose(drop.items["coherence"], coherence, atol=1e-12)
    np.testing.assert_allclose(drop.items["anchor"], anchor, atol=1e-12)
    np.testing.assert_allclose(drop.items["ground"], ground, atol=1e-12)
    assert drop.baseline == pytest.approx(2.578)
    assert drop.total == pytest.approx(sum(coherence) + sum(anchor) + sum(ground))
    assert drop.coherence_fraction == pytest.approx(sum(coherence) / drop.total)
    assert condition_bound(ANCHOR, EXACT) == pytest.approx(1 + 2 * 0.5 + 4 * 0.4)


def test_where_nothing_pulls_nothing_falls():
    still = CoherenceSettings(anchor=0.0)
    found = solve(VECTORS, QUERY, anchor=ANCHOR, graph=mutual_graph(VECTORS), settings=still)
    drop = fall(VECTORS, QUERY, found, still)
    assert (drop.total, drop.coherence_fraction, found.solution.iterations) == (0.0, None, 0)


def test_a_column_with_nothing_on_its_right_side_is_zero():
    matrix = csr_array(np.array([[2.0, -1.0], [-1.0, 2.0]]))
    right = np.array([[0.0, 1.0], [0.0, 0.0]])
    found = conjugate_gradient(matrix, right, np.ones((2, 2)), tolerance=1e-12, cap=9)
    np.testing.assert_allclose(found.values, [[0, 2 / 3], [0, 1 / 3]], atol=1e-12)
    zero = conjugate_gradient(matrix, np.zeros((2, 2)), np.ones((2, 2)), tolerance=0.0, cap=9)
    assert (zero.iterations, zero.residual, zero.values.any()) == (0, 0.0, False)


def test_terms_that_cancel_are_no_failure():
    # The second column is what rounding left of 1 - 1: it is not to be solved to 1e-3 of itself.
    matrix = csr_array(np.array([[2.0, -0.9, 0.1], [-0.9, 2.0, -0.7], [0.1, -0.7, 1.7]]))
    right = np.array([[1.0, 1e-17], [0.3, -2e-17], [0.7, 3e-17]])
    start = np.array([[0.3, 0.1], [0.7, 1 / 3], [0.9, 0.7]])
    found = conjugate_gradient(matrix, right, start, tolerance=1e-3, cap=3)
    assert found.residual <= 1e-3
    assert np.abs(found.values[:, 1]).max() < 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_what_rounding_leaves_of_no_fall_is_none(seed):
    # Without a pull the second solve only polishes the first, and the energy rises and falls in
    # its last bits.
    vectors, query = asked(seed, 30, 8)
    chosen = CoherenceSettings(anchor=0.0, tolerance=0.0, max_iterations=40)
    b, graph = anchors(vectors @ query), mutual_graph(vectors)
    found = solve(vectors, query, anchor=b, graph=graph, settings=chosen)
    assert fall(vectors, query, found, chosen).total == 0


def test_the_cap_stops_and_the_residual_tells():
    random = np.random.default_rng(0)
    half = random.standard_normal((30, 30))
    matrix, right = csr_array(half @ half.T + np.eye(30)), random.standard_normal((30, 3))
    start = np.zeros((30, 3))
    full = conjugate_gradient(matrix, right, start, tolerance=1e-6, cap=500)
    assert full.residual <= 1e-6
    # At the very count it needs it has converged; with one iteration less it has not.
    exactly = conjugate_gradient(matrix, right, start, tolerance=1e-6, cap=full.iterations)
    assert (exactly.iterations, exactly.residual) == (full.iterations, full.residual)
    short = conjugate_gradient(matrix, right, start, tolerance=1e-6, cap=full.iterations - 1)
    assert short.residual > 1e-6
    true = np.linalg.norm(right - matrix @ short.values, axis=0) / np.linalg.norm(right, axis=0)
    assert short.residual == pytest.approx(true.max())
    assert conjugate_gradient(matrix, right, start, tolerance=1e-6, cap=0).residual == 1.0


def asked(seed, count, dimension):
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, dimension))
    vectors += random.uniform(0, 2) * random.standard_normal(dimension)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query = random.standard_normal(dimension)
    query /= np.linalg.norm(query)
    if vectors[0] @ query <= 0:
        vectors[0] = -vectors[0]  # so that there is an anchor
    return vectors, query


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 40),
    dimension=st.integers(2, 16),
    weights=st.tuples(st.floats(0.1, 5), st.floats(0, 5), st.floats(0, 20)),
)
def test_the_solves_are_those_of_a_dense_solver(seed, count, dimension, weights):
    vectors, query = asked(seed, count, dimension)
    ground, smoothing, anchor = weights
    chosen = CoherenceSettings(
        ground=ground, smoothing=smoothing, anchor=anchor, tolerance=1e-10, max_iterations=500
    )
    b, graph = anchors(vectors @ query), mutual_graph(vectors)
    found = solve(vectors, query, anchor=b, graph=graph, settings=chosen)
    smooth = ground * np.eye(count) + smoothing * graph.laplacian().toarray()
    baseline = np.linalg.solve(smooth, ground * vectors)
    np.testing.assert_allclose(found.baseline.values, baseline, atol=1e-7)
    right = ground * vectors + anchor * np.outer(b, query)
    solution = np.linalg.solve(smooth + anchor * np.diag(b), right)
    np.testing.assert_allclose(found.solution.values, solution, atol=1e-7)
    bound = condition_bound(b, chosen)
    assert np.linalg.cond(smooth + anchor * np.diag(b)) <= bound * (1 + 1e-9)


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 40),
    dimension=st.integers(2, 16),
    cap=st.integers(0, 20),
)
def test_the_energy_never_rises_and_its_items_add_up(seed, count, dimension, cap):
    vectors, query = asked(seed, count, dimension)
    chosen = CoherenceSettings(max_iterations=cap)
    b, graph = anchors(vectors @ query), mutual_graph(vectors)
    drop = fall(
        vectors, query, solve(vectors, query, anchor=b, graph=graph, settings=chosen), chosen
    )
    assert drop.total >= 0
    assert abs(sum(drop.terms.values()) - drop.total) <= 1e-6 * drop.baseline
    assert sum(x.sum() for x in drop.items.values()) == pytest.approx(drop.total, abs=1e-9)


def test_many_columns_are_solved_in_blocks_as_in_one():
    vectors, query = asked(5, 300, 300)  # 90,000 numbers: three blocks
    b, graph = anchors(vectors @ query), mutual_graph(vectors)
    found = solve(vectors, query, anchor=b, graph=graph, settings=EXACT)
    smooth = np.eye(300) + 0.5 * graph.laplacian().toarray()
    np.testing.assert_allclose(found.baseline.values, np.linalg.solve(smooth, vectors), atol=1e-10)


def test_no_ranking_depends_on_how_columns_are_split(monkeypatch):
    """All columns take as many steps as the last one needs, in whatever block that is."""
    vectors, query = asked(6, 60, 40)
    # Columns that are solved at different speeds: half of them differ little between neighbours.
    vectors[:, 20:] = vectors[:, 20:] * 1e-3 + vectors[:, 20:].mean(axis=0)
    b, graph = anchors(vectors @ query), mutual_graph(vectors)
    found = []
    for numbers in (1, 60 * 7, 60 * 20, 10**9):
        monkeypatch.setattr(sys.modules[conjugate_gradient.__module__], "NUMBERS", numbers)
        found.append(solve(vectors, query, anchor=b, graph=graph, settings=CoherenceSettings()))
    for one in found[1:]:
        assert one.solution.iterations == found[0].solution.iterations
        np.testing.assert_allclose(one.baseline.values, found[0].baseline.values, atol=1e-13)
        np.testing.assert_allclose(one.solution.values, found[0].solution.values, atol=1e-13)
