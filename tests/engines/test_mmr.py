import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.engines.mmr import mmr
from assay.engines.redundancy import redundancy
from assay.records import MmrSettings

ALWAYS = MmrSettings(always=True)


def at(degrees):
    return np.array([[np.cos(a), np.sin(a)] for a in np.radians(degrees)])


def test_by_hand():
    # Scores .9, .8, .5, .1 become 1, .875, .5, 0. Lambda .5:
    # 1st: a, .5 * 1 + .5 (nothing is chosen yet: as unlike as can be).
    # 2nd: b .4375 - .5 cos 0 = -.0625; c .25 - .5 cos 60 = 0; d 0 - .5 cos 90 = 0.
    #      c and d tie: the earlier is chosen.
    # 3rd: b -.0625; d 0 - .5 cos 30 = -.433: b. 4th: d.
    settings = MmrSettings(relevance=0.5, always=True)
    order, worths = mmr(np.array([0.9, 0.8, 0.5, 0.1]), at([0, 0, 60, 90]), settings=settings)
    assert order.tolist() == [0, 2, 1, 3]
    assert worths == pytest.approx([1, 0, -0.0625, -np.sqrt(3) / 4], abs=1e-12)


def test_only_k_are_chosen_and_the_rest_stay_in_order():
    scores, rows = np.array([5.0, 4, 3, 2, 1]), at([0, 1, 2, 3, 90])
    order, worths = mmr(scores, rows, settings=ALWAYS, k=2)
    assert order.tolist() == [0, 4, 1, 2, 3]
    assert len(worths) == 2


def test_what_is_not_in_the_pool_is_not_chosen():
    scores, rows = np.array([5.0, 4, 3, 2, 1]), at([0, 1, 2, 45, 90])
    order, _ = mmr(scores, rows, settings=MmrSettings(always=True, pool=4), k=2)
    assert order.tolist() == [0, 3, 1, 2, 4]
    many = np.zeros((60, 2))
    many[:, 0] = 1
    many[49:] = [0, 1]  # the fiftieth is the last of five times ten
    order, _ = mmr(np.linspace(1, 0, 60), many, settings=ALWAYS)
    assert order[:3].tolist() == [0, 49, 1]
    many[49] = [1, 0]
    order, worths = mmr(np.linspace(1, 0, 60), many, settings=ALWAYS)
    assert order.tolist() == list(range(60))
    assert len(worths) == 10


def test_scores_are_scaled_over_the_pool_and_not_beyond():
    scores, rows = np.array([1.0, 0.9, 0.8, -50]), at([0, 30, 90, 90])
    settings = MmrSettings(relevance=0.5, always=True, pool=3)
    # Scaled over the pool: 1, .5, 0: .25 - .5 cos 30 = -.183 against 0 - 0.
    assert mmr(scores, rows, settings=settings, k=2)[0].tolist() == [0, 2, 1, 3]
    # Over all they would be nearly equal, and the last, at -50, worth nothing.


def test_the_share_of_the_score():
    scores, rows = np.linspace(1, 0, 6), at([0, 1, 2, 3, 4, 90])
    only = MmrSettings(relevance=1.0, always=True)
    assert mmr(scores, rows, settings=only)[0].tolist() == list(range(6))
    none = MmrSettings(relevance=0.0, always=True)
    assert mmr(scores, rows, settings=none)[0].tolist()[:2] == [0, 5]


def redundant(count, redundancy):
    """Return rows with this cosine between any two of them."""
    shared, own = np.sqrt(redundancy), np.sqrt(1 - redundancy)
    return np.hstack([np.full((count, 1), shared), own * np.eye(count)])


@pytest.mark.parametrize(
    ("count", "alike", "k", "chosen"),
    [
        (30, 0.36, None, 10),
        (30, 0.34, None, 0),
        (30, 0.36, 9, 9),
        (30, 0.36, 8, 0),  # k is to be above 8
        (9, 0.36, None, 9),  # fewer than k: k is what there is
        (8, 0.36, None, 0),
        (1, 0.36, None, 0),
        (0, 0.36, None, 0),
    ],
)
def test_when_it_is_worth_it(count, alike, k, chosen):
    scores, rows = np.linspace(1, 0, count), redundant(count, alike)
    order, worths = mmr(scores, rows, settings=MmrSettings(), k=k)
    assert len(worths) == chosen
    assert sorted(order.tolist()) == list(range(count))
    if not chosen:
        assert order.tolist() == list(range(count))


def test_the_redundancy_is_that_of_the_first_k_alone():
    rows = redundant(40, 0.0)
    rows[:10] = rows[0]
    assert len(mmr(np.linspace(1, 0, 40), rows, settings=MmrSettings())[1]) == 10
    assert len(mmr(np.linspace(1, 0, 40), rows[::-1], settings=MmrSettings())[1]) == 0
    rows[5:10] = redundant(40, 0.0)[5:10]  # 10 of 45 pairs are alike
    assert len(mmr(np.linspace(1, 0, 40), rows, settings=MmrSettings())[1]) == 0


@pytest.mark.parametrize("count", [0, 1, 2])
def test_always_means_also_for_one(count):
    order, worths = mmr(np.ones(count), np.ones((count, 3), np.float32), settings=ALWAYS)
    assert order.tolist() == list(range(count))
    assert len(worths) == count


