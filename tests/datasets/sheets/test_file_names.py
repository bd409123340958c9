"""Which texts are names of files, and how several in one cell are told from one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.datasets.sheets.file_names import is_id, is_name, is_path, is_prose, split_names

LONG = "src/main/java/" + "org/example/" * 20 + "Reset.java"
PATHS = [
    *("a.md", "docs/a", "Rent, and more.md", "C:\\docs\\a b.md", "a.md#top", "a.py:3-9", LONG),
    *("/help/reset", "/", "https://x.org/a?b=c;d", "重置，说明.md", "x.tar.gz", "v1.2 notes.md"),
]
WORDS = ["D17", "doc_3", "setup-guide"]


@pytest.mark.parametrize("text", PATHS)
def test_paths(text):
    assert is_name(text)
    assert is_path(text)
    assert is_id(text)
    assert not is_prose(text)


@pytest.mark.parametrize("text", WORDS)
def test_ids(text):
    assert is_id(text)
    assert not is_path(text)


@pytest.mark.parametrize("text", ["setup", "Paris", "web", "example.org", "ana@example.org"])
def test_words_may_be_names_and_answers(text):
    assert is_name(text)
    assert not is_id(text)


@pytest.mark.parametrize(
    "text",
    [
        *("42", "3.5", "80%", "2024-05-01", "12/05/2024", "yes", "No", "not relevant", "N/A", "-"),
        *("", " ", "it is so", "It is on the Seine.", "这是一个很长的段落，讲述了许多事情。"),
        *("['a.md', 'b.md']", '["a.md"]', "a.md\nb.md", "x" * 200, "We use and/or as we like"),
    ],
)
def test_no_names(text):
    assert not is_name(text)
    assert not is_id(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a.md; b.md", ["a.md", "b.md"]),
        ("a.md|b.md", ["a.md", "b.md"]),
        ("a.md\nb.md\n", ["a.md", "b.md"]),
        ("a.md,b.md", ["a.md", "b.md"]),
        ("docs/a, docs/b", ["docs/a", "docs/b"]),
        ("D1; D2", ["D1", "D2"]),
        ("a.md;", ["a.md"]),
        ("C:\\a.md;D:\\b c.md", ["C:\\a.md", "D:\\b c.md"]),
        ("https://x.org/a; https://x.org/b", ["https://x.org/a", "https://x.org/b"]),
        ("https://x.org/a?x=1;y=2|3", ["https://x.org/a?x=1;y=2|3"]),
        ("https://x.org/a,b.html", ["https://x.org/a,b.html"]),
        ("a;b.md", ["a;b.md"]),
        ("c|d.md", ["c|d.md"]),
        ("Rent, and more.md", ["Rent, and more.md"]),
        ("Paris, of course; it is on the Seine", ["Paris, of course; it is on the Seine"]),
        ("d1, d2", ["d1, d2"]),
        ("", []),
    ],
)
def test_several_names_in_a_text(text, names):
    assert split_names(text) == names


@given(st.text("ab.;|,/ \n:#?1[]'"))
def test_a_text_is_split_into_names_or_stays(text):
    parts = split_names(text)
    assert all(part == part.strip() and part for part in parts)
    assert len(parts) < 2 or all(map(is_name, parts))
    assert bool(parts) == bool(text.strip())


@pytest.mark.parametrize("part", [" ", "a.b#", ";", ",", "[',", "a.b ", "/", "a://", "1 ", "-"])
def test_long_texts_take_no_time(part):
    text = "x" + part * 40_000 + " x"
    start = time.process_time()
    split_names(text)
    is_prose(text)
    is_id(text)
    assert time.process_time() - start < 2
