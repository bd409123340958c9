"""Each published figure is what its command gives."""

import json
import os
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from assay.cli import run

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
ROWS = re.findall(
    r"^\| `assay (.+?)` \| `(.+?)` = ([\d.]+) \|$",
    (ROOT / "reproductions" / "README.md").read_text(),
    re.MULTILINE,
)


@cache
def answers():
    return {}


def printed(command, capsys):
    """Run a command once, whatever number of its figures is looked at."""
    if command not in answers():
        assert run(shlex.split(command.replace("$ASSAY_DATA", str(DATA)))) == 0
        answers()[command] = json.loads(capsys.readouterr().out)
    return answers()[command]


@pytest.mark.parametrize(("command", "key", "value"), ROWS)
def test_figure(command, key, value, monkeypatch, capsys):
    if "$ASSAY_DATA" in command and not DATA.is_dir():
        pytest.skip("the collections are not part of the project; ASSAY_DATA names their folder")
    monkeypatch.chdir(ROOT)
    found = printed(command, capsys)
    for step in re.split(r"\.(?!\d)", key):
        found = found[step]
    digits = len(value.partition(".")[2])
    assert round(found, digits) == float(value)


def test_there_are_figures():
    assert len(ROWS) == 10
