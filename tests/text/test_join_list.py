import pytest

from assay.text.join_list import first_named, join_list


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (list("abcde"), "a, b, c, d and e"),
        (list("abcdef"), "a, b, c, d, e and 1 more"),
    ],
)
def test_by_hand(names, said):
    assert join_list(names) == said


def test_as_many_as_are_wanted():
    assert join_list(list("abcd"), most=3) == "a, b, c and 1 more"


def test_a_mark_is_for_names_that_are_left_out():
    assert first_named([], 2) == ""
    assert first_named(list("abc"), 3) == "a, b, c"
    assert first_named(list("abc"), 2, mark="…") == "a, b, …"
    assert first_named(["aa", "bb"], 1, show=str.upper) == "AA, ..."
