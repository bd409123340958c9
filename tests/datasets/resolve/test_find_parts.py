"""Parts are found in the same texts with polars and without it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.datasets.resolve import _find_parts
from assay.datasets.resolve._find_parts import find_parts

LETTERS = st.text("ab/\n", max_size=8)


@pytest.mark.parametrize("installed", [True, False])
def test_by_hand(monkeypatch, installed):
    monkeypatch.setattr(_find_parts, "find_spec", lambda _: installed or None)
    texts = ["src/aaa.py", "", "docs/a.md", "aa", "src/"]

    found = sorted(find_parts(["aa", "docs/", "src", "x"], texts))

    assert found == [(0, "aa"), (0, "src"), (2, "docs/"), (3, "aa"), (4, "src")]


@pytest.mark.parametrize("installed", [True, False])
def test_no_part_reaches_from_one_text_into_the_next(monkeypatch, installed):
    monkeypatch.setattr(_find_parts, "find_spec", lambda _: installed or None)

    assert list(find_parts(["a\nb"], ["a", "b", "a\n", "\nb", "a\nb"])) == [(4, "a\nb")]


@pytest.mark.parametrize("installed", [True, False])
def test_no_parts_are_found_nowhere(monkeypatch, installed):
    monkeypatch.setattr(_find_parts, "find_spec", lambda _: installed or None)

    assert list(find_parts([], ["a"])) == []


@given(st.sets(LETTERS.filter(bool), min_size=1, max_size=5), st.lists(LETTERS, max_size=6))
def test_both_ways_agree(parts, texts):
    one, other = _find_parts._find_each(parts, texts), _find_parts._find_all(parts, texts)

    assert sorted(one) == sorted(other)
