"""Names stay apart, by what they differ in."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reports.shorten_names import shorten_names

SETTINGS = [*product((100, 256), ("dense", "hybrid"), ("none", "maxsim"))]
SWEEP = [
    f"code chunk_size={size} search={search} rerank={rerank}" for size, search, rerank in SETTINGS
]


def test_what_all_share_goes_before_what_differs():
    assert shorten_names(SWEEP, 22) == tuple(
        f"code {size} {search} {rerank}" for size, search, rerank in SETTINGS
    )
    assert shorten_names(SWEEP, 17)[3] == "100 hybrid maxsim"
    assert shorten_names(SWEEP, 14)[:4] == ("100 dens none", "100 dens maxs", *("100 hybr none",
        "100 hybr maxs"))  # fmt: skip


def test_the_number_of_a_row_is_no_difference():
    """Else rows 1 and 3 would both read `100 …e none`, since their numbers keep them apart."""
    short = shorten_names([f"{at} {name}" for at, name in enumerate(SWEEP, 1)], 16)

    assert short[0] == "1 100 dens none"
    assert short[2] == "3 100 hybr none"


def test_a_name_of_one_word_that_fits_is_not_abbreviated():
    assert shorten_names(["words", "hybrid chunks", "dense chunks"], 11) == (
        *("words", "hybri chunk", "dense chunk"),
    )


def test_numbers_stay_where_words_are_cut():
    names = ["dense 128 auto float32", "dense 128 auto float16", "dense 64 auto float32"]

    assert shorten_names(names, 16) == ("128 auto float32", "128 auto float16", "64 auto float32")
    assert shorten_names([*names, "words"], 18)[:2] == ("den 128 aut flo32", "den 128 aut flo16")


def test_a_single_word_is_cut_where_it_shows():
    assert shorten_names(["embedder-of-today", "reranker-of-today"], 9) == (
        "embe…oday",
        "rera…oday",
    )


def test_words_that_differ_in_their_middle_stay_apart():
    short = shorten_names(["x" * 20 + "a" + "z" * 8, "x" * 20 + "b" + "z" * 8], 14)

    assert short == ("…azzzzzzzz", "…bzzzzzzzz")


@pytest.mark.parametrize("names", [[], ["a"], ["a", "a"], ["", ""], ["7 a", "7 b"], ["漢" * 30]])
def test_odd_names(names):
    short = shorten_names(names, 14)

    assert len(short) == len(names)
    assert len(set(short)) == len(set(names))


@given(
    st.lists(st.text("ab 1=é", min_size=1, max_size=40), min_size=1, max_size=9),
    st.integers(14, 30),
)
def test_names_fit_and_are_alike_only_where_they_were(names, limit):
    short = shorten_names(names, limit)

    assert max(map(len, short)) <= limit
    assert len(set(zip(names, short, strict=True))) == len(set(names)) == len(set(short))
