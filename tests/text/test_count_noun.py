"""Numbers agree with their nouns."""

import pytest

from assay.text.count_noun import count_noun, plural


@pytest.mark.parametrize(
    ("number", "noun", "written"),
    [
        (0, "query", "0 queries"),
        (1, "judged query", "1 judged query"),
        (1_200, "more query", "1,200 more queries"),
        (2, "key", "2 keys"),
        (1, "tie", "1 tie"),
    ],
)
def test_by_rule(number, noun, written):
    assert count_noun(number, noun) == written


def test_a_plural_that_no_rule_gives():
    assert count_noun(3, "tie keeps", "ties keep") == "3 ties keep"
    assert plural(1, "index", "indexes") == "index"
