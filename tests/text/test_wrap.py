"""Texts are broken between words, and never wider than a terminal."""

import textwrap
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import assay
from assay.text.text_width import text_width
from assay.text.wrap import wrap, wrap_line, wrap_prose


@given(st.lists(st.sampled_from(["a", "word", "  ", " ", "x" * 30, "-", "\t", "b-c"]), max_size=30))
@settings(max_examples=200)
def test_plain_text_is_broken_as_the_library_does(parts):
    """But for the indent of a word that is too long for any line, which the library drops."""
    line = "".join(parts)
    indent = len(line) - len(line.lstrip())
    assume(indent + len(line.split()[0]) <= 40 if line.strip() else True)
    wanted = textwrap.fill(
        line,
        40,
        subsequent_indent=" " * (indent + 2),
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )
    assert wrap_line(line, 40, indent=2) == (line if len(line) <= 40 else wanted)


@pytest.mark.parametrize(
    "text", ["", "a few short words", "x" * 95, "検索エンジンの結果その一 " * 4]
)
def test_rows_hold_all_of_a_text_and_none_is_too_wide(text):
    rows = wrap(text, 20)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")
    assert all(text_width(row) <= 20 for row in rows)


@given(
    st.lists(st.sampled_from(["low-impact ", "a ", "wörter ", "\t", "x" * 30]), max_size=20),
    st.sampled_from([("", ""), ("", "  "), ("  ", "  ")]),
)
def test_prose_is_broken_as_the_library_does(parts, indents):
    text, (first, rest) = "".join(parts), indents
    wanted = textwrap.wrap(text, 24, initial_indent=first, subsequent_indent=rest)
    assert wrap_prose(text, 24, first=first, rest=rest) == wanted


def test_prose_with_wide_letters_is_no_wider_than_asked():
    rows = wrap_prose("検索\u3000エンジンの結果その一 \tand a few words\n" * 3, 20, rest="  ")
    assert all(text_width(row) <= 20 for row in rows)
    assert all(row.startswith("  ") for row in rows[1:])
    assert "".join("".join(rows).split()).count("検索エンジンの結果その一andafewwords") == 3


def test_the_library_is_used_in_one_place():
    sources = Path(assay.__file__).parent.rglob("*.py")
    assert [path.stem for path in sources if "textwrap" in path.read_text("utf-8")] == ["wrap"]
