"""References as people write them: with sections, lines, leading dots, or without the ending."""

import pytest

from assay.datasets.resolve.resolve import resolve
from assay.records import Dataset, Document, Judgment, Query, Reference

PATHS = ["guide/setup.md", "guide/c#.md", "src/retry.py", "faq", "old/faq.txt", "a/x.md", "b/x.md"]


def led(name, match="exact", paths=PATHS):
    """Return what a reference leads to, and whether that is another spelling."""
    reference = Reference.named(name) if match == "exact" else Reference(path=name, match=match)
    dataset = Dataset("d", (Query("q", "?", (Judgment(reference, 1),)),))
    documents = [Document(path, path=path) for path in paths]
    (row,) = resolve(dataset, documents).rows
    return row.reason or (row.documents, row.respelled)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("guide/setup.md#install", "guide/setup.md"),
        ("./guide/setup.md#install", "guide/setup.md"),
        ("../guide/setup.md", "guide/setup.md"),
        ("../../guide/setup.md#a.b", "guide/setup.md"),
        ("/home/ana/project/guide/setup.md#install", "guide/setup.md"),
        ("setup.md#install", "guide/setup.md"),
        ("src/retry.py:12", "src/retry.py"),
        ("src/retry.py:L12-L20", "src/retry.py"),
        ("guide/setup", "guide/setup.md"),
        ("setup", "guide/setup.md"),
        ("Setup", "guide/setup.md"),
    ],
)
def test_what_does_not_belong_to_the_path_makes_no_difference(name, path):
    assert led(name) == ((path,), True)


@pytest.mark.parametrize("name", ["guide/c#.md", "faq", "guide/setup.md"])
def test_a_name_as_it_is_comes_first(name):
    assert led(name) == ((name,), False)


def test_several_of_one_name_are_a_doubt():
    assert led("x") == "ambiguous"
    assert led("x.md#top") == "ambiguous"


@pytest.mark.parametrize("name", ["it/setup", "set", "setup.rst", "#install", "guide/#setup", ".."])
def test_what_is_not_there_is_not_found(name):
    assert led(name) == "not_found"


def test_a_part_may_have_a_section():
    assert led("guide/setup.md#install", "substring")[0] == ("guide/setup.md",)


TEXTS = ["docs/C++.md", "docs/Cobol.md", "docs/Clojure.md", "docs/issue-7.md", "x/setup.md"]


@pytest.mark.parametrize("match", ["exact", "substring"])
@pytest.mark.parametrize("name", ["docs/C#.md", "C#.md", "issue#7", "docs/issue:7", "up.md#top"])
def test_a_name_without_its_section_must_be_a_whole_name_with_an_ending(name, match):
    """Otherwise docs/C#.md would mean every document in docs that begins with C."""
    assert led(name, match, TEXTS) == "not_found"


def test_a_section_of_a_name_with_a_number_sign():
    for match in ("exact", "substring"):
        assert led("guide/c#.md#setup", match)[0] == ("guide/c#.md",)
        assert led("setup.md#a.b#c", match, TEXTS)[0] == ("x/setup.md",)
    assert led("x.md#top", "substring")[0] == ("a/x.md", "b/x.md")
