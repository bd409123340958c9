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
    r"^\| `assay (.+?)` \| `(.+?)` = (-?[\d.]+|`.+?`)(?: ± ([\d.]+))? \|$",
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


def commands():
    """Give each command with all its figures: whoever runs it, runs it once."""
    for command in dict.fromkeys(row[0] for row in ROWS):
        figures = [row[1:] for row in ROWS if row[0] == command]
        long = [pytest.mark.long] if command.startswith("run ") else []  # it embeds a collection
        yield pytest.param(command, figures, marks=long, id=command)


def looked_up(found, key):
    """Follow a key: steps between dots; ``runs[default]`` is the run of that name.

    ``comparisons[default]`` is that run against the baseline.
    """
    for step in re.split(r"\.(?!\d)", key):
        name, _, which = step.rstrip("]").partition("[")
        found = found[name]
        if which:
            (found,) = [one for one in found if which in (one.get("name"), one.get("run"))]
    return found


def agrees(report, key, value, within):
    """Hold a figure to its value: another figure, a number and what is near, or its decimals."""
    found = looked_up(report, key)
    if value.startswith("`"):
        return found == looked_up(report, value.strip("`"))
    if within:
        return found == pytest.approx(float(value), abs=float(within))
    return round(found, len(value.partition(".")[2])) == float(value)


@pytest.mark.parametrize(("command", "figures"), [*commands()])
def test_figures(command, figures, monkeypatch, capsys):
    if "$ASSAY_DATA" in command and not DATA.is_dir():
        pytest.skip("the collections are not part of the project; ASSAY_DATA names their folder")
    monkeypatch.chdir(ROOT)
    report = printed(command, capsys)
    wrong = [
        (key, looked_up(report, key), *told)
        for key, *told in figures
        if not agrees(report, key, *told)
    ]
    assert not wrong


def test_a_figure_that_is_elsewhere_is_noticed():
    report = {"runs": [{"name": "a", "scores": {"ndcg@10": 0.3804}}, {"name": "b", "scores": {}}]}
    key = "runs[a].scores.ndcg@10"
    assert agrees(report, key, "0.380", "")
    assert agrees(report, key, "0.385", "0.005")
    assert agrees(report, key, f"`{key}`", "")
    assert not agrees(report, key, "0.381", "")
    assert not agrees(report, key, "0.386", "0.005")
    assert not agrees(report, key, "-0.380", "0.005")
    assert not agrees(report, "runs[a].scores", "`runs[b].scores`", "")


@pytest.mark.long
@pytest.mark.parametrize("collection", ["cranfield", "cosqa-dev"])
def test_the_default_does_not_lose_to_its_parts(collection, monkeypatch, capsys):
    if not DATA.is_dir():
        pytest.skip("the collections are not part of the project; ASSAY_DATA names their folder")
    monkeypatch.chdir(ROOT)
    place = f"$ASSAY_DATA/{collection}"
    command = f"run reproductions/default.yaml --dataset {place} --asks 1 --json"
    report = printed(command, capsys)
    scores = {one["name"]: one["scores"]["ndcg@10"] for one in report["runs"]}
    assert scores["default"] >= max(scores["lexical"], scores["dense"]) - 0.01
    assert scores["default"] >= {"cranfield": 0.41, "cosqa-dev": 0.58}[collection]


def test_there_are_figures():
    assert len(ROWS) == 47
