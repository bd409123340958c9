"""Places of rows: rising, as many kept as can be, all new where there is no room."""

from itertools import combinations, count, pairwise

from hypothesis import given
from hypothesis import strategies as st

from assay.workspace.store.versions.placement import HIGHEST, STEP, place_rows

nothing = count(-1, -1)
places = st.lists(
    st.none() | st.integers(1, 40), max_size=7, unique_by=lambda one: one or next(nothing)
)


def rises(numbers):
    return all(first < second for first, second in pairwise(numbers))


def test_by_hand():
    assert place_rows([]) == []
    assert place_rows([None, None]) == [STEP, 2 * STEP]
    assert place_rows([5, None]) == [5, 5 + STEP]
    assert place_rows([None, 100, None, 200, None]) == [50, 100, 150, 200, 200 + STEP]
    assert place_rows([1, None, 2]) == [STEP, 2 * STEP, 3 * STEP]  # no room between 1 and 2
    assert place_rows([None, 1]) == [STEP, 2 * STEP]
    assert place_rows([HIGHEST, None]) == [STEP, 2 * STEP]


@given(old=places)
def test_places_rise_and_most_are_kept(old):
    found = place_rows(old)
    assert len(found) == len(old)
    assert rises(found)
    assert all(0 < place < 2**63 for place in found)
    wide = [place and place * STEP for place in old]
    kept = sum(wish == new for wish, new in zip(wide, place_rows(wide), strict=True))
    wishes = [place for place in old if place is not None]
    sizes = range(len(wishes) + 1)
    assert kept == max(n for n in sizes for some in combinations(wishes, n) if rises(some))


def test_a_place_can_be_halved_twenty_times():
    """Then all rows get new places, once."""
    old = [STEP, 2 * STEP]
    for _ in range(20):
        old = place_rows([old[0], None, *old[1:]])
        assert old[-1] == 2 * STEP
    assert place_rows([old[0], None, *old[1:]])[-1] > 2 * STEP
