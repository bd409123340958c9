"""Where a text is cut before it is parsed."""

from hypothesis import given
from hypothesis import strategies as st

from assay.corpora.programs._depth import DEEPEST, within_depth


def test_by_hand():
    assert within_depth(b"(" * 500) == b"(" * 500
    assert within_depth(b"(" * 501) == b"(" * 500
    assert within_depth(b"x = 1\n" + b"[{(" * 200) == (b"x = 1\n" + b"[{(" * 200)[:506]
    assert within_depth(b"()" * 9000) == b"()" * 9000
    assert within_depth(b"[}" * 501) == b"[}" * 500
    assert within_depth(b")" * 600 + b"(" * 500) == b")" * 600 + b"(" * 500
    assert within_depth(b"x = 1;" + b"List<" * 100) == b"x = 1;List"
    assert within_depth(b"a < b;" * 1000) == b"a < b;" * 1000
    assert within_depth(b"") == b""


@given(st.lists(st.sampled_from([b"(" * 90, b")" * 90, b"[" * 90, b"]" * 90, b"x"]), max_size=40))
def test_what_is_left_is_not_too_deep_and_could_not_be_longer(parts):
    data = b"".join(parts)
    kept = within_depth(data)
    assert data.startswith(kept)
    assert depth(kept) <= DEEPEST
    if kept != data:
        assert depth(data[: len(kept) + 1]) > DEEPEST


def depth(data):
    """Count what is open at the deepest place, one byte after the other."""
    deepest, counts = 0, {}
    for byte in data.decode():
        if byte in "([{":
            counts[byte] = counts.get(byte, 0) + 1
        elif byte in ")]}":
            left = "([{"[")]}".index(byte)]
            counts[left] = max(0, counts.get(left, 0) - 1)
        deepest = max(deepest, sum(counts.values()))
    return deepest
