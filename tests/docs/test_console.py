"""Every `$ command` in a console block of the documentation prints just what is shown below it.

A block that begins with ```console handbook is run in a copy of examples/handbook, others in one of
examples/tiny; the commands of a block share a workspace. `printf '...' | assay ...` gives a command
its input. A comment above a block, such as
<!-- before: assay run benchmark.yaml -o report.json -->, is done first and not shown. How long
something took is not compared, all else is. `make golden` writes the outputs again.
"""

import io
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from assay.cli import start as run

ROOT = Path(__file__).parents[2]
WRITE = os.environ.get("ASSAY_GOLDEN") == "write"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"((?:<!-- before: .*? -->\n)*)```console ?(\w*)\n(.*?)```", re.DOTALL)
TIMES = [
    (re.compile(r"^(index s +).*$", re.MULTILINE), r"index s: times"),
    (re.compile(r" - +- +\d+\.\d\*? +"), " - - time "),  # the same as a column
    (re.compile(r" - +\d+\.\d\*? +(?=[\d,]+\*? +[A-Z])"), " - time "),  # before a verdict
    (re.compile(r"\b\d+\.\d → \d+\.\d(?= )"), "time → time"),
    (re.compile(r"less than 1 s|about [\d.]+ (s|min)\b"), "a time"),
    (re.compile(r"[\d.]+ KB more on disk"), "some more on disk"),
    (re.compile(r"^  a time .*\n", re.MULTILINE), ""),  # only what takes a while has its line
]


def _blocks():
    for page in PAGES:
        for before, folder, block in BLOCK.findall(page.read_text()):
            shown = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
            commands = [one.partition("\n")[::2] for one in shown]
            first = re.findall(r"<!-- before: (.*?) -->", before)
            name = f"{page.name}: {commands[0][0][:60]}"
            yield pytest.param(page, folder or "tiny", first, commands, id=name)


@pytest.mark.parametrize(("page", "folder", "first", "commands"), list(_blocks()))
def test_prints_what_the_documentation_shows(
    page, folder, first, commands, monkeypatch, capsys, tmp_path
):
    place = shutil.copytree(ROOT / "examples" / folder, tmp_path / folder)
    monkeypatch.chdir(place)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    for command in first:
        assert run(_words(command)) == 0
    for command, output in commands:
        capsys.readouterr()
        given, _, told = command.rpartition(" | ")
        monkeypatch.setattr("sys.stdin", io.StringIO(_printed(given)))
        assert run(_words(told)) == (1 if output.startswith("FAIL") else 0)
        printed = capsys.readouterr().out
        if WRITE and _timeless(printed) != _timeless(output):
            _write(page, command, output, printed)
            continue
        assert _timeless(printed) == _timeless(output)


def _write(page, command, old, new):
    """Put the new output of a command in the place of the old one."""
    lines = "".join(f"{line.rstrip()}\n" for line in new.strip("\n").split("\n"))
    ended = "\n" * (len(old) - len(old.rstrip("\n")) - 1)
    text = page.read_text(encoding="utf-8")
    before, after = f"$ {command}\n{old}", f"$ {command}\n{lines}{ended}"
    assert text.count(before) == 1, f"{page.name} has this block twice: {command}"
    page.write_text(text.replace(before, after), encoding="utf-8")


def _words(command):
    name, *words = shlex.split(command)
    assert name == "assay"
    return words


def _printed(command):
    """Return what a `printf` prints, whose lines end with a backslash and n."""
    name, *words = shlex.split(command) or ("printf", "")
    assert name == "printf"
    return " ".join(words).replace("\\n", "\n")


def _timeless(text):
    for pattern, instead in TIMES:
        text = pattern.sub(instead, text)
    return text.strip()


def test_only_times_are_left_out_of_the_comparison():
    shown = (
        "index s    0.2  1.5*\nndcg@10  0.25\n1 words  0.6590 [0, 1]    -       -      0.2     10"
    )
    other = shown.replace("0.2  1.5*", "9.1  0.1").replace("      0.2     10", "      7.5     10")

    assert _timeless(other) == _timeless(shown)
    assert _timeless(shown.replace("0.6590", "0.6591")) != _timeless(shown)
    assert _timeless(shown.replace("0.25", "0.26")) != _timeless(shown)


def test_the_readme_shows_commands():
    shown = [
        command.split()[1]
        for one in _blocks()
        if one.id.startswith("README.md")
        for command, _ in one.values[3]
    ]
    assert set(shown) == {"eval", "compare", "gate", "dataset", "search", "run"}


def test_the_example_files_are_what_their_script_makes(monkeypatch, tmp_path):
    import examples.make_tiny as script

    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.main()

    for path in sorted((ROOT / "examples" / "tiny").iterdir()):
        assert (tmp_path / path.name).read_text() == path.read_text()
