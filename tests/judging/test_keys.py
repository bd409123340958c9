from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judging.keys import press
from assay.records.judging import GivenGrade, Sitting

PAIRS = tuple((f"q{at}", f"d{at}") for at in range(5))
KEYS = st.sampled_from(
    ["0", "1", "3", "4", "s", "u", "m", "a", "?", "x", "\x1b", "", "12", "é", "²"]
)


def begun(**settings):
    return Sitting(scale=3, waiting=PAIRS, **settings)


def pressed(keys, sitting=None):
    sitting = sitting or begun()
    for key in keys:
        sitting = press(sitting, key)
    return sitting


def test_by_hand():
    sitting = pressed("2s0")
    assert [one.grade for one in sitting.answered] == [2, None, 0]
    assert [one.pair for one in sitting.answered] == list(PAIRS[:3])
    assert (sitting.waiting, sitting.graded, sitting.over) == (PAIRS[3:], 2, False)


def test_undo_brings_the_document_back(snapshot):
    sitting = pressed("2u")
    assert (sitting.waiting, sitting.answered) == (PAIRS, ())
    snapshot([sitting.said, pressed("su").said, pressed("u").said])


@pytest.mark.parametrize("key", ["4", "9", "x", "", "-1", "1.0", "²", "٣", "99999999999999999999"])
def test_a_wrong_key_changes_nothing_and_says_what_would_do(snapshot, key):
    sitting = press(begun(), key)
    assert (sitting.waiting, sitting.answered) == (PAIRS, ())
    assert len(sitting.said) < 80
    snapshot(sitting.said)


def test_help_takes_any_key_and_grades_nothing():
    assert press(begun(), "?").help
    sitting = pressed("?3")
    assert (sitting.help, sitting.answered) == (False, ())
    sitting = pressed("?q")  # any key goes back, this one too
    assert (sitting.help, sitting.over) == (False, False)
    assert pressed("?qq").over


def test_more_and_all_are_kept_with_the_grade():
    assert pressed("m").view == "more"
    assert pressed("mm").view == pressed("a").view == "all"
    sitting = pressed("m1")
    assert sitting.answered == (GivenGrade(PAIRS[0], 1, "more"),)
    assert sitting.view == "few"
    assert pressed("m1u").view == "more"


def test_most_counts_grades_only():
    assert not pressed("s1", begun(most=2)).over
    assert pressed("s11", begun(most=2)).over


def test_grades_of_a_long_scale():
    sitting = Sitting(scale=100, waiting=PAIRS)
    assert press(sitting, "100").answered[0].grade == 100
    assert not press(sitting, "101").answered


@given(st.lists(KEYS, max_size=30))
def test_no_document_is_lost_or_asked_twice(keys):
    sitting = pressed(keys)
    order = [one.pair for one in sitting.answered] + list(sitting.waiting)
    assert order == list(PAIRS)


@given(st.lists(KEYS, max_size=12), st.sampled_from("0123s"))
def test_undo_is_the_inverse_of_an_answer(keys, key):
    sitting = pressed(keys)
    if sitting.help or not sitting.waiting:
        return
    back = pressed([key, "u"], sitting)
    assert (back.waiting, back.answered) == (sitting.waiting, sitting.answered)


def test_what_was_graded_before_the_sitting_is_not_undone(snapshot):
    said = press(replace(begun(), before=12), "u").said
    assert " 12 " in said
    snapshot(said)
