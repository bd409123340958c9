import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assay.records.judging import Card, Contest, Sitting
from assay.reports.judging.grades import grades
from assay.reports.judging.matching import matching
from assay.reports.judging.passages import passages, seen_lines
from assay.reports.judging.screen import screen

LINES = tuple(f"line {at}" for at in range(1, 41))
CARD = Card("q1", "retry a request", "a.py", "A title", "function", LINES, (20, 5, 6, 30))
TEXTS = st.text(max_size=200) | st.text(
    "\x1b[]0;\x07m\x9b\u202e\u200bé日👩\u200d💻 \t", max_size=200
)


def test_by_hand():
    few = passages(CARD, "few", width=80)
    assert few == [
        "... 3 lines ...", " 4 line 4", " 5 line 5", " 6 line 6", " 7 line 7", "... 11 lines ...",
        "19 line 19", "20 line 20", "21 line 21", "... 19 lines ...",
    ]  # fmt: skip
    assert seen_lines(CARD, "few") == (4, 21)
    assert seen_lines(CARD, "more") == (2, 33)
    assert seen_lines(CARD, "all") == (1, 40)
    assert len(passages(CARD, "all", width=80)) == 40


def test_what_does_not_match_is_shown_from_its_beginning():
    card = Card("q", "x", "d", lines=LINES)
    assert passages(card, "few", width=80)[0] == "1 line 1"
    assert passages(Card("q", "x", "d"), "few", width=80) == ["(the document is empty)"]
    assert seen_lines(Card("q", "x", "d"), "all") is None


def test_the_best_lines_match_rare_words_and_their_neighbours():
    lines = ["the the the", "the retry of", "the end", "", "the other"]
    assert matching("the retry", lines)[0] == 2
    assert matching("nothing here", ["abc", "def"]) == ()
    assert matching("parse", ["x", "JSONParser", "y"])[0] == 2
    assert matching("", ["a"]) == ()


def test_a_comparison_is_told_without_its_sides():
    shown = screen(
        Sitting(3, (("q1", "a.py"),)),
        CARD,
        width=80,
        height=24,
        left=7,
        contests=[Contest("words", "both", 12, -0.01, 0.04), Contest("words", "x", 3, 0.1, 0.2)],
    )
    text = "\n".join(shown.rows)
    assert "both vs words: open, 0.0500 wide, at most 12 documents settle it" in text
    assert "0.0100" not in text
    assert "0.0400" not in text
    assert "0 graded, at most 7 left" in text
    assert "Query: retry a request [function]" in text
    assert "Document: a.py: A title" in text


def test_scrolling_stops_at_the_end():
    sitting = Sitting(3, (("q1", "a.py"),), view="all")
    end = screen(sitting, CARD, width=80, height=24, scroll=1000)
    assert "40 line 40" in end.rows
    assert end.scroll < 40
    assert screen(sitting, CARD, width=80, height=24, scroll=end.scroll) == end


def test_help_tells_what_grades_mean():
    rows = screen(Sitting(3, help=True), CARD, width=80, height=24).rows
    assert "3  highly relevant: it answers the query" in rows
    assert len(grades(4)) == 5
    assert [grade for grade, _ in grades(100)] == ["0", "1 to 99", "100"]


@pytest.mark.parametrize("kind", ["few", "more", "all"])
@given(text=TEXTS, lines=st.lists(TEXTS, max_size=5), width=st.integers(20, 90), data=st.data())
def test_nothing_is_too_wide_or_commands_the_terminal(kind, text, lines, width, data):
    height = data.draw(st.integers(10, 30))
    card = Card("q", text, text or "d", text, text, tuple(lines), matching(text, lines))
    sitting = Sitting(3, (("q", "d"),), view=kind, said=text)
    contests = [Contest(text, text, 1, -1.0, 1.0)]
    rows = screen(sitting, card, width=width, height=height, left=3, contests=contests).rows
    assert len(rows) <= height
    for row in rows:
        assert row.isprintable()
        assert cell_len(row) <= width


@given(st.text(max_size=300), st.lists(st.text(max_size=50), max_size=20))
def test_matching_numbers_lines_once(query, lines):
    found = matching(query, lines)
    assert len(set(found)) == len(found)
    assert set(found) <= set(range(1, len(lines) + 1))
