"""Progress: silent where nobody looks, a bar where the end is known, a count where it is not."""

import io
import re
import sys
import time

import pytest

from assay import cli
from assay.cli.terminal import progress as module
from assay.cli.terminal.progress import progress
from assay.errors import InputError


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shown_on(monkeypatch):
    def show():  # within the test: pytest has a stderr of its own for each of its phases
        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(module, "STEP", -1)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "120")
        return screen

    return show


@pytest.fixture
def drawn(shown_on):
    def draw(count, **settings):
        screen = shown_on()
        assert list(progress(range(count), "reading", **settings)) == list(range(count))
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())

    return draw


def test_a_known_end_has_a_bar_and_counts_in_thousands(drawn):
    shown = drawn(1234, total=5000, unit="documents")
    assert "reading" in shown
    assert "━" in shown
    assert "1,234/5,000" in shown
    assert "documents/s" in shown


def test_an_unknown_end_has_no_bar(drawn):
    shown = drawn(1234, unit="commits")
    assert "1,234 commits" in shown
    assert "━" not in shown
    assert "/?" not in shown
    assert "1,234/" not in shown


def test_nothing_is_drawn_for_nobody(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    items = iter("abc")
    assert progress(items, "reading") is items
    assert not screen.getvalue()


def test_a_step_of_its_own_counts_nothing(shown_on):
    screen = shown_on()
    assert list(progress([1], "preparing minilm")) == [1]
    assert "preparing minilm" in screen.getvalue()
    assert not re.search(r"minilm\S* +[01] ", screen.getvalue())


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InputError("is wrong", where="file")])
def test_the_bar_is_gone_before_the_end_is_told(shown_on, monkeypatch, error):
    screen = shown_on()

    def interrupted(arguments):
        held = iter(progress(range(100), "embedding", total=100))  # beyond the error
        for at in held:
            if at == 50:
                raise error
        return 0

    monkeypatch.setattr(cli, "_invoke", interrupted)
    assert cli.start([]) in (2, 130)
    drawn, _, after = screen.getvalue().rpartition("\x1b[2K")  # a line is erased
    assert "embedding" in drawn
    assert after.removeprefix("\x1b[?25h") in ("interrupted\n", f"error: {error}\n")


def test_the_rest_of_the_time_is_shown_once_a_rate_is_known(shown_on):
    screen = shown_on()
    drawn = iter(progress(range(1000), "embedding", total=1000))
    for _ in range(20):
        next(drawn)
        time.sleep(0.02)
    module.clear()
    assert re.search(r"0:00:[0-9]{2}", screen.getvalue())
