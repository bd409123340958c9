import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assay.records.judging import Card, Contest, Sitting
from assay.reports.judging.lead import lead
from assay.reports.judging.passages import matching, passages, seen_lines
from assay.reports.judging.screen import grades, screen
from assay.text import sanitize

LINES = tuple(f"line {at}" for at in range(1, 41))
CARD = Card("q1", "retry a request", "a.py", "A title", "function", LINES)
TEXTS = st.text(max_size=200) | st.text(
    "\x1b[]0;\x07m\x9b\u202e\u200bé日👩\u200d💻 \t", max_size=200
)


PAGE = (
    "# Leave of absence", "", "Everybody has 28 days a year.", "",
    *(f"filler {at}" for at in range(5, 40)),
    "A night on call gives half a day back.", *(f"end {at}" for at in range(41, 60)),
)  # fmt: skip


def texts(card, view="few", *, width=80, room=9):
    return [one.text for one in passages(card, view, width=width, room=room)]


def test_by_hand(snapshot):
    card = Card("q", "half a day for a night on call", "leave.md", lines=PAGE)
    snapshot(texts(card))
    numbers = [one.line for one in passages(card, "few", width=80, room=9)]
    assert numbers == [1, 2, 3, 0, 38, 39, 40, 41, 0]  # 40 matches; 34 and 18 lines are left out
    assert ["34" in text or "18" in text for text in texts(card)] == [not at for at in numbers]
    assert seen_lines(card, "few") == (1, 43)  # in a usual window
    assert seen_lines(card, "all") == (1, 59)
    assert len(texts(card, "more")) == 27
    assert len(texts(card, "all")) == 59


def test_a_document_that_fits_is_shown_whole(snapshot):
    card = Card("q", "line", "d", lines=LINES[:11])
    assert texts(card, room=11) == [f"{at:>2} line {at}" for at in range(1, 12)]
    whole = screen(Sitting(3, (("q", "d"),)), card, width=80, height=23).rows
    parts = screen(Sitting(3, (("q", "d"),)), card, width=80, height=14).rows
    snapshot(whole)
    snapshot(parts)
    assert [row for row in whole if row.strip().startswith("11 line")]
    assert not [row for row in parts if row.strip().startswith("11 line")]


@given(st.sets(st.integers(0, 30), max_size=8), st.integers(3, 20), st.integers(2, 31))
def test_one_line_is_never_left_out_alone(marked, room, size):
    lines = tuple(f"match {at}" if at in marked else f"line {at}" for at in range(size))
    shown = passages(Card("q", "match", "d", lines=lines), "few", width=80, room=room)
    assert len(shown) <= room
    seen = [one.line for one in shown]
    assert seen[0] == 1  # the beginning is always shown
    assert sorted({*seen} - {0}) == [line for line in seen if line]
    for at, line in enumerate(seen):
        if not line:
            after = seen[at + 1] if at + 1 < len(seen) else size + 1
            hidden = after - seen[at - 1] - 1
            assert hidden > 1
            assert f" {hidden} " in shown[at].text


def test_a_long_line_is_shown_in_parts():
    """Abstracts are often one line: the beginning and the rows that match, not the whole of it."""
    text = "Wings in a slipstream . " + "nothing of note . " * 60 + "the lift of flaps rises . "
    card = Card("q", "lift of flaps", "184", lines=(text + "and so on . " * 60,))
    shown = texts(card, width=40, room=8)
    assert shown[0].startswith("1 Wings in")
    assert card.text in " ".join(row.strip() for row in shown)
    assert "..." in shown
    assert len(shown) <= 8


CODE = (
    "# Copyright somebody", "# All rights reserved", "# under some licence", "",
    "import os", "from sys import (", "    argv,", ")", "", '"""Sends requests."""', "",
    "def other():", "    pass", "", "", *["# ..."] * 9, "def send(request):",
    *(f"    step({at})" for at in range(20)), "    retry(request)", *["    pass"] * 9,
)  # fmt: skip


def test_code_is_shown_by_its_docstring_and_the_function_that_matches():
    shown = texts(Card("q", "retry", "a.py", lines=CODE), room=10)
    assert '10 """Sends requests."""' in shown
    assert "25 def send(request):" in shown
    assert "46     retry(request)" in shown


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (["# Leave", "28 days.", "", "More."], [0, 1, 2, 3]),
        (["# Leave", "Two days", "and more.", "", "More."], [0, 1, 2]),
        (["", "Licences", "", "Import taxes are due.", "", "End."], [1, 2, 3]),
        (["---", "tags: x", "title: Leave", "---", "", "28 days.", "A year.", "So."], [2, 5, 6, 7]),
        (["---", "no end"], [0, 1]),
        (["import os", "import re"], [0, 1]),
        ([], []),
        ([" ", ""], []),
    ],
)
def test_what_a_document_begins_with(rows, wanted):
    assert lead(rows, most=9) == wanted
    assert lead(rows, most=1) == wanted[:1]


