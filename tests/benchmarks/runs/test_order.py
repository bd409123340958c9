"""The best order of documents that share items is exact for few, and bounded in work for many."""

import math
import random
from itertools import permutations

import pytest

from assay.benchmarks.runs import attainable
from assay.benchmarks.runs.attainable import best_order


def worth(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def drawn(items, documents, chance, seed):
    """Draw documents that meet each item with a chance; an item has one grade."""
    random_ = random.Random(seed)
    grades = [random_.choice([1, 2, 3]) for _ in range(items)]
    found = [
        {item: grades[item] * random_.choice([1.0, 0.7]) for item in range(items)
         if random_.random() < chance}
        for _ in range(documents)
    ]  # fmt: skip
    return [one for one in found if one]


def gains_of(order):
    """Claim the items of documents one after the other."""
    claimed, gains = set(), []
    for one in order:
        gains.append(max((gain for item, gain in one.items() if item not in claimed), default=0.0))
        claimed |= one.keys()
    return gains


def test_by_hand():
    assert best_order([]) == []
    assert best_order([{1: 0.0}]) == []
    assert best_order([{1: 2.0}, {1: 1.0}, {2: 3.0}]) == [3.0, 2.0]  # any of two is right
    assert best_order([{1: 3.0, 2: 2.0}, {2: 2.0}]) == [2.0, 3.0]
    assert best_order([{1: 3.0, 2: 2.0}, {2: 2.0}], 1) == [3.0]


def test_the_gain_of_the_metric_decides():
    # 3 + 1 / log2(3) against 2 + 3 / log2(3): as 2^gain - 1 the first three outweighs.
    documents = [{1: 3.0, 2: 2.0}, {2: 2.0}, {3: 1.0}]
    assert best_order(documents) == [2.0, 3.0, 1.0]
    assert best_order(documents, value=lambda gain: 10.0**gain) == [3.0, 1.0]


@pytest.mark.parametrize("seed", range(8))
def test_it_is_as_good_as_every_order(seed):
    documents = drawn(6, 6, 0.4, seed)
    for k in (2, None):
        best = max(worth(gains_of(order)[:k]) for order in permutations(documents))
        assert worth(best_order(documents, k)[:k]) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(3))
def test_many_items_are_at_least_as_good_as_taking_the_best_each_time(seed, monkeypatch):
    documents = drawn(16, 24, 0.2, seed)
    found = worth(best_order(documents))
    assert found >= worth(attainable._greedy(documents))
    monkeypatch.setattr(attainable, "STEPS", 16 * 24 * 16)
    assert worth(best_order(documents)) <= found
    assert worth(best_order(documents)) >= worth(attainable._greedy(documents))


def test_the_work_is_bounded(monkeypatch):
    steps = 0
    follow = attainable._Search._next

    def counted(self, state):
        nonlocal steps
        for one in follow(self, state):
            steps += 1
            yield one

    monkeypatch.setattr(attainable._Search, "_next", counted)
    best_order(drawn(40, 120, 0.08, 0), 10)
    assert 0 < steps <= attainable.STEPS / 40
    steps = 0
    assert best_order(drawn(300, 300, 0.01, 0))
    assert steps == 0  # so many are taken greedily
