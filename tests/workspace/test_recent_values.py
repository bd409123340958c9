"""What was used last stays, up to a number of bytes."""

from hypothesis import given
from hypothesis import strategies as st

from assay.workspace.recent_values import RecentValues


def test_by_hand():
    recent = RecentValues(6)
    recent.put_many({"a": b"11", "b": b"22", "c": b"33"})
    assert recent.get_many("ac") == {"a": b"11", "c": b"33"}
    recent.put_many({"d": b"4"})  # b was not used for longest
    assert recent.get_many("abcd") == {"a": b"11", "c": b"33", "d": b"4"}
    recent.put_many({"d": b"4444"})  # in the place of the other, for which a goes
    assert recent.get_many("abcd") == {"c": b"33", "d": b"4444"}
    recent.put_many({"e": b"7777777"})  # never fits
    assert recent.get_many("cde") == {"c": b"33", "d": b"4444"}
    recent.clear()
    recent.put_many({"a": b"666666"})
    assert recent.get_many("acd") == {"a": b"666666"}


@given(
    st.integers(0, 9),
    st.lists(st.tuples(st.integers(0, 4), st.binary(max_size=5))),
)
def test_never_more_than_the_limit_and_never_another_value(most, puts):
    recent, last = RecentValues(most), {}
    for key, value in puts:
        recent.put_many({key: value})
        if len(value) <= most:
            last[key] = value
        found = recent.get_many(range(5))
        assert sum(map(len, found.values())) <= most
        assert found.items() <= last.items()
        assert len(value) > most or found[key] == value
