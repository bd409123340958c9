"""Coherence against the definitions alone: dense solutions, planted queries, what must not matter.

The oracle is written from the definitions, with dense matrices and `numpy.linalg`; it shares no
code with what it checks.
"""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from assay.engines.coherence.energy import condition_bound
from assay.engines.coherence.graph import mutual_graph
from assay.engines.coherence.study import study
from assay.engines.stages.coherence import coherence
from assay.records import CoherenceSettings, FoundRows, SearchInput

OPEN = CoherenceSettings(gap_margin=9.0, min_drop=0.0)  # no gate closes
TIGHT = replace(OPEN, tolerance=1e-13, max_iterations=500)  # as good as exact


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def candidates(seed, *, count=20, dimension=8, shared=1.0, noise=1.0):
    """Return a query and candidates around it, best first."""
    rng = np.random.default_rng(seed)
    query = unit(rng.normal(size=dimension))
    rows = unit(shared * query + noise * rng.normal(size=(count, dimension)) / np.sqrt(dimension))
    return rows[np.argsort(-(rows @ query), kind="stable")], query


def names_of(rows):
    return [f"d{place:03}" for place in range(len(rows))]


def studied(rows, query, *, settings=TIGHT, names=None, **options):
    return study(rows, query, names=names or names_of(rows), settings=settings, **options)


def graph_of(rows, neighbours=5):
    """Return the weights of edges between rows that are among each other's nearest."""
    cosines = rows @ rows.T
    count = len(rows)
    near = np.zeros((count, count), bool)
    for i in range(count):
        others = sorted((j for j in range(count) if j != i), key=lambda j: -cosines[i, j])
        near[i, others[:neighbours]] = True
    return np.where(near & near.T & (cosines > 0), cosines, 0.0)


def laplacian_of(weights):
    degree = weights.sum(axis=1)
    scale = np.array([1 / np.sqrt(d) if d > 0 else 0.0 for d in degree])
    return np.diag((degree > 0).astype(float)) - scale[:, None] * weights * scale[None, :]


class Oracle:
    """Everything the definitions name, for one query."""

    def __init__(self, rows, query, settings=TIGHT, *, weights=None, baseline=None):
        lg, lc, lq = settings.ground, settings.smoothing, settings.anchor
        self.rows, self.query, self.settings = rows, query, settings
        self.cosines = rows @ query
        self.weights = graph_of(rows, settings.neighbours) if weights is None else weights
        self.laplacian = laplacian_of(self.weights)
        positive = np.maximum(self.cosines, 0)
        self.anchor = positive / positive.sum()
        plain = lg * np.eye(len(rows)) + lc * self.laplacian
        self.matrix = plain + lq * np.diag(self.anchor)
        solved = np.linalg.solve(plain, lg * rows)
        self.baseline = solved if baseline is None else baseline
        pull = lg * rows + lq * np.outer(self.anchor, query)
        self.solution = np.linalg.solve(self.matrix, pull)
        drops = self.terms(self.baseline) - self.terms(self.solution)
        self.coherence, self.anchored, self.grounded = drops
        self.delta = drops.sum()

    def terms(self, rows):
        """Return the energy, term by term and item by item."""
        settings = self.settings
        return np.array(
            [
                settings.smoothing * np.einsum("ij,ij->i", rows, self.laplacian @ rows),
                settings.anchor * self.anchor * ((rows - self.query) ** 2).sum(axis=1),
                settings.ground * ((rows - self.rows) ** 2).sum(axis=1),
            ]
        )

    def alignment(self, rows):
        lengths = np.linalg.norm(rows, axis=1)
        return np.array(
            [r @ self.query / n if n else 0 for r, n in zip(rows, lengths, strict=True)]
        )

    @property
    def scores(self):
        drop, alpha = self.coherence, self.settings.alpha
        spread = drop.std()
        z = np.zeros(len(drop)) if spread < 1e-6 else (drop - drop.mean()) / spread
        return alpha * z + (1 - alpha) * self.alignment(self.solution)

    @property
    def order(self):
        return np.argsort(-self.scores, kind="stable")


def items_of(receipt, names):
    by_name = {item.document: item for item in receipt.items}
    return [by_name[name] for name in names]


def numbers_of(receipt, names):
    """Return what a receipt says of each document, in the order of names."""
    return np.array(
        [
            [
                item.coherence,
                item.anchor,
                item.ground,
                item.cosine,
                item.baseline_alignment,
                item.alignment,
                item.score,
            ]
            for item in items_of(receipt, names)
        ]
    )


