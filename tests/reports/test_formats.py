import csv as csv_module
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import catalogue
from assay.records import Table
from assay.reports import formats
from assay.reports.formats.csv import csv
from assay.reports.terminal import terminal


@pytest.fixture
def table():
    rows = [["a|b & c_1", 0.123456789012345, None], ["ü", 1.0, 3]]
    return Table(("run", "ndcg@10", "n"), rows, caption="100 % of $x", best=frozenset({(1, 1)}))


@pytest.mark.parametrize("name", catalogue.files(formats))
def test_every_format_writes_a_table_and_an_empty_one(name, table):
    render = catalogue.find(formats, name)

    assert render([table])
    assert isinstance(render([Table(("run", "ndcg@10"), [])]), bytes)


def test_markdown_escapes_pipes_and_marks_the_best(table):
    text = catalogue.find(formats, "md")([table]).decode()

    assert r"a\|b" in text
    assert "**1.0000**" in text


def test_latex_escapes_its_special_characters(table):
    text = catalogue.find(formats, "tex")([table]).decode()

    assert r"a|b \& c\_1" in text
    assert r"\textbf{1.0000}" in text


def test_csv_keeps_every_digit(table):
    text = catalogue.find(formats, "csv")([table]).decode()

    assert text.splitlines()[1] == "a|b & c_1,0.123456789012345,"


class _Screen:
    """A stand-in for a terminal of a given width, which a test cannot have for real."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_a_terminal_gets_a_drawn_table_and_a_pipe_plain_text(table, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = _Screen()

    terminal(table, stream=screen)
    terminal(table)

    assert "\x1b[1;32m 1.0000" in screen.text
    assert "1.0000" in capsys.readouterr().out


def test_markdown_sets_what_is_read_to_the_left(table):
    rows = [["a", "HOLD", 0.5, None, "2/5/0"], ["b", "SHIP", 1.0, 2, "[0.1, 0.2]"]]
    titles = ("run", "verdict", "p", "n", "interval")
    text = catalogue.find(formats, "md")([Table(titles, rows)]).decode()

    assert text.splitlines()[1] == "| --- | --- | ---: | ---: | ---: |"


def test_a_row_of_markdown_stays_a_row_and_a_tag_is_text():
    odd = Table(("run\r\nx", "p"), [["a\nb <i>", "<.0001"]], caption="c\u2028<b>")
    lines = catalogue.find(formats, "md")([odd]).decode().splitlines()

    assert lines[0] == "**c \\<b>**"
    assert lines[2] == "| run x | p |"
    assert lines[4] == "| a b \\<i> | <.0001 |"


def test_a_footnotes_star_stays_a_star_in_markdown():
    starred = Table(("run",), [["a"]], caption="* without the rest")
    assert catalogue.find(formats, "md")([starred]).decode().startswith("**\\* without the rest**")


def _read(content):
    return [*csv_module.reader(io.StringIO(content.decode(), newline=""))]


@pytest.mark.parametrize(
    "text", ["=1+1", "+a", "-a", "@a", "\ta", "\r=a", "'=1", "''@a", "-", "=-1"]
)
def test_no_text_of_a_csv_is_a_formula_and_all_can_be_had_back(text):
    (title, _), (cell, number) = _read(csv([Table((text, "x"), [(text, -0.5)])]))
    assert title == cell == f"'{text}"
    assert number == "-0.5"


@pytest.mark.parametrize("text", ["a=1", "'a", "", "-5", "+1.5e-3", "it's"])
def test_other_texts_of_a_csv_stay(text):
    assert _read(csv([Table(("x",), [(text,)])]))[1:] == ([[text]] if text else [[""]])


@given(st.text(alphabet="'=+-@\ta1.", max_size=6))
def test_one_apostrophe_less_is_the_text(text):
    cell = _read(csv([Table(("x", "y"), [(text, "")])]))[1][0]
    assert (cell[1:] if re.match(r"'+[=+\-@\t\r]", cell) else cell) == text
