"""No row is wider than a terminal, whatever letters it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.fit_width import fit_end, fit_width
from assay.text.text_width import text_width

TEXTS = st.text(st.sampled_from("ab /検索é…👩"), max_size=40)


def test_by_hand():
    assert fit_width("abcdefghi", 8) == "abcdefg…"
    assert fit_end("abcdefghi", 8) == "…cdefghi"
    assert fit_width("abcdefgh", 8) == fit_end("abcdefgh", 8) == "abcdefgh"


@given(TEXTS, st.integers(2, 30))
def test_no_row_is_wider_than_asked(text, width):
    begun, ended = fit_width(text, width), fit_end(text, width)
    assert max(text_width(begun), text_width(ended)) <= width
    assert text.startswith(begun.removesuffix("…"))
    assert text.endswith(ended.removeprefix("…"))


@pytest.mark.parametrize("width", [-5, 0, 1])
def test_a_mark_alone_is_not_shown(width):
    assert fit_width("ab", width) == ""
    assert fit_width("", max(width, 0)) == ""
    assert fit_end("ab", width) == "…"