def truth(oracle):
    return np.array(
        [
            oracle.coherence,
            oracle.anchored,
            oracle.grounded,
            oracle.cosines,
            oracle.alignment(oracle.baseline),
            oracle.alignment(oracle.solution),
            oracle.scores,
        ]
    ).T


def check_numbers(numbers, oracle):
    np.testing.assert_allclose(numbers, truth(oracle), atol=1e-7, rtol=1e-6)


def check_sums(receipt):
    """Check that the items' terms add up to the terms, and these to the fall of the energy."""
    allowed = 1e-6 * receipt.energy_baseline
    for term in ("coherence", "anchor", "ground"):
        total = sum(getattr(item, term) for item in receipt.items)
        assert abs(total - receipt.terms[term]) <= allowed
    assert abs(sum(receipt.terms.values()) - receipt.delta_h) <= allowed
    assert abs(receipt.energy_baseline - receipt.energy - receipt.delta_h) <= allowed


# Every number


@examples(max_examples=60, deadline=None)
@given(
    count=st.integers(1, 30),
    dimension=st.integers(2, 16),
    shared=st.floats(0.2, 3),
    seed=st.integers(0, 9_999),
)
def test_every_number_is_that_of_dense_solutions(count, dimension, shared, seed):
    rows, query = candidates(seed, count=count, dimension=dimension, shared=shared)
    if (rows @ query).max() <= 0.01:
        return
    got, oracle = studied(rows, query), Oracle(rows, query)
    receipt, names = got.receipt, names_of(rows)
    check_numbers(numbers_of(receipt, names), oracle)
    check_sums(receipt)
    assert receipt.delta_h == pytest.approx(oracle.delta, abs=1e-8)
    assert receipt.energy_baseline == pytest.approx(oracle.terms(oracle.baseline).sum())
    assert receipt.energy == pytest.approx(oracle.terms(oracle.solution).sum())
    fraction = oracle.coherence.sum() / oracle.delta
    assert receipt.coherence_fraction == pytest.approx(fraction, abs=1e-6)
    assert list(got.orders["coherence"]) == [names[place] for place in oracle.order]
    assert (receipt.gate, receipt.fallback, receipt.candidates) == (None, None, count)


@pytest.mark.parametrize(
    "changes",
    [
        {"ground": 0.5, "smoothing": 2.0, "anchor": 1.0},
        {"neighbours": 2, "alpha": 0.5},
        {"neighbours": 1, "anchor": 20.0},
        {"alpha": 1.0},
        {"alpha": 0.0},
        {"smoothing": 0.0},
    ],
)
def test_every_setting_does_what_the_definition_says(changes):
    rows, query = candidates(4)
    settings = replace(TIGHT, **changes)
    got, oracle = studied(rows, query, settings=settings), Oracle(rows, query, settings)
    check_numbers(numbers_of(got.receipt, names_of(rows)), oracle)
    assert list(got.orders["coherence"]) == [names_of(rows)[place] for place in oracle.order]


@pytest.mark.parametrize("seed", range(30))
def test_rough_solutions_still_add_up_and_never_raise_the_energy(seed):
    rows, query = candidates(seed, count=5 + 3 * seed, dimension=16, shared=0.2 + 0.1 * seed)
    for iterations in (1, 2, 3, 20):
        receipt = studied(rows, query, settings=replace(OPEN, max_iterations=iterations)).receipt
        check_sums(receipt)
        assert receipt.delta_h >= 0
        assert (receipt.fallback == "residual") == (receipt.residual > OPEN.tolerance)


def test_the_default_tolerance_is_near_the_exact_solution():
    for seed in range(10):
        rows, query = candidates(seed, count=60, dimension=32)
        got, oracle = studied(rows, query, settings=OPEN), Oracle(rows, query)
        assert got.receipt.fallback is None
        assert got.receipt.residual <= 1e-3
        assert got.receipt.delta_h == pytest.approx(oracle.delta, rel=1e-2)


