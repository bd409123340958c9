"""Tables are as wide as the terminal, paragraphs only as wide as reads well."""

import os

import pytest

from assay.cli.terminal.size import columns, paragraph_width, rows


@pytest.mark.parametrize(("wide", "paragraph"), [(60, 60), (100, 100), (240, 100)])
def test_of_a_terminal(monkeypatch, wide, paragraph):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((wide, 30)))
    assert (columns(), rows(), paragraph_width()) == (wide, 30, paragraph)


def test_where_nobody_looks():
    assert (columns(), rows(), paragraph_width()) == (None, None, 100)
