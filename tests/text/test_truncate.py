"""What is too long is cut where it says least, and shows that it was."""

import pytest

from assay.text.truncate import cut_end, cut_middle


@pytest.mark.parametrize("length", [1, 7, 8])
def test_what_fits_stays(length):
    text = "a" * length
    assert cut_end(text, 8) == text
    assert cut_middle(text, 8, tail=3) == text


def test_each_end_by_hand():
    assert cut_end("abcdefghi", 8) == "abcdefg…"
    assert cut_end("abcdefghi", 8, mark="...") == "abcde..."
    assert cut_middle("abcdefghi", 8, tail=3) == "abcd…ghi"
