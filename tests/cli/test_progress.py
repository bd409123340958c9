"""Progress: silent where nobody looks, a bar where the end is known, a count where it is not."""

import io
import re
import sys

import pytest

from assay.cli import _progress
from assay.cli._progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def drawn(monkeypatch):
    def draw(count, **settings):
        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(_progress, "STEP", -1)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "120")
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
