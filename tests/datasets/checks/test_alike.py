from hypothesis import given, settings
from hypothesis import strategies as st

from assay.datasets.checks import _alike
from assay.datasets.checks._alike import near_pairs


def brute(sets, threshold):
    return [
        (i, j)
        for j in range(len(sets))
        for i in range(j)
        if sets[i] != sets[j]
        and len(sets[i] & sets[j]) >= threshold * len(sets[i] | sets[j]) - 1e-9
    ]


def test_by_hand():
    sets = [frozenset("abcd"), frozenset("abcde"), frozenset("abxy"), frozenset("abcdexy")]
    assert near_pairs(sets, threshold=0.8) == ([(0, 1, 0.8)], None)
    assert near_pairs(sets, threshold=0.7) == ([(0, 1, 0.8), (1, 3, 5 / 7)], None)


words = st.sampled_from([f"w{i}" for i in range(14)])
unique_sets = st.lists(st.frozensets(words, min_size=1, max_size=12), max_size=40, unique=True)


@settings(max_examples=100)
@given(unique_sets, st.sampled_from([0.3, 0.5, 0.7, 0.8, 0.9, 1.0]), st.sampled_from([0, 2, 16]))
def test_comparing_each_with_each_finds_the_same(sets, threshold, rare):
    kept = _alike.RARE
    _alike.RARE = rare  # words are found alone, or in pairs, or both
    try:
        pairs, cut = near_pairs(sets, threshold=threshold, most=10**9)
    finally:
        _alike.RARE = kept
    assert cut is None
    assert sorted((i, j) for i, j, _ in pairs) == sorted(brute(sets, threshold))
    for i, j, similarity in pairs:
        assert similarity == len(sets[i] & sets[j]) / len(sets[i] | sets[j])


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_long_sets_too(seed):
    import random

    draw = random.Random(seed)
    first = [f"w{i}" for i in draw.sample(range(400), 150)]
    sets = [frozenset(first)]
    for changes in range(1, 40, 3):
        other = {*first[changes:], *(f"x{i}" for i in range(draw.randrange(changes + 1)))}
        sets.append(frozenset(other))
    pairs, _ = near_pairs(sets, threshold=0.8, most=10**9)
    assert sorted((i, j) for i, j, _ in pairs) == sorted(brute(sets, 0.8))


def test_a_family_is_cut_and_each_of_its_members_is_named():
    template = frozenset(f"t{i}" for i in range(12))
    sets = [template | {f"n{i}"} for i in range(2000)]
    pairs, cut = near_pairs(sets, threshold=0.8)
    assert cut is None
    assert len(pairs) <= 10 * 2000 / 2
    assert len({number for i, j, _ in pairs for number in (i, j)}) > 1990


def test_a_spent_budget_says_where_it_ended():
    sets = [frozenset(f"w{(i * k) % 31}" for k in range(1, 9)) for i in range(1, 31)]
    _, cut = near_pairs(list(dict.fromkeys(sets)), threshold=0.3, budget=5)
    assert cut is not None
