"""`-o x.txt` holds what the terminal shows, whatever stdout is."""

import os
import shutil
from pathlib import Path

import pytest

from assay.cli import start
from assay.cli.terminal.text_file import write_texts

TINY = Path(__file__).parents[3] / "examples" / "tiny"
HANDBOOK = TINY.with_name("handbook")
COMMANDS = {
    "eval": ("tiny", "eval qrels.txt bm25.run dense.run -m ndcg@10 -m mrr"),
    "compare": ("tiny", "compare bm25.run hybrid.run --qrels qrels.txt -m ndcg@10"),
    "resolve": ("handbook", "dataset resolve questions.yaml --corpus pages"),
    "audit": ("handbook", "dataset audit questions.yaml --corpus pages"),
    "uplift": ("tiny", "uplift --queries 4 --documents 40 --dimension 8 --clusters 4 --noise 1"),
    "run": ("handbook", "run sweep.yaml --untimed"),
}


@pytest.fixture
def called(tmp_path, monkeypatch, capsys):
    """Return what calls a command in a copy of an example, and gives its code and output."""
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(example, command, *more):
        place = tmp_path / example
        if not place.exists():
            shutil.copytree(TINY.with_name(example), place)
        monkeypatch.chdir(place)
        code = start([*command.split(), *more])
        return code, capsys.readouterr()

    return call


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_with_an_output_writes_it(called, name, tmp_path):
    example, command = COMMANDS[name]
    code, told = called(example, command, "-o", "shown.txt")
    assert code == 0
    assert "wrote shown.txt" in told.err
    written = (tmp_path / example / "shown.txt").read_text()
    assert first_words(written) == first_words(told.out)
    assert max(map(len, written.splitlines())) <= 120
    assert "\x1b" not in written


def first_words(text):
    """Return the words of a screen as far as its width changes nothing: tables shorten names."""
    return [one for one in text.split() if one.strip("-")][:28]


def test_json_on_stdout_changes_nothing_in_the_file(called, tmp_path):
    example, command = COMMANDS["eval"]
    called(example, command, "-o", "a.txt")
    _, told = called(example, command, "-o", "b.txt", "--json")
    assert told.out.startswith("{")
    one, other = (tmp_path / example / f"{name}.txt" for name in "ab")
    assert one.read_text() == other.read_text()


def test_a_report_is_written_as_its_own_command_shows_it(called, tmp_path):
    called("handbook", "run sweep.yaml --untimed -o report.json")
    _, shown = called("handbook", "report report.json")
    code, told = called("handbook", "report report.json -o report.txt")
    assert (code, told.out) == (0, "")
    written = (tmp_path / "handbook" / "report.txt").read_text()
    assert first_words(written) == first_words(shown.out)
    assert "Findings:" in written


def test_the_window_changes_nothing(tmp_path, monkeypatch):
    from assay.cli.terminal.size import columns, rows

    seen = []
    for width in (None, "72"):
        for name in ("COLUMNS", "LINES"):
            monkeypatch.delenv(name, raising=False)
            if width:
                monkeypatch.setenv(name, width)
        show = lambda: seen.append((columns(), rows()))  # noqa: E731
        write_texts([str(tmp_path / "x.txt")], show, wrote=seen.append)
        assert (os.environ.get("COLUMNS"), os.environ.get("LINES")) == (width, width)
    assert seen[0] == seen[2] == (120, 10000)


def test_without_a_text_file_nothing_is_drawn(tmp_path):
    write_texts([str(tmp_path / "x.csv")], lambda: pytest.fail("drawn"), wrote=pytest.fail)
