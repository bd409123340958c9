"""docs/judging.md has each option and key of `assay judge`, and what it writes down."""

import io
import re
import shlex
import shutil
from dataclasses import fields
from pathlib import Path

import pytest

from assay.cli import start
from assay.cli.commands.judge import judge
from assay.records.dataset import Rationale

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "judging.md").read_text()


def test_each_option_has_its_row():
    rows = re.findall(r"^\| `(--[\w-]+)` \|", TEXT, re.MULTILINE)
    options = [one for one in judge.params if one.param_type_name == "option"]
    named = [max(one.opts, key=len) for one in options if "--help" not in one.opts]

    assert sorted(rows) == sorted(named)


@pytest.mark.parametrize("key", ["s", "u", "m", "a", "?", "q"])
def test_each_key_of_the_help_has_its_row(key):
    assert f" {key} " in judge.help.replace("\n", " ")
    assert re.search(rf"^\|[^|]*`{re.escape(key)}`[^|]*\|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("field", [one.name for one in fields(Rationale)])
def test_what_is_known_of_a_grade_is_told(field):
    assert field in ("reason", "lines") or f"`{field}`" in TEXT


def test_several_datasets_are_judged_as_it_is_shown(tmp_path, monkeypatch, capsys):
    """The shipped dataset is large: a small one stands for it here."""
    section = TEXT.partition("## Several datasets")[2].partition("\n## ")[0]
    block = re.search(r"```yaml\n(.*?)```", section, re.DOTALL)[1]
    small = "{dataset: short-queries, name: stdlib}"
    place = shutil.copytree(ROOT / "examples" / "handbook", tmp_path / "handbook")
    (place / "benchmark.yaml").write_text(block.replace("{dataset: stdlib}", small))
    monkeypatch.chdir(place)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    commands = re.findall(r"^    (assay [^#\n]*?)(?: +# (.*))?$", section, re.MULTILINE)
    assert [shlex.split(command)[1] for command, _ in commands] == ["run", "judge", "judge", "run"]
    for command, said in commands:
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n0\n1\n"))
        words = shlex.split(command)[1:]
        quickly = ["--untimed"] if words[0] == "run" else []
        assert start([*words, *quickly]) == 0, capsys.readouterr().err
        for path in re.findall(r"[\w-]+/[\w.-]*", said):
            assert (place / path).exists()
    assert {one.name for one in (place / "judged-second").iterdir()} == {
        one.name for one in (place / "judged").iterdir()
    }