def test_the_condition_bound_is_above_the_condition_of_a_thousand_graphs():
    rng = np.random.default_rng(11)
    nearest, looked_at = 0.0, 0
    for number in range(1_100):
        count, dimension = int(rng.integers(1, 13)), int(rng.integers(2, 7))
        rows, query = candidates(rng.integers(1 << 30), count=count, dimension=dimension)
        lg, lc, lq = rng.uniform(0.05, 2), rng.uniform(0, 3), rng.uniform(0, 8)
        settings = replace(OPEN, ground=lg, smoothing=lc, anchor=lq, neighbours=3)
        if (rows @ query).max() <= 0:
            continue
        oracle = Oracle(rows, query, settings)
        bound = condition_bound(oracle.anchor, settings)
        values = np.linalg.eigvalsh(oracle.matrix)
        true = values[-1] / values[0]
        assert true == pytest.approx(np.linalg.cond(oracle.matrix))
        assert bound >= true * (1 - 1e-12)
        assert bound == pytest.approx((lg + 2 * lc + lq * oracle.anchor.max()) / lg)
        nearest, looked_at = max(nearest, true / bound), looked_at + 1
        if number % 20 == 0:
            receipt = studied(rows, query, settings=settings).receipt
            assert receipt.condition_bound == pytest.approx(bound)
    assert looked_at >= 1_000  # some have no anchor
    assert nearest > 0.5  # the thousand come near it: a bound that is too small would be seen


# The baseline


def test_a_baseline_that_is_not_smoothed_is_noticed():
    differ = 0
    for seed in range(10):
        rows, query = candidates(seed)
        names, right = names_of(rows), Oracle(rows, query)
        wrong = Oracle(rows, query, baseline=rows)  # the drop from X instead of Qb
        got = studied(rows, query)
        check_numbers(numbers_of(got.receipt, names), right)
        with pytest.raises(AssertionError):
            check_numbers(truth(wrong), right)
        assert wrong.delta > right.delta * 1.05
        assert got.receipt.delta_h == pytest.approx(right.delta)
        assert list(got.orders["coherence"]) == [names[place] for place in right.order]
        differ += wrong.order.tolist() != right.order.tolist()
    assert differ >= 8


# The graph


def edges_of(receipt):
    return {frozenset((one, other)): weight for one, other, weight in receipt.edges}


def expected_edges(weights, names):
    return {
        frozenset((names[i], names[j])): weights[i, j]
        for i, j in zip(*np.nonzero(np.triu(weights)), strict=True)
    }


@pytest.mark.parametrize("seed", range(20))
def test_edges_are_those_of_mutual_neighbours_each_once(seed):
    rows, query = candidates(seed, count=25, dimension=6, shared=0.5)
    receipt, names = studied(rows, query).receipt, names_of(rows)
    weights = graph_of(rows)
    assert len(edges_of(receipt)) == len(receipt.edges)
    assert edges_of(receipt) == pytest.approx(expected_edges(weights, names))
    assert all(weight > 0 for *_, weight in receipt.edges)
    for place, item in enumerate(items_of(receipt, names)):
        near = {names[j]: weights[place, j] for j in np.flatnonzero(weights[place])}
        assert dict(item.neighbours) == pytest.approx(near)
        assert len(item.neighbours) <= 5
    assert receipt.components == components_of(weights)


def components_of(weights):
    """Count what hangs together; a node without edges is one of its own."""
    left, count = set(range(len(weights))), 0
    while left:
        count += 1
        reached = [left.pop()]
        while reached:
            near = set(np.flatnonzero(weights[reached.pop()]).tolist()) & left
            left -= near
            reached.extend(near)
    return count


def test_a_neighbour_that_is_not_mutual_is_none():
    # One is near to three that are nearer to each other: its nearest, but not theirs.
    angles = np.radians([0, 2, 4, 40])
    rows = np.array([[np.cos(a), np.sin(a)] for a in angles])
    receipt = studied(rows, rows[0], settings=replace(TIGHT, neighbours=2)).receipt
    assert set(edges_of(receipt)) == {
        frozenset(pair) for pair in (("d000", "d001"), ("d001", "d002"), ("d000", "d002"))
    }
    (alone,) = (item for item in receipt.items if item.document == "d003")
    assert alone.neighbours == ()
    assert alone.coherence == 0.0
    assert receipt.components == 2


def test_a_negative_cosine_makes_no_edge():
    rows = unit(np.array([[1.0, 1.0], [1.0, -1.2]]))  # both near the query, but not to each other
    receipt = studied(rows, np.array([1.0, 0.0])).receipt
    assert rows[0] @ rows[1] < 0
    assert (receipt.edges, receipt.components) == ((), 2)
    assert receipt.terms["coherence"] == 0.0
    right_angles = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert studied(right_angles, np.array([0.8, 0.6])).receipt.edges == ()


