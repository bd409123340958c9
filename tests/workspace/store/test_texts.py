"""Any text comes back exactly, and no two become one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.store.made import ODD, texts

from assay.errors import InputError
from assay.workspace.store.texts import from_column, hash_texts, label, to_column, to_json


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain", "plain"),
        ("a\0b", "a\\u0000b"),
        ("\ud800", "\\ud800"),
        ("C:\\docs", "C:\\\\docs"),
        ("\\u0000", "\\\\u0000"),
        ("😀", "😀"),
    ],
)
def test_by_hand(text, stored):
    assert to_column(text) == stored
    assert from_column(stored) == text


@given(text=texts)
def test_any_text_comes_back(text):
    stored = to_column(text)
    assert from_column(stored) == text
    stored.encode()
    assert "\0" not in stored


@given(first=st.lists(texts), second=st.lists(texts))
def test_hashes_tell_texts_apart(first, second):
    assert (hash_texts(*first) == hash_texts(*second)) == (first == second)


@pytest.mark.parametrize(
    "value",
    [{"a": (1,)}, {1: 2}, {"a": float("inf")}, {"a": {1}}, {"a": "\ud83d\ude00"}, {"a": b""}],
    ids=repr,
)
def test_what_json_changes_is_refused(value):
    with pytest.raises(InputError, match="payload") as caught:
        to_json(value, "payload")
    assert caught.value.hint


def test_deep_json_is_refused():
    deep = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(InputError):
        to_json(deep, "payload")


@pytest.mark.parametrize("wrong", ["", " ", "x" * 201, None, 5, b"x"], ids=lambda o: repr(o)[:9])
def test_a_name_is_a_short_text(wrong):
    with pytest.raises(InputError, match="name"):
        label(wrong, "name")


@pytest.mark.parametrize("odd", ["\0", "\ud800", "x" * 200, "é" * 200])
def test_a_name_may_hold_anything(odd):
    assert from_column(label(odd, "name")) == odd


def test_odd_texts_are_odd():
    assert len(set(map(to_column, ODD))) == len(ODD)
