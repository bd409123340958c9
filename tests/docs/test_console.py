"""Every `$ command` in a console block of the documentation prints just what is shown below it.

A block that begins with ```console handbook is run in examples/handbook, others in examples/tiny.
"""

import re
import shlex
from pathlib import Path

import pytest

from assay.cli import start as run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def _commands():
    for page in PAGES:
        blocks = re.findall(r"```console ?(\w*)\n(.*?)```", page.read_text(), re.DOTALL)
        for folder, block in blocks:
            for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = shown.partition("\n")
                name = f"{page.name}: {command[:60]}"
                yield pytest.param(folder or "tiny", command, output, id=name)


@pytest.mark.parametrize(("folder", "command", "output"), list(_commands()))
def test_prints_what_the_documentation_shows(
    folder, command, output, monkeypatch, capsys, tmp_path
):
    monkeypatch.chdir(ROOT / "examples" / folder)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path))
    words = shlex.split(command)
    assert words[0] == "assay"

    code = run(words[1:])

    assert code == 0
    assert capsys.readouterr().out.strip() == output.strip()


def test_the_readme_shows_commands():
    shown = {one.values[1].split()[1] for one in _commands() if one.id.startswith("README.md")}
    assert shown == {"eval", "compare", "dataset", "search"}


def test_the_example_files_are_what_their_script_makes(monkeypatch, tmp_path):
    import examples.make_tiny as script

    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.main()

    for path in sorted((ROOT / "examples" / "tiny").iterdir()):
        assert (tmp_path / path.name).read_text() == path.read_text()
