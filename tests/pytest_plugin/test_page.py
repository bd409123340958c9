"""docs/pytest.md: its tests and commands are run, and it names every option."""

import re
import shlex
from pathlib import Path

import pytest
from tests.pytest_plugin.conftest import IDS, WORSE

PAGE = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text()
COMMANDS = [
    line.strip().partition("  #")[0]
    for line in re.findall(r"^    (?:assay|pytest) .*$", PAGE, re.MULTILINE)
]


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_its_tests_pass(project):
    project.write(test_search_py=blocks("python")[0])

    assert "2 passed" in project.pytest("test_search.py")


def test_its_output_is_that_of_a_loss(project):
    project.write(search_py=WORSE)
    told = project.pytest("assay.yaml", "--assay-search-allow", "ndcg@10:5%", expect=1)
    (shown,) = blocks("text")

    assert {plain(line) for line in shown.splitlines()} <= {*map(plain, told.splitlines())}


def plain(line):
    """Leave out the width of a headline, progress, and what is not the same every time."""
    return re.sub(r"_{3,}|\[100%\]|^[0-9a-f]{12}|p [<=] [0-9.]+| +", " ", line).strip()


def test_its_commands_work_one_after_the_other(project):
    names = {"ours": "hybrid"}
    place = project.folder / "assay.yaml"
    place.write_text(place.read_text().replace("name: ours", f"name: {names['ours']}"))
    (project.folder / "tests").mkdir()
    (project.folder / "tests" / "test_search.py").write_text(blocks("python")[0])
    project.write(pyproject_toml=blocks("toml")[0])
    (project.folder / "pytest.ini").unlink()

    for command in COMMANDS:
        program, *words = shlex.split(command)
        (project.assay if program == "assay" else project.pytest)(*words)

    assert len(COMMANDS) == 7
    assert (project.folder / "junit.xml").is_file()
    assert "assay.yaml::hybrid: ndcg@10 allow 5%" in project.ids()


def test_it_names_every_option(project):
    told = project.pytest("--help")
    options = {*re.findall(r"--assay-search-\w+", told), *re.findall(r"\bassay_search_\w+", told)}

    assert len(options) == 11
    assert {one for one in options if not re.search(rf"{one}[` ]", PAGE)} == set()


@pytest.mark.parametrize("word", ["assay_search_outcome", "assay_search_reason"])
def test_properties_of_junit_are_those_of_the_page(project, word):
    project.pytest(IDS[0], "--junitxml=junit.xml")

    assert f'name="{word}"' in (project.folder / "junit.xml").read_text()
    assert f"`{word}`" in PAGE
