"""Texts are broken between words, and never wider than a terminal."""

import textwrap

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.text.text_width import text_width
from assay.text.wrap import wrap, wrap_line


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
