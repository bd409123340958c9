"""Each published figure is what its command gives."""

import json
import os
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from assay.cli import start as run

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
ROWS = re.findall(
    r"^\| `assay (.+?)` \| `(.+?)` = ([\d.]+)(?: ± ([\d.]+))? \|$",
    (ROOT / "reproductions" / "README.md").read_text(),
    re.MULTILINE,
)


@cache
def answers():
    return {}


@pytest.fixture(autouse=True)
def shared_vectors(cache, monkeypatch):
    """Let all workers remember what one of them has embedded."""
    monkeypatch.setenv("ASSAY_WORKSPACE", str(cache / "reproductions"))


def printed(command, capsys):
    """Run a command once, whatever number of its figures is looked at."""
    if command not in answers():
        assert run(shlex.split(command.replace("$ASSAY_DATA", str(DATA)))) == 0
        answers()[command] = json.loads(capsys.readouterr().out)
    return answers()[command]


def marked(row):
    """Mark what embeds a whole collection: it takes minutes."""
    return pytest.param(*row, marks=pytest.mark.long) if row[0].startswith("run ") else row


def looked_up(found, key):
    """Follow a key: steps between dots; ``runs[default]`` is the run of that name."""
    for step in re.split(r"\.(?!\d)", key):
        name, _, which = step.rstrip("]").partition("[")
        found = found[name]
        if which:
            (found,) = [one for one in found if one["name"] == which]
    return found


@pytest.mark.parametrize(("command", "key", "value", "within"), [marked(row) for row in ROWS])
def test_figure(command, key, value, within, monkeypatch, capsys):
    if "$ASSAY_DATA" in command and not DATA.is_dir():
        pytest.skip("the collections are not part of the project; ASSAY_DATA names their folder")
    monkeypatch.chdir(ROOT)
    found = looked_up(printed(command, capsys), key)
    if within:
        assert found == pytest.approx(float(value), abs=float(within))
    else:
        assert round(found, len(value.partition(".")[2])) == float(value)


@pytest.mark.long
@pytest.mark.parametrize("collection", ["cranfield", "cosqa-dev"])
def test_the_default_does_not_lose_to_its_parts(collection, monkeypatch, capsys):
    if not DATA.is_dir():
        pytest.skip("the collections are not part of the project; ASSAY_DATA names their folder")
    monkeypatch.chdir(ROOT)
    place = f"$ASSAY_DATA/{collection}"
    command = f"run reproductions/default.yaml --dataset {place} --repeats 1 --json"
    report = printed(command, capsys)
    scores = {one["name"]: one["scores"]["ndcg@10"] for one in report["runs"]}
    assert scores["default"] >= max(scores["lexical"], scores["dense"]) - 0.01
    assert scores["default"] >= {"cranfield": 0.41, "cosqa-dev": 0.58}[collection]


def test_there_are_figures():
    assert len(ROWS) == 16
