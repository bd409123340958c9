"""Whether a table fits, with whole words in its names or at all."""

import pytest

from assay.records import Table
from assay.reports.fits import fits, fits_named

NAMES = ["both chunk_size=256 fusion=rrf", "both chunk_size=512 fusion=rrf"]
TABLE = Table(("run", "ndcg@10"), [[name, 0.5] for name in NAMES], caption="A long caption " * 20)


@pytest.mark.parametrize(
    ("width", "shortened", "named"),
    [(39, True, True), (21, True, True), (20, True, False), (16, True, False)],
)
def test_keys_may_go_before_words_do(width, shortened, named):
    """`both 256 rrf` has 12 letters, a gap 2 and `ndcg@10` 7."""
    assert fits(TABLE, width) is shortened
    assert fits_named(TABLE, width) is named


def test_columns_that_would_stand_below_do_not_fit():
    wide = Table(("run", *("x" * 10 for _ in range(9))), [[name, *[1.0] * 9] for name in NAMES])
    assert not fits(wide, 60)
    assert not fits_named(wide, 60)


def test_wide_letters_take_two_columns():
    table = Table(("run", "ndcg@10"), [["検索" * 10, 0.5]])
    assert fits_named(table, 49)
    assert not fits_named(Table(("run", *"abcdef"), [["検索" * 10, *[0.5] * 6]]), 48)