def test_unlike_by_a_negative_cosine_is_worth_more_but_never_more_than_the_first():
    order, worths = mmr(np.array([1.0, 0.9, 0.8]), at([0, 10, 180]), settings=ALWAYS)
    assert order.tolist() == [0, 2, 1]
    assert worths[0] == pytest.approx(1)
    assert worths[1] == pytest.approx(0.7)


def test_equal_rows_stay_in_order_whatever_their_place():
    # Products of equal rows may differ in the last bit with their place in the matrix.
    rng = np.random.default_rng(5)
    rows = np.tile(rng.normal(size=(7, 384)), (7, 1))
    scores = np.zeros(49)
    order, _ = mmr(scores, rows, settings=MmrSettings(always=True, k=49, relevance=0.5))
    assert sorted(order[:7].tolist()) == list(range(7))
    assert order[7:].tolist() == list(range(7, 49))


def slow(scores, rows, relevance, k, pool):
    """Choose as the definition says, pair by pair."""
    rows = [row / np.linalg.norm(row) for row in rows]
    pool = list(range(min(pool, len(rows))))
    kept = scores[: len(pool)]
    low, high = min(kept), max(kept)
    scaled = [(s - low) / (high - low) if high > low else 1.0 for s in kept]
    chosen = []
    while len(chosen) < k:
        left = [i for i in pool if i not in chosen]

        def worth(i):
            alike = max((rows[i] @ rows[j] for j in chosen), default=0.0)
            return relevance * scaled[i] - (1 - relevance) * alike

        chosen.append(max(left, key=worth))
    return chosen + [i for i in range(len(rows)) if i not in chosen]


@settings(max_examples=80, deadline=None)
@given(
    count=st.integers(1, 25),
    dimension=st.integers(2, 8),
    relevance=st.floats(0.05, 1),
    k=st.integers(1, 12),
    pool=st.integers(1, 30),
    seed=st.integers(0, 9999),
)
def test_the_definition(count, dimension, relevance, k, pool, seed):
    rng = np.random.default_rng(seed)
    rows, scores = rng.normal(size=(count, dimension)), np.sort(rng.normal(size=count))[::-1]
    chosen = MmrSettings(relevance=relevance, k=k, pool=pool, always=True)
    order, worths = mmr(scores, rows, settings=chosen)
    k = min(k, count)
    assert order.tolist() == slow(scores, rows, relevance, k, max(pool, k))
    assert len(worths) == k
    assert (np.diff(worths) <= 0).all()


def planted(seed):
    """Return cosines, rows and subtopics of a query whose subtopics come in near-duplicates.

    Five subtopics have six documents each that say nearly the same; they rank subtopic after
    subtopic, with twenty documents about something else below them.
    """
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(5, 32)) + 1.0
    alike = np.repeat(centres, 6, axis=0) + 0.15 * rng.normal(size=(30, 32))
    rows = np.vstack([alike, rng.normal(size=(20, 32)) + 0.5])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    level = np.append(np.repeat([0.9, 0.85, 0.8, 0.75, 0.7], 6), np.full(20, 0.4))
    scores = level + rng.uniform(-0.02, 0.02, size=50)
    best = np.argsort(-scores)
    topics = np.append(np.repeat(np.arange(5), 6), np.full(20, -1))
    return scores[best], rows[best], topics[best]


def gained(orders, topics):
    """Return alpha_ndcg@10 of orders of places, each of a query of its own."""
    items, run = {}, {}
    for query, (order, topic) in enumerate(zip(orders, topics, strict=True)):
        items[str(query)] = [
            ({f"d{place:02}": 1 for place in np.flatnonzero(topic == one)}, 1) for one in range(5)
        ]
        run[str(query)] = {f"d{place:02}": -float(at) for at, place in enumerate(order)}
    report = assay.evaluate(assay.Judgments.of_items(items), run, "alpha_ndcg@10")
    return report.scores["alpha_ndcg@10"]


def test_near_duplicates_give_way_to_other_subtopics():
    queries = [planted(seed) for seed in range(40)]
    orders = [mmr(scores, rows, settings=MmrSettings())[0] for scores, rows, _ in queries]
    topics = [topic for _, _, topic in queries]
    before = gained([np.arange(50)] * 40, topics)
    after = gained(orders, topics)
    assert after > before + 0.05
    alike = [redundancy(rows[:10]) for _, rows, _ in queries]
    less = [
        redundancy(rows[order[:10]]) for (_, rows, _), order in zip(queries, orders, strict=True)
    ]
    assert np.mean(alike) > 0.6
    assert np.mean(less) < np.mean(alike) - 0.2
    assert all(new < old for new, old in zip(less, alike, strict=True))


def test_a_list_without_redundancy_is_left_as_it_is():
    rng = np.random.default_rng(3)
    for _ in range(30):
        rows, scores = rng.normal(size=(50, 64)), np.sort(rng.uniform(size=50))[::-1]
        order, worths = mmr(scores, rows, settings=MmrSettings())
        assert order.tolist() == list(range(50))
        assert not len(worths)
    # At right angles all are equally new, and MMR itself keeps the order of the scores.
    order, worths = mmr(np.linspace(1, 0, 50), np.eye(50), settings=ALWAYS)
    assert order.tolist() == list(range(50))
    assert len(worths) == 10
