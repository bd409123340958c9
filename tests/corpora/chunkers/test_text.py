"""Prose along its headings, paragraphs and sentences."""

import time

import pytest

from assay.corpora.chunkers.text import text
from assay.records import Document

GUIDE = """\
# Guide

Welcome to all of you who read.

## Retries

Retries wait a little longer each time that they fail.

```python
# not a heading
retry(3)
```

| a | b |
|---|---|
| 1 | 2 |

## Limits

Few.

## Names

None.
"""


def cut(document, language="markdown", *, title="", **settings):
    found = text(**settings)(Document("d", document, language=language, title=title)).chunks
    assert "".join(chunk.text for chunk in found) == document
    return found


def test_by_hand():
    found = cut(GUIDE, chunk_size=20)
    assert [(chunk.kind, chunk.title, chunk.lines) for chunk in found] == [
        ("section", "Guide", (1, 4)),
        ("section", "Guide > Retries", (5, 8)),
        ("code", "Guide > Retries", (9, 13)),
        ("table", "Guide > Retries", (14, 17)),
        ("section", "Guide > Limits", (18, 21)),
        ("section", "Guide > Names", (22, 24)),
    ]


def test_what_fits_is_one_chunk():
    (chunk,) = cut(GUIDE)
    assert (chunk.kind, chunk.title, chunk.lines) == ("section", "Guide", (1, 24))
    (chunk,) = cut("One.\n\nTwo.", "")
    assert (chunk.kind, chunk.title) == ("paragraph", "")


def test_headings_are_below_the_title_of_the_document():
    found = cut("# A\n\none\n\n## B\n\ntwo\n", title="T", chunk_size=4)
    assert [chunk.title for chunk in found] == ["T > A", "T > A > B"]
    (chunk,) = cut("# T\n\none", title="T")
    assert chunk.title == "T"


def test_a_heading_alone_stays_with_what_follows():
    found = cut("# A\n\n## B\n\nsome words here\n\n## C\n\nmore words there\n", chunk_size=8)
    assert [chunk.title for chunk in found] == ["A > B", "A > C"]
    assert found[0].text.startswith("# A\n\n## B\n")


def test_small_sections_join_those_beside_them():
    changes = "".join(f"## 1.{number}\n\n- x\n\n" for number in range(8))
    found = cut("# Changes\n\n" + "word " * 30 + "\n\n" + changes, chunk_size=40)
    assert [chunk.title for chunk in found[1:]] == ["Changes"] * (len(found) - 1)
    assert 1 < len(found) < 8


def test_sections_under_different_headings_stay_apart():
    found = cut("# A\n\n" + "word " * 37 + "\n\n## One\n\nx\n\n# B\n\ny\n", chunk_size=40)
    assert [chunk.title for chunk in found] == ["A", "A > One", "B"]


def test_sentences_when_a_paragraph_does_not_fit():
    found = cut("One two three. Four five! (Six.) Seven and then eight or nine", "", chunk_size=5)
    assert [chunk.text for chunk in found] == [
        "One two three. ",
        "Four five! ",
        "(Six.) ",
        "Seven and then eight or ",
        "nine",
    ]


def test_blank_lines_are_no_chunk():
    found = cut("\n\n\n" + "x" * 90 + "\n\n\n" + "y" * 90 + "\n\n", "", chunk_size=2)
    assert all(chunk.text.strip() for chunk in found)
    assert found[0].text == "\n\n\n" + "x" * 16


def test_items_of_a_list_when_it_does_not_fit():
    found = cut("- one two\n- three four\n- five six\n", chunk_size=6)
    assert [chunk.text for chunk in found] == ["- one two\n- three four\n", "- five six\n"]


@pytest.mark.parametrize("language", ["python", "yaml", "text", "bash"])
def test_a_hash_is_a_heading_only_where_it_is_one(language):
    assert {chunk.title for chunk in cut("# a\n\nb\n\n# c\n\nd\n", language, chunk_size=2)} == {""}


def test_headings_that_are_underlined():
    found = cut("Top\n===\n\nwords\n\nSub\n---\r\n\nmore\n", chunk_size=7)
    assert [chunk.title for chunk in found] == ["Top", "Top > Sub"]
    prose = "A line\nand another\n-----------\n\n- - -\n---\n"
    assert {chunk.title for chunk in cut(prose, chunk_size=4)} == {""}


def test_headings_of_restructured_text():
    manual = "***\nTop\n***\n\nSub\n---\n\nmany words\n\nTwo\n---\n\nmore words\n"
    found = cut(manual, "rst", chunk_size=9)
    assert [chunk.title for chunk in found][-1] == "Top > Two"
    assert found[0].text.startswith("***\nTop")


def test_a_fence_that_is_never_closed_holds_the_rest():
    found = cut("a\n\n```\n# b\n" + "c " * 20, chunk_size=9)
    assert {chunk.title for chunk in found} == {""}
    assert [chunk.kind for chunk in found] == ["section", "code", "code", "code"]


def test_overlap_by_hand():
    found = text(chunk_size=6, overlap=2)(Document("d", "a b c.\n\nd e f.\n\ng h i.")).chunks
    assert [chunk.text for chunk in found] == ["a b c.\n\n", "c.\n\nd e f.\n\n", "f.\n\ng h i."]


@pytest.mark.parametrize(
    "piece",
    ["a", "\n", " ", "# a\n", "```\n", ". ", "|-", "a\n---\n", "-", "`", ".)", "1. ", "\r\n"],
)
def test_time_grows_with_the_text(piece):
    start = time.process_time()
    text()(Document("d", "x" + piece * (200_000 // len(piece)), language="markdown"))
    assert time.process_time() - start < 15