def test_what_does_not_match_is_shown_from_its_beginning(snapshot):
    card = Card("q", "x", "d", lines=LINES)
    assert texts(card)[0] == " 1 line 1"
    assert "32" in texts(card)[-1]
    snapshot(texts(Card("q", "x", "d")))
    for empty in ((), ("", "  ")):
        assert texts(Card("q", "x", "d", lines=empty)) == texts(Card("q", "x", "d"))
        assert seen_lines(Card("q", "x", "d", lines=empty), "all") is None


def test_the_best_lines_match_rare_words_and_their_neighbours():
    lines = ["the the the", "the retry of", "the end", "", "the other"]
    assert matching("the retry", lines)[0] == 2
    assert matching("nothing here", ["abc", "def"]) == ()
    assert matching("parse", ["x", "JSONParser", "y"])[0] == 2
    assert matching("", ["a"]) == ()


def test_comparisons_are_told_without_their_runs_and_ends(snapshot):
    contests = [
        Contest("words", "both", 12, -0.01, 0.04),
        Contest("words", "x", 3, 0.1, 0.2),
        Contest("words", "y", 9, -0.1, 0.2),
    ]
    sitting = Sitting(3, (("q1", "a.py"),))
    shown = screen(sitting, CARD, width=80, height=24, left=7, contests=contests)
    text = "\n".join(shown.rows)
    snapshot(text)
    assert "2 comparisons" in text
    assert text.count("7 documents") == 1  # one number
    assert not re.search(r"words|both|wide|0\.0|\bvs\b", text)
    assert f"{CARD.text} [{CARD.category}]" in text
    shown = screen(sitting, CARD, width=80, height=24, left=1, contests=contests[2:])
    snapshot(shown.rows[-2])
    assert re.search(r"1 comparison\b.*1 document\b", shown.rows[-2])


def test_what_was_graded_before_is_counted_and_of_how_many(snapshot):
    sitting = Sitting(3, (("q1", "a.py"),), before=1200, most=5)
    shown = screen(sitting, CARD, width=80, height=24, left=7)  # a second judge: no comparisons
    snapshot(shown.rows[0])
    assert re.findall(r"[\d,]*\d", shown.rows[0]) == ["0", "5", "1,200", "7"]


def test_the_dataset_stands_beside_the_query_where_it_is_told():
    sitting = Sitting(scale=3, waiting=(("our/q1", "a.py"),))
    told = Card("our/q1", "retry a request", "a.py", lines=LINES, collection="our\x1b[31m")
    rows = screen(sitting, told, width=80, height=24).rows
    assert re.search(rf"\(our.*{told.text}$", rows[1])
    assert "\x1b" not in "".join(rows)
    assert "(our" not in screen(sitting, CARD, width=80, height=24).rows[1]


def test_a_title_that_the_document_begins_with_is_told_once():
    card = Card("q", "days", "leave.md", "Leave of absence", lines=PAGE)
    rows = screen(Sitting(3, (("q", "d"),)), card, width=80, height=24).rows
    assert [row for row in rows if row.endswith("leave.md")]
    assert sum(card.title in row for row in rows) == 1
    assert f" 1 {PAGE[0]}" in rows


def test_the_lines_in_view_are_told():
    sitting = Sitting(3, (("q1", "a.py"),), view="all")
    assert screen(sitting, CARD, width=80, height=16, scroll=0).lines == (1, 10)
    assert screen(sitting, CARD, width=80, height=16, scroll=5).lines == (6, 15)
    assert screen(sitting, Card("q", "x", "d"), width=80, height=16).lines is None


def test_scrolling_stops_at_the_end():
    sitting = Sitting(3, (("q1", "a.py"),), view="all")
    end = screen(sitting, CARD, width=80, height=24, scroll=1000)
    assert "40 line 40" in end.rows
    assert end.scroll < 40
    assert screen(sitting, CARD, width=80, height=24, scroll=end.scroll) == end


def test_help_tells_what_grades_mean(snapshot):
    rows = screen(Sitting(3, help=True), CARD, width=80, height=24).rows
    snapshot(rows)
    assert [row[0] for row in rows if row[1:3] == "  "][:4] == list("0123")
    assert len(grades(4)) == 5
    assert [grade for grade, _ in grades(100)] == ["0", "1 to 99", "100"]


@pytest.mark.parametrize("kind", ["few", "more", "all"])
@given(text=TEXTS, lines=st.lists(TEXTS, max_size=5), width=st.integers(20, 90), data=st.data())
def test_nothing_is_too_wide_or_commands_the_terminal(kind, text, lines, width, data):
    height = data.draw(st.integers(10, 30))
    card = Card("q", text, text or "d", text, text, tuple(lines))
    sitting = Sitting(3, (("q", "d"),), view=kind, said=text)
    contests = [Contest(text, text, 1, -1.0, 1.0)]
    rows = screen(sitting, card, width=width, height=height, left=3, contests=contests).rows
    assert len(rows) <= height
    for row in rows:
        assert sanitize(row) == row
        assert cell_len(row) <= width


@given(st.text(max_size=300), st.lists(st.text(max_size=50), max_size=20))
def test_matching_numbers_lines_once(query, lines):
    found = matching(query, lines)
    assert len(set(found)) == len(found)
    assert set(found) <= set(range(1, len(lines) + 1))