@pytest.mark.parametrize("seed", range(20))
def test_the_laplacian_is_symmetric_and_positive_with_zero_rows_for_the_isolated(seed):
    rows, query = candidates(seed, count=30, dimension=12, shared=0.4)
    rows, query = np.pad(rows, ((0, 0), (0, 2))), np.pad(query, (0, 2))
    rows[-2:] = np.eye(14)[-2:]  # at right angles to all others
    rows = rows[np.argsort(-(rows @ query), kind="stable")]
    weights = graph_of(rows)
    isolated = weights.sum(axis=1) == 0
    laplacian = mutual_graph(rows, neighbours=5).laplacian().toarray()
    np.testing.assert_allclose(laplacian, laplacian_of(weights), atol=1e-12)
    assert (laplacian == laplacian.T).all()
    values = np.linalg.eigvalsh(laplacian)
    assert values.min() > -1e-12
    assert values.max() <= 2 + 1e-12
    assert isolated.sum() >= 2
    assert not laplacian[isolated].any()
    receipt, names = studied(rows, query).receipt, names_of(rows)
    check_numbers(numbers_of(receipt, names), Oracle(rows, query))
    for item, alone in zip(items_of(receipt, names), isolated, strict=True):
        assert (item.neighbours == ()) == alone
        assert item.coherence == 0.0 or not alone


@pytest.mark.parametrize("seed", range(5))
def test_the_overlap_of_an_approximate_graph(seed):
    rows, query = candidates(seed, count=40, dimension=32)
    names = names_of(rows)
    looked = replace(TIGHT, graph="approximate", min_overlap=1e-9)
    receipt = studied(rows, query, settings=looked).receipt
    exact, got = set(expected_edges(graph_of(rows), names)), set(edges_of(receipt))
    assert receipt.graph == "approximate"
    assert receipt.edge_overlap == pytest.approx(len(exact & got) / len(exact))
    assert receipt.edge_jaccard == pytest.approx(len(exact & got) / len(exact | got))
    cosines = rows @ rows.T
    for one, other, weight in receipt.edges:
        assert weight == pytest.approx(cosines[names.index(one), names.index(other)])
    if receipt.edge_overlap < 1:
        strict = studied(rows, query, settings=replace(looked, min_overlap=1.0)).receipt
        assert set(edges_of(strict)) == exact
        assert strict.graph.startswith("exact")
        assert strict.edge_overlap == receipt.edge_overlap  # that of the graph that was not taken
    blind = studied(rows, query, settings=replace(looked, min_overlap=0.0)).receipt
    assert (blind.edge_overlap, blind.edge_jaccard) == (None, None)
    assert set(edges_of(blind)) == got


# What must not matter


@pytest.mark.parametrize("seed", range(10))
def test_a_rotation_of_the_space_changes_nothing(seed):
    rows, query = candidates(seed, dimension=10)
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(10, 10)))
    one, other = studied(rows, query), studied(rows @ turn, query @ turn)
    names = names_of(rows)
    np.testing.assert_allclose(
        numbers_of(one.receipt, names), numbers_of(other.receipt, names), atol=1e-9
    )
    for method in one.orders.keys() - {"shuffled_graph"}:
        assert one.orders[method] == other.orders[method], method
    assert edges_of(one.receipt) == pytest.approx(edges_of(other.receipt))
    assert one.receipt.condition_bound == pytest.approx(other.receipt.condition_bound)


@pytest.mark.parametrize("seed", range(10))
def test_candidates_in_another_order_have_the_same_receipt(seed):
    rows, query = candidates(seed)
    names = names_of(rows)
    mixed = np.random.default_rng(seed).permutation(len(rows))
    one = studied(rows, query)
    other = studied(rows[mixed], query, names=[names[place] for place in mixed])
    np.testing.assert_allclose(
        numbers_of(one.receipt, names), numbers_of(other.receipt, names), atol=1e-9
    )
    assert edges_of(one.receipt) == pytest.approx(edges_of(other.receipt))
    assert one.receipt.delta_h == pytest.approx(other.receipt.delta_h)
    assert one.orders["coherence"] == other.orders["coherence"]
    assert one.orders["neighbour_average"] == other.orders["neighbour_average"]


