"""Every `$ command` in a console block of the documentation prints just what is shown below it."""

import re
import shlex
from pathlib import Path

import pytest

from assay.cli import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def _commands():
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
            for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = shown.partition("\n")
                yield pytest.param(command, output, id=f"{page.name}: {command[:60]}")


@pytest.mark.parametrize(("command", "output"), list(_commands()))
def test_prints_what_the_documentation_shows(command, output, monkeypatch, capsys):
    monkeypatch.chdir(ROOT / "examples" / "tiny")
    words = shlex.split(command)
    assert words[0] == "assay"

    code = run(words[1:])

    assert code == 0
    assert capsys.readouterr().out.strip() == output.strip()


def test_the_readme_shows_commands():
    assert len(list(_commands())) >= 2


def test_the_example_files_are_what_their_script_makes(monkeypatch, tmp_path):
    import examples.make_tiny as script

    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.main()

    for path in sorted((ROOT / "examples" / "tiny").iterdir()):
        assert (tmp_path / path.name).read_text() == path.read_text()
