"""One query ranked in every way, and the receipt of it."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.engines.coherence.study import study
from assay.engines.redundancy import redundancy
from assay.errors import InputError
from assay.records import CoherenceSettings, MmrSettings

# As in test_solve: a and b are joined, c is alone.
VECTORS = np.array([[0.8, 0.6], [0.6, 0.8], [0.6, -0.8]])
QUERY = np.array([1.0, 0.0])
NAMES = ["a", "b", "c"]
OPEN = CoherenceSettings(gap_margin=1.0, tolerance=1e-12, max_iterations=99)
ORDERS = {
    "cosine",
    "coherence",
    "coherence_mmr",
    "coherence_open",
    "neighbour_average",
    "shuffled_graph",
}


def by_hand(chosen=OPEN, **options):
    return study(VECTORS, QUERY, names=NAMES, settings=chosen, **options)


def planted(seed, count=30, dimension=8, noise=0.6):
    """Clusters of candidates, and a query near one of them."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((4, dimension))
    vectors = centres[random.integers(4, size=count)]
    vectors = vectors + noise * random.standard_normal((count, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query = centres[0] + noise * random.standard_normal(dimension)
    query /= np.linalg.norm(query)
    return vectors[np.argsort(-(vectors @ query))], query


def test_the_receipt_by_hand():
    receipt, unit = by_hand().receipt, 8.12**2
    assert [item.document for item in receipt.items] == ["b", "c", "a"]
    assert [(item.rank_before, item.rank_after) for item in receipt.items] == [
        (2, 1),
        (3, 2),
        (1, 3),
    ]
    best = receipt.items[0]
    assert best.coherence == pytest.approx(0.005 + 0.5 * 1.9552 / unit)
    assert best.anchor == pytest.approx(0.822 - 1.2 * 9.524 / unit)
    assert best.ground == pytest.approx(0.005 - 17.44912 / unit)
    assert best.cosine == 0.6
    assert best.baseline_alignment == pytest.approx(0.65 / np.hypot(0.65, 0.75))
    assert best.alignment == pytest.approx(6.78 / np.hypot(6.78, 2.78))
    assert best.neighbours == (("a", 0.96),)
    assert receipt.items[1].neighbours == ()
    assert receipt.edges == (("a", "b", 0.96),)
    assert (receipt.components, receipt.candidates, receipt.version) == (2, 3, 1)
    assert receipt.condition_bound == pytest.approx(3.6)
    assert receipt.energy_baseline == pytest.approx(2.578)
    assert receipt.delta_h == pytest.approx(receipt.energy_baseline - receipt.energy)
    assert receipt.redundancy == pytest.approx((0.96 + 0.0 - 0.28) / 3)
    assert (receipt.graph, receipt.edge_overlap, receipt.diversified) == ("exact", None, False)
    assert (receipt.gate, receipt.fallback, receipt.completeness) == (None, None, 1.0)
    assert receipt.settings["gap_margin"] == 1.0
    assert list(receipt.iterations) == ["baseline", "solution"]


def test_the_orders_by_hand():
    found = by_hand()
    assert set(found.orders) == set(found.redundancy) == ORDERS
    assert found.orders["cosine"] == ("a", "b", "c")
    assert found.orders["coherence"] == found.orders["coherence_open"] == ("b", "c", "a")
    assert found.orders["neighbour_average"] == ("a", "b", "c")  # .7, .7 and .6
    assert found.orders["coherence_mmr"] == ("b", "c", "a")  # three are no case for MMR
    assert {len(order) for order in found.orders.values()} == {3}


def test_an_easy_query_shows_what_the_solve_would_have_done():
    found, free = by_hand(replace(OPEN, gap_margin=0.15)), by_hand()
    assert found.receipt.gate == "easy"
    assert found.orders["coherence"] == found.orders["cosine"] == ("a", "b", "c")
    assert found.orders["shuffled_graph"] == found.orders["cosine"]  # it passes the same gates
    assert found.orders["coherence_open"] == free.orders["coherence"]
    assert found.receipt.delta_h == free.receipt.delta_h
    assert found.receipt.completeness == 1.0
    scores = {item.document: item.score for item in free.receipt.items}
    assert {item.document: item.score for item in found.receipt.items} == scores
    assert [item.rank_after for item in found.receipt.items] == [1, 2, 3]
    assert [item.rank_before for item in found.receipt.items] == [1, 2, 3]


def test_the_final_rank_is_that_after_mmr():
    vectors, query = planted(3)
    names = [f"d{at}" for at in range(30)]
    mixing = MmrSettings(k=10, always=True)
    mixed = study(vectors, query, names=names, settings=replace(OPEN, use_mmr=True), mmr=mixing)
    last = sorted(mixed.receipt.items, key=lambda item: item.rank_final)
    assert tuple(item.document for item in last) == mixed.orders["coherence_mmr"]
    assert mixed.orders["coherence_mmr"] != mixed.orders["coherence"]
    assert tuple(item.document for item in mixed.receipt.items) == mixed.orders["coherence"]
    assert mixed.receipt.diversified

    plain = study(vectors, query, names=names, settings=OPEN, mmr=mixing).receipt
    assert all(item.rank_final == item.rank_after for item in plain.items)
    assert not plain.diversified


@pytest.mark.parametrize(("k", "known"), [(1, False), (2, True)])
def test_redundancy_is_promised_of_two_results(k, known):
    receipt = by_hand(mmr=MmrSettings(k=k)).receipt
    assert (receipt.redundancy is not None) is known
    assert receipt.completeness == 1.0


@pytest.mark.parametrize("smoothing", [1e3, 1e6])
@pytest.mark.parametrize("count", [3, 40])
def test_extreme_settings_let_no_energy_rise(smoothing, count):
    """Without a pull nothing falls: what rounding leaves of that is 0, never below."""
    chosen = CoherenceSettings(
        ground=1e-6, smoothing=smoothing, anchor=0.0, max_iterations=1000, tolerance=1e-12,
        gap_margin=9,
    )  # fmt: skip
    for seed in range(10):
        vectors, query = planted(seed, count, 6)
        names = [f"d{at}" for at in range(count)]
        receipt = study(vectors, query, names=names, settings=chosen).receipt
        assert receipt.delta_h is None or receipt.delta_h >= 0
        if receipt.delta_h is not None and smoothing == 1e3:
            parts = sum(item.coherence + item.anchor + item.ground for item in receipt.items)
            assert abs(parts - receipt.delta_h) <= 1e-6 * receipt.energy_baseline


@pytest.mark.parametrize("wrong", [np.array([1.0]), np.array([1.0, 0.0, 0.0])])
def test_a_query_of_another_length_is_one_message(wrong):
    with pytest.raises(InputError, match=rf"\b{len(wrong)} dimension.* 2\b"):
        study(VECTORS, wrong, names=NAMES, settings=OPEN)


def test_whole_numbers_are_numbers():
    whole = replace(OPEN, ground=1, smoothing=2, anchor=4, alpha=0)
    parts = replace(OPEN, ground=1.0, smoothing=2.0, anchor=4.0, alpha=0.0)
    assert by_hand(whole).receipt.items == by_hand(parts).receipt.items


def test_without_an_anchor_there_is_no_solve_and_the_receipt_says_so():
    found = study(VECTORS, -QUERY, names=NAMES, settings=OPEN)
    receipt = found.receipt
    assert (receipt.fallback, receipt.gate) == ("no_anchor", None)
    assert (receipt.delta_h, receipt.terms, receipt.iterations, receipt.energy) == (None,) * 4
    assert receipt.completeness == pytest.approx(10 / 18)  # eight numbers of a solve are absent
    assert found.orders["cosine"] == ("b", "c", "a")  # -.6, -.6, -.8
    assert found.orders["coherence_open"] == found.orders["shuffled_graph"] == ("b", "c", "a")
    assert [item.coherence for item in receipt.items] == [0, 0, 0]
    assert [item.alignment for item in receipt.items] == [item.cosine for item in receipt.items]


def test_gates_and_fallbacks_happen_as_often_as_planted():
    easy = replace(OPEN, gap_margin=0.15, tolerance=1e-3)
    cases = [
        *[(QUERY, easy)] * 7,
        *[(QUERY, replace(OPEN, min_drop=100.0))] * 5,
        *[(-QUERY, easy)] * 3,
        *[(QUERY, replace(OPEN, max_iterations=1))] * 2,
        *[(QUERY, replace(OPEN, force_fallback=True))] * 4,
        *[(QUERY, OPEN)] * 6,
    ]
    receipts = [study(VECTORS, y, names=NAMES, settings=one).receipt for y, one in cases]
    said = [(receipt.gate, receipt.fallback) for receipt in receipts]
    assert said.count(("easy", None)) == 7
    assert said.count(("low_impact", None)) == 5
    assert said.count((None, "no_anchor")) == 3
    assert said.count((None, "residual")) == 2
    assert said.count((None, "forced")) == 4
    assert said.count((None, None)) == 6


def test_diversity_changes_its_own_order_and_no_other():
    vectors, query = planted(2, count=60)
    names = [f"d{at}" for at in range(60)]
    plain = study(vectors, query, names=names, settings=OPEN, mmr=MmrSettings(min_redundancy=1))
    mixed = study(vectors, query, names=names, settings=OPEN, mmr=MmrSettings(always=True))
    assert plain.orders["coherence_mmr"] == plain.orders["coherence"]
    assert mixed.orders["coherence"] == plain.orders["coherence"]
    assert mixed.orders["coherence_mmr"] != mixed.orders["coherence"]
    assert mixed.redundancy["coherence_mmr"] < mixed.redundancy["coherence"]
    where = {name: at for at, name in enumerate(names)}
    first = [where[name] for name in mixed.orders["coherence_mmr"][:10]]
    assert mixed.redundancy["coherence_mmr"] == pytest.approx(redundancy(vectors[first]))
    assert not mixed.receipt.diversified  # it was not asked for
    asked = study(
        vectors,
        query,
        names=names,
        settings=replace(OPEN, use_mmr=True),
        mmr=MmrSettings(always=True),
    )
    assert asked.receipt.diversified


def test_an_approximate_graph_tells_of_its_overlap():
    vectors, query = planted(3, count=100, dimension=64)
    names = [f"d{at}" for at in range(100)]
    chosen = CoherenceSettings(graph="approximate", min_overlap=1.0)
    receipt = study(vectors, query, names=names, settings=chosen).receipt
    assert receipt.graph == f"exact (overlap {receipt.edge_overlap:.2f})"
    assert 0 < receipt.edge_jaccard <= receipt.edge_overlap < 1
    assert receipt.completeness == 1.0
    unseen = replace(chosen, min_overlap=0.0)
    receipt = study(vectors, query, names=names, settings=unseen).receipt
    assert (receipt.graph, receipt.edge_overlap) == ("approximate", None)
    assert receipt.completeness == pytest.approx(18 / 20)  # two that are promised are absent


def test_cosines_that_are_given_decide():
    # An index that keeps bytes has its own cosines; their order is the order to beat.
    found = by_hand(cosines=np.array([0.55, 0.6, 0.5]))
    assert found.orders["cosine"] == ("b", "a", "c")
    assert found.receipt.items[0].cosine in {0.6, 0.55, 0.5}


def test_candidates_may_come_in_any_order():
    vectors, query = planted(6)
    names = [f"d{at}" for at in range(30)]
    mixed = np.random.default_rng(0).permutation(30)
    found = study(vectors[mixed], query, names=[names[at] for at in mixed], settings=OPEN)
    true = study(vectors, query, names=names, settings=OPEN)
    assert found.orders == true.orders
    assert found.receipt.edges == true.receipt.edges
    assert found.receipt.items == true.receipt.items


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one(count):
    found = study(VECTORS[:count], QUERY, names=NAMES[:count])
    assert set(found.orders.values()) == {tuple(NAMES[:count])}
    assert set(found.redundancy.values()) == {None}
    assert found.receipt.candidates == found.receipt.components == count
    assert found.receipt.fallback == (None if count else "no_anchor")
    assert not count or found.receipt.completeness == 1.0


def test_a_query_of_any_length_and_rows_that_are_nearly_unit():
    vectors, query = planted(5)
    names = [f"d{at}" for at in range(30)]
    true = study(vectors, query, names=names, settings=OPEN)
    rough = (vectors * np.linspace(0.9, 1.1, 30)[:, None]).astype(np.float32)
    found = study(rough, 7 * query.astype(np.float32), names=names, settings=OPEN)
    assert found.receipt.delta_h == pytest.approx(true.receipt.delta_h, rel=1e-5)
    assert found.orders == true.orders


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(InputError, match="NaN or infinite"):
        study(np.array([[wrong, 1.0]]), QUERY, names=["a"])
    with pytest.raises(InputError, match="NaN or infinite"):
        study(VECTORS, np.array([wrong, 1.0]), names=NAMES)


def test_names_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match=r"3 vectors .* 2 names"):
        study(VECTORS, QUERY, names=["a", "b"])


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("alpha", 1.1),
        ("alpha", float("nan")),
        ("min_overlap", -0.1),
        ("neighbours", 0),
        ("max_iterations", -1),
        ("gap_margin", -0.1),
        ("min_drop", float("inf")),
        ("tolerance", float("nan")),
        ("smoothing", -1.0),
        ("anchor", -1.0),
        ("ground", 0.0),
        ("graph", "hnsw"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(setting, value):
    with pytest.raises(InputError) as caught:
        by_hand(replace(OPEN, **{setting: value}))
    assert caught.value.where == setting
    assert caught.value.hint


def test_a_receipt_can_be_written_down():
    text = json.dumps(asdict(by_hand().receipt), allow_nan=False)
    assert json.loads(text)["items"][0]["neighbours"] == [["a", 0.96]]


def test_the_same_query_gives_the_same_whatever_came_before():
    vectors, query = planted(4)
    names = [f"d{at}" for at in range(30)]
    first = study(vectors, query, names=names, settings=OPEN)
    by_hand()
    again = study(vectors, query, names=names, settings=OPEN)
    assert first.orders == again.orders
    assert first.receipt.items == again.receipt.items


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(2, 16), st.floats(0.0, 3.0))
@example(0, 24, 10, 0.0)  # the same few over and over: q.(LQ) rounds to less than 0
def test_every_receipt_adds_up(seed, count, dimension, noise):
    vectors, query = planted(seed, count, dimension, noise)
    names = [f"ü{at}" for at in range(count)]
    found = study(vectors, query, names=names)
    receipt = found.receipt
    assert all(sorted(order) == sorted(names) for order in found.orders.values())
    assert [item.rank_after for item in receipt.items] == list(range(1, count + 1))
    assert tuple(item.document for item in receipt.items) == found.orders["coherence"]
    assert len(receipt.edges) * 2 == sum(len(item.neighbours) for item in receipt.items)
    place = {name: at for at, name in enumerate(found.orders["cosine"])}
    assert all(place[one] < place[other] for one, other, _ in receipt.edges)
    if receipt.delta_h is None:
        return
    parts = [item.coherence + item.anchor + item.ground for item in receipt.items]
    assert receipt.delta_h >= 0
    assert min(receipt.energy_baseline, receipt.energy) >= 0
    assert abs(sum(parts) - receipt.delta_h) <= 1e-6 * receipt.energy_baseline
    assert sum(receipt.terms.values()) == pytest.approx(sum(parts), abs=1e-9)
    for term in ("coherence", "anchor", "ground"):
        total = sum(getattr(item, term) for item in receipt.items)
        assert receipt.terms[term] == pytest.approx(total, abs=1e-9)