def test_the_same_input_gives_the_same_receipt():
    rows, query = candidates(1, count=80, dimension=64)
    one, other = studied(rows, query), studied(rows.copy(), query.copy())
    assert one.orders == other.orders
    assert one.receipt.items == other.receipt.items


# The controls


@pytest.mark.parametrize("seed", range(10))
def test_the_neighbour_average(seed):
    rows, query = candidates(seed, count=30, dimension=6, shared=0.3)
    weights, cosines = graph_of(rows), rows @ query
    averaged = [
        0.5 * s + 0.5 * (w @ cosines / w.sum() if w.sum() else s)
        for s, w in zip(cosines, weights, strict=True)
    ]
    order = np.argsort(-np.array(averaged), kind="stable")
    for settings in (TIGHT, CoherenceSettings()):  # it passes no gate
        got = studied(rows, query, settings=settings).orders["neighbour_average"]
        assert list(got) == [f"d{place:03}" for place in order]


@pytest.mark.parametrize("seed", range(8))
def test_the_shuffled_graph_is_the_same_method_on_some_order_of_the_nodes(seed):
    rows, query = candidates(seed, count=6, dimension=4, shared=0.5)
    settings = replace(TIGHT, neighbours=2, alpha=0.5)
    names, weights = names_of(rows), graph_of(rows, 2)
    if (rows @ query).max() <= 0:
        return
    possible = set()
    for nodes in permutations(range(6)):
        shuffled = weights[np.ix_(nodes, nodes)]
        order = Oracle(rows, query, settings, weights=shuffled).order
        possible.add(tuple(names[place] for place in order))
    assert studied(rows, query, settings=settings).orders["shuffled_graph"] in possible


def test_the_shuffled_graph_is_shuffled_and_stays_so():
    differ = 0
    for seed in range(10):
        rows, query = candidates(seed, count=30)
        one, again = studied(rows, query).orders, studied(rows, query).orders
        assert one["shuffled_graph"] == again["shuffled_graph"]
        assert sorted(one["shuffled_graph"]) == names_of(rows)
        differ += one["shuffled_graph"] != one["coherence"]
    assert differ >= 8


def test_without_edges_there_is_nothing_to_shuffle():
    rows, query = np.eye(8), unit(np.linspace(2, 1, 8))
    got = studied(rows, query)
    assert (got.receipt.edges, got.receipt.components) == ((), 8)
    assert got.orders["shuffled_graph"] == got.orders["coherence"]
    assert list(got.orders["coherence"]) == [f"d{p:03}" for p in Oracle(rows, query).order]


# The fraction


def fractions(settings):
    for seed in range(60):
        rows, query = candidates(seed, count=8, dimension=3, shared=0.3)
        if (rows @ query).max() > 0:
            fraction = studied(rows, query, settings=settings).receipt.coherence_fraction
            oracle = Oracle(rows, query, settings)
            assert fraction == pytest.approx(oracle.coherence.sum() / oracle.delta, abs=1e-6)
            yield fraction


def test_the_coherence_fraction_is_not_clamped():
    usual = list(fractions(TIGHT))
    assert min(usual) < -0.05  # a query between its candidates can draw neighbours apart
    # A weak pull moves the terms in proportion to it, their sum only in proportion to its square.
    weak = list(fractions(replace(TIGHT, anchor=0.05)))
    assert min(weak) < -1
    assert max(weak) > 1


# Gates and fallbacks


def with_cosines(cosines, seed, dimension=12):
    """Return candidates with just these cosines to the query, else in directions of chance."""
    rng = np.random.default_rng(seed)
    query = np.eye(dimension)[0]
    other = rng.normal(size=(len(cosines), dimension))
    other[:, 0] = 0
    cosines = np.asarray(cosines)[:, None]
    return cosines * query + np.sqrt(1 - cosines**2) * unit(other), query


def planted():
    """Return the settings, candidates and fate of queries of every kind."""
    default = CoherenceSettings()
    flat = np.linspace(0.55, 0.45, 20)
    for seed in range(7):
        yield default, with_cosines(np.append(0.9, flat), seed), ("easy", None)
    for seed in range(5):  # all of them the query itself, nearly: nothing is left to gain
        yield default, with_cosines(np.linspace(0.9995, 0.999, 20), seed), ("low_impact", None)
    for seed in range(3):
        yield default, with_cosines(np.linspace(0, -0.1, 20), seed), (None, "no_anchor")
    for seed in range(2):
        hurried = replace(default, max_iterations=1, tolerance=1e-9)
        yield hurried, with_cosines(flat, seed), (None, "residual")
    for seed in range(4):
        yield replace(default, force_fallback=True), with_cosines(flat, seed), (None, "forced")
    for seed in range(9):
        yield default, with_cosines(flat, seed), (None, None)


