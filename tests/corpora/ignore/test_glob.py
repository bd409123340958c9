"""A pattern and a path: by hand, then an oracle that tries every way, then hostile patterns."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpora.ignore.glob import glob


def matches(pattern, path):
    return glob(pattern).matches(path, path.rpartition("/")[2], folder=False)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/yb", False),
        ("**/a/**/b", "x/a/y/b", True),
        ("**/a/**/b", "b/a", False),
        ("a/**", "a", False),
        ("a/**", "a/b/c", True),
        ("**/**", "a", True),
        ("**/a*c/**/b", "x/abc/a/b", True),
        ("**/x/y/**/z", "x/x/y/z", True),  # the first x is not followed by y
        ("/**/a/**/a/**/b", "a/b", False),
        ("a/**/**/b", "a/b", True),
    ],
)
def test_by_hand(pattern, path, expected):
    assert matches(pattern, path) is expected


def every_way(pattern, path):
    """Try all that each ** can stand for."""
    if not pattern:
        return not path
    first, *rest = pattern
    if first == "**":
        least = 0 if rest else 1
        return any(every_way(rest, path[skip:]) for skip in range(least, len(path) + 1))
    return bool(path) and matches(first, path[0]) and every_way(rest, path[1:])


SEGMENTS = st.sampled_from(["**", "**", "a", "b", "*", "a*", "*b", "?", "[ab]b"])


@given(
    st.lists(SEGMENTS, min_size=2, max_size=7),
    st.lists(st.sampled_from(["a", "b", "ab", "aab"]), min_size=1, max_size=9),
)
def test_every_way_agrees(pattern, path):
    assert matches("/".join(pattern), "/".join(path)) == every_way(pattern, path)


@pytest.mark.parametrize("part", ["a", "a*a", "*", "?"])
def test_many_stars_take_no_time(part):
    pattern, path = (
        "/**" + f"/{part}/**" * 12 + "/b",
        "/".join(["aaaaaa" if "*" in part else "a"] * 100),
    )
    compiled = glob(pattern)
    start = time.process_time()
    assert not compiled.matches(path, "a", folder=False)
    assert time.process_time() - start < 1
