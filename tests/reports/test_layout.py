"""No digit is lost, however narrow the terminal."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assay.records import Table
from assay.reports.layout import layout
from assay.text.wrap import wrap_line

NUMBER = re.compile(r"[+-]?\d+\.\d{4}")


def _text(table, width=None):
    return ["".join(piece.text for piece in line).rstrip() for line in layout(table, width)]


def _table(runs, metrics=11):
    titles = ("metric", *runs)
    rows = [[f"metric@{m}", *(m + r / 10 for r in range(len(runs)))] for m in range(metrics)]
    return Table(titles, rows, caption="caption", footer=[["queries", *("60" for _ in runs)]])


LONG = [f"e5-large-instruct-v2_fp16_rerank-maxsim_run{n}" for n in range(6)]


@pytest.mark.parametrize("width", [40, 80, 100, 140])
@pytest.mark.parametrize("runs", [["a"], LONG, ["bm25", "検索エンジンの結果その一", "ünïcode"]])
def test_every_number_of_the_pipe_stands_in_the_terminal(width, runs):
    table = _table(runs)

    narrow = _text(table, width)

    whole = NUMBER.findall("\n".join(_text(table)))
    assert sorted(NUMBER.findall("\n".join(narrow))) == sorted(whole)
    assert max(map(len, narrow)) <= width


def test_shortened_names_stay_different():
    titles = _text(_table(LONG), 120)[1].split()

    assert len(set(titles)) == len(titles) == 7
    assert all("…" in title for title in titles[1:])


def test_prose_is_cut_at_its_end_and_names_are_not():
    said = "dinners with customers are paid back up to forty euros a head"
    table = Table(("query", "text"), [["expense-limit", said], ["x", "short"]])
    line = _text(table, 60)[2]
    assert line.endswith("…")
    assert said.startswith(line.split("  ")[1][:-1])


def test_a_table_that_fits_is_left_alone():
    table = _table(["a", "b"])

    assert _text(table, 200) == _text(table)


names = st.lists(st.text("abü漢-_ ", min_size=1, max_size=60), min_size=1, max_size=7, unique=True)


@given(names, st.integers(20, 160))
def test_any_names_at_any_width(runs, width):
    table = _table(runs, metrics=2)

    values = [f"{cell:.4f}" for row in table.rows for cell in row[1:]]
    shown = "\n".join(_text(table, width))
    assert all(value in shown for value in values)


def test_a_long_caption_is_broken_between_words_and_loses_none():
    said = "Most is lost by retrieve, so that deeper retrieval is worth trying, not reranking."
    made = replace(_table(["a", "b"]), caption=said)
    lines = _text(made, 40)
    at = next(at for at, line in enumerate(lines) if line.startswith("metric"))
    assert " ".join(lines[:at]) == said
    assert max(map(len, lines[:at])) <= 40
    assert _text(made)[0] == said


def test_a_caption_without_spaces_fits_too():
    made = replace(_table(["a"]), caption="検索" * 30)
    lines = _text(made, 40)
    at = next(at for at, line in enumerate(lines) if line.startswith("metric"))
    assert "".join(lines[:at]) == made.caption
    assert max(map(len, lines[:at])) == 20


def test_a_caption_is_said_once_however_many_blocks_follow():
    lines = _text(_table(LONG), 60)
    assert sum(line.startswith("metric ") for line in lines) > 1
    assert lines.count("caption") == 1


FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"  # one picture of three, joined


def test_a_table_with_emoji_is_as_wide_as_a_terminal_shows_it():
    """Its lines end in one column, and lines below it are broken by the same rule."""
    table = Table(("run", "score"), [[f"{FAMILY} words", 0.5], ["both", 0.25]])
    rows = _text(table)
    assert {cell_len(row) for row in rows} == {len(rows[0])}
    assert cell_len(wrap_line(f"{rows[2]} {'word ' * 9}", 40, indent=2).split("\n")[0]) <= 40