def test_gates_and_fallbacks_happen_as_often_as_they_were_planted():
    got, meant = Counter(), Counter()
    for settings, (rows, query), fate in planted():
        result = studied(rows, query, settings=settings)
        happened = (result.receipt.gate, result.receipt.fallback)
        got[happened] += 1
        meant[fate] += 1
        if fate != (None, None):
            assert result.orders["coherence"] == result.orders["cosine"], fate
            assert all(item.rank_before == item.rank_after for item in result.receipt.items), fate
    assert got == meant
    assert sorted(meant.values()) == [2, 3, 4, 5, 7, 9]


def test_a_gate_that_is_opened_ranks_as_coherence_does():
    flat = np.linspace(0.55, 0.45, 20)
    rows, query = with_cosines(np.append(0.9, flat), 1)
    gated = studied(rows, query, settings=replace(TIGHT, gap_margin=0.15))
    names = names_of(rows)
    assert gated.receipt.gate == "easy"
    assert list(gated.orders["coherence_open"]) == [
        names[place] for place in Oracle(rows, query).order
    ]
    assert gated.orders["coherence_open"] != gated.orders["coherence"]
    forced = studied(rows, query, settings=replace(TIGHT, force_fallback=True))
    assert forced.orders["coherence_open"] == forced.orders["cosine"]


@pytest.mark.parametrize(
    ("cosines", "gate"),
    [
        ([0.6, *[0.46] * 9, 0.1, 0.1], None),  # the tenth counts, not the last
        ([0.6, *[0.46] * 8, 0.44, 0.44, 0.44], "easy"),
        ([0.6, 0.5, 0.44], "easy"),  # of three, the third
        ([0.6, 0.5, 0.46], None),
        ([0.6], None),
    ],
)
def test_the_easy_gate_looks_at_the_first_and_the_tenth(cosines, gate):
    rows, query = with_cosines(cosines, 3, dimension=30)
    assert studied(rows, query, settings=replace(TIGHT, gap_margin=0.15)).receipt.gate == gate


def test_the_low_impact_gate_is_at_the_fall_of_the_energy():
    rows, query = candidates(2)
    fall = Oracle(rows, query).delta
    for factor, gate in ((0.999, None), (1.001, "low_impact")):
        receipt = studied(rows, query, settings=replace(TIGHT, min_drop=factor * fall)).receipt
        assert (receipt.gate, receipt.fallback) == (gate, None)


@pytest.mark.parametrize("seed", range(5))
def test_convergence_at_the_cap_is_no_fallback_and_one_less_is_one(seed):
    rows, query = candidates(seed, count=60, dimension=16)
    exact = replace(OPEN, tolerance=1e-8, max_iterations=500)
    free = studied(rows, query, settings=exact).receipt
    needed = max(free.iterations.values())
    assert 2 < needed < 500
    assert free.fallback is None
    at_cap = studied(rows, query, settings=replace(exact, max_iterations=needed)).receipt
    assert at_cap.iterations == free.iterations
    assert (at_cap.fallback, at_cap.residual) == (None, free.residual)
    assert at_cap.residual <= 1e-8
    short = studied(rows, query, settings=replace(exact, max_iterations=needed - 1)).receipt
    assert short.fallback == "residual"
    assert short.residual > 1e-8
    assert max(short.iterations.values()) == needed - 1


def iterations_of(matrix, right, start, tolerance, *, preconditioned=True):
    """Count the steps of conjugate gradient on dense matrices, all columns at once."""
    scale = np.diag(matrix)[:, None] if preconditioned else 1.0
    values, rest = start.copy(), right - matrix @ start
    towards = rest / scale
    for done in range(500):
        if (np.linalg.norm(rest, axis=0) / np.linalg.norm(right, axis=0)).max() <= tolerance:
            return done, values
        steep = (rest * rest / scale).sum(axis=0)
        step = steep / (towards * (matrix @ towards)).sum(axis=0)
        values, rest = values + step * towards, rest - step * (matrix @ towards)
        towards = rest / scale + (rest * rest / scale).sum(axis=0) / steep * towards
    raise AssertionError("no convergence")


