"""Notes and errors are broken between words at a terminal, and nowhere else."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from assay.cli import start
from assay.cli.terminal import output as module
from assay.cli.terminal.output import note, wrap

WORDS = "each of these words is whole, whatever the width of a terminal may be"


@pytest.fixture
def terminal(monkeypatch):
    def of(columns):
        monkeypatch.setattr(module, "_width", lambda _: columns)

    return of


def test_a_command_stays_whole(terminal):
    terminal(40)
    said = "then ask for the grades that matter: `assay judge benchmark.yaml`, or not"
    assert wrap(said).split("\n") == [
        "then ask for the grades that matter:",
        "  `assay judge benchmark.yaml`, or not",
    ]
    odd = "a ` alone, and `one that is much longer than any command that one would ever type` here"
    assert max(map(len, wrap(odd).split("\n"))) <= 40


def test_by_hand(terminal):
    terminal(40)
    assert wrap(WORDS) == (
        "each of these words is whole, whatever\n  the width of a terminal may be"
    )
    assert wrap(f"short\n    {WORDS}", indent=6, lines=True).split("\n") == [
        "short",
        "    each of these words is whole,",
        "          whatever the width of a",
        "          terminal may be",
    ]


def test_a_long_word_stays_whole_and_a_narrow_terminal_makes_no_ladder(terminal):
    terminal(3)
    path = "/".join(["folder-with-a-name"] * 5)
    assert path in wrap(f"the file {path} is not there").split("\n")[1]
    assert max(map(len, wrap(WORDS).split("\n"))) > 30


def test_wide_characters_take_two_columns(terminal):
    terminal(40)
    name = "検索" * 4  # 16 columns
    assert wrap(f"{name} {name} {name} end") == f"{name} {name}\n  {name} end"
    assert wrap(f"{name} {name} abcdef") == f"{name} {name} abcdef"  # 40 columns
    assert wrap("é" * 40) == "é" * 40


def test_rich_is_not_loaded_for_plain_text():
    code = "import sys; from assay.cli.terminal import output as w; w._width = lambda _: 40;"
    code += f"w.wrap({WORDS!r}); print('rich.cells' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert done.stdout.split() == [b"False"]


def test_notes_stand_below_each_other(terminal, capsys):
    terminal(50)
    note(WORDS)
    assert capsys.readouterr().err == (
        "note: each of these words is whole, whatever the\n      width of a terminal may be\n"
    )


def test_errors_keep_their_hint_on_a_line_of_its_own(terminal, capsys):
    terminal(40)
    assert start(["search", "no/such/folder/anywhere/in/this/place", "a query"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("error:")
    assert sum(line.startswith("  hint: ") for line in lines) == 1


def test_what_there_is_is_listed_in_two_columns(terminal, capsys):
    terminal(80)
    assert start(["list", "suites", "stages"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    further = [line for line in lines if line.startswith("    ")]
    assert further
    summary = lines[lines.index("suites:") + 1].rindex("  ") + 2
    assert {len(line) - len(line.lstrip()) for line in further} >= {summary}


def test_the_demo_greets_and_takes_leave_in_lines_that_fit(terminal, capsys, monkeypatch):
    from assay.records import Report, Run

    told = Report(
        {"name": "demo", "metrics": ["mrr"], "primary": "mrr"},
        *({}, {}, {}),
        (Run("both", "f", {}, scores={"mrr": 0.5}),),
        id="0123456789ab",
    )
    monkeypatch.setattr("assay.workflows.demo.demo", lambda **_: told)
    terminal(80)
    assert start(["demo"]) == 0
    err = capsys.readouterr().err.splitlines()
    assert "searches over" in err[0]
    assert not err[1].startswith(" ")
    assert any("assay show 01234567 --query" in line for line in err)
    assert max(map(len, err)) <= 80


def test_what_is_piped_stays_as_it_is(capsys):
    note(WORDS * 5)
    assert capsys.readouterr().err == f"note: {WORDS * 5}\n"


@pytest.mark.parametrize("out", [False, True])
def test_each_stream_is_looked_at_by_itself(monkeypatch, out):
    monkeypatch.setattr(module, "_width", lambda stream: 40 if stream is sys.stdout else 0)
    assert (wrap(WORDS, out=out) != WORDS) == out


def test_a_real_terminal_is_measured_though_stdout_is_piped():
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 50, 0, 0))
    code = f"from assay.cli.terminal.output import note; note({WORDS!r})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=True)
    os.close(theirs)
    shown = os.read(ours, 4096).decode()
    os.close(ours)
    assert done.stdout == b""
    assert [len(line) <= 50 for line in shown.splitlines()] == [True, True]