@pytest.mark.parametrize("seed", range(5))
def test_the_solver_is_conjugate_gradient_with_the_diagonal_as_preconditioner(seed):
    rows, query = candidates(seed, count=40, dimension=8, shared=0.3)
    settings = replace(OPEN, anchor=60.0, max_iterations=500)
    receipt, oracle = studied(rows, query, settings=settings).receipt, Oracle(rows, query, settings)
    plain = oracle.matrix - 60 * np.diag(oracle.anchor)
    right = rows + 60 * np.outer(oracle.anchor, query)
    first, start = iterations_of(plain, rows, rows, 1e-3)
    second, _ = iterations_of(oracle.matrix, right, start, 1e-3)
    assert list(receipt.iterations.values()) == [first, second]
    slower, _ = iterations_of(oracle.matrix, right, start, 1e-3, preconditioned=False)
    assert slower > second + 2  # it would be seen if there were none


def test_where_the_solver_starts():
    rows, query = candidates(1, count=40)
    # Next to no pull: the solution is the baseline, so that one who starts there is there.
    receipt = studied(rows, query, settings=replace(OPEN, anchor=1e-9)).receipt
    assert receipt.iterations["baseline"] > 0
    assert receipt.iterations["solution"] == 0
    # Next to no smoothing: the baseline is where the candidates are.
    receipt = studied(rows, query, settings=replace(OPEN, smoothing=1e-9)).receipt
    assert receipt.iterations["baseline"] == 0
    assert receipt.iterations["solution"] > 0


def test_the_cap_is_kept():
    rows, query = candidates(3, count=60, dimension=16)
    for cap in (1, 2, 5):
        hurried = replace(OPEN, tolerance=1e-12, max_iterations=cap)
        receipt = studied(rows, query, settings=hurried).receipt
        assert max(receipt.iterations.values()) <= cap
        assert receipt.fallback == "residual"


def test_a_query_is_gated_or_falls_back_and_never_both():
    rows, query = candidates(3, count=60, dimension=16)
    hurried = replace(OPEN, tolerance=1e-12, max_iterations=1, min_drop=1e9)
    receipt = studied(rows, query, settings=hurried).receipt
    assert (receipt.gate, receipt.fallback) == (None, "residual")


# Sizes


def test_many_dimensions_and_input_that_nobody_may_write_to():
    rows, query = candidates(8, count=80, dimension=1_000)
    rows.setflags(write=False)
    query.setflags(write=False)
    got, oracle = studied(rows, query), Oracle(rows, query)
    check_numbers(numbers_of(got.receipt, names_of(rows)), oracle)
    assert list(got.orders["coherence"]) == [names_of(rows)[place] for place in oracle.order]
    single = studied(rows.astype(np.float32), query.astype(np.float32)).receipt
    assert single.delta_h == pytest.approx(oracle.delta, rel=1e-5)


# The stage


def test_the_stage_looks_up_vectors_by_row_and_not_by_place():
    rows, query = candidates(6, count=30)
    where = np.random.default_rng(6).permutation(100)[:30]  # the row of each place
    index = np.random.default_rng(7).normal(size=(100, 8))
    index[where] = rows
    stage = coherence(index.__getitem__, settings=TIGHT, names=lambda some: [str(r) for r in some])
    found = [FoundRows(where, rows @ query, "cosine", 1.0)]
    asked = SearchInput("", 3 * query)  # a query's vector may have any length
    ranked = stage(asked, found)
    assert ranked.rows.tolist() == where[Oracle(rows, query).order].tolist()
    assert ranked.kind == "coherence"
    assert (np.diff(ranked.scores) <= 0).all()
    assert stage.study(asked, found).orders["coherence"] == tuple(map(str, ranked.rows.tolist()))


def test_an_easy_query_costs_no_look_at_any_vector():
    def unasked(_rows):
        raise AssertionError("nobody needs a vector")

    stage = coherence(unasked, settings=CoherenceSettings())
    easy = FoundRows(np.array([4, 2, 7]), np.array([0.9, 0.4, 0.3]), "cosine", 1.0)
    kept = stage(SearchInput("", np.eye(3)[0]), [easy])
    assert kept.rows.tolist() == [4, 2, 7]
    assert kept.scores.tolist() == [0.9, 0.4, 0.3]
    assert kept.kind == "cosine"
