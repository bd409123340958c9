"""The pages about the code name the folders, files and import rules that there are."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "assay"
PAGE = (ROOT / "ARCHITECTURE.md").read_text()
SECTIONS = dict(re.findall(r"^#+ `([\w/.]+)`\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL))
FOLDERS = {str(p.parent.relative_to(SOURCE)) for p in SOURCE.rglob("*.py")} - {"."}
PAGES = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "docs" / "decisions.md"]


def test_each_folder_has_a_heading_and_each_heading_is_one():
    assert set(SECTIONS) == FOLDERS | {path.name for path in SOURCE.glob("[!_]*.py")}


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_a_section_asks_a_question_and_names_a_file_to_start_with(folder):
    text, files = SECTIONS[folder], {path.name for path in (SOURCE / folder).glob("[!_]*.py")}
    named = re.findall(r"`(\w+\.py)`", text)

    assert "?" in text
    assert set(named) <= files
    assert named or not files


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page):
    """All but the tests that recipes add."""
    paths = re.findall(
        r"`((?:src/assay|tests|docs|performance|examples)/[\w/.]+)`", page.read_text()
    )
    inside = re.findall(r"`([a-z_]+/[\w/]+(?:\.py)?)`", page.read_text())
    tops = {path.stem for path in SOURCE.iterdir()}
    paths += [f"src/assay/{path}" for path in inside if path.partition("/")[0] in tops]

    assert paths
    assert [path for path in paths if not (ROOT / path).exists() and path not in ADDED] == []


ADDED = {
    f"tests/{folder}/test_{name}.py"
    for folder, name in (
        ("corpora/chunkers", "lines"),
        ("datasets/formats", "arrows"),
        ("engines/systems", "constant"),
        ("metrics", "bad"),
        ("models/quality", "nearest"),
        ("reports/charts/kinds", "size"),
        ("reports/formats", "org"),
        ("server/routes", "sizes"),
    )
}  # by the recipes


def test_the_table_of_import_rules_has_the_layers_in_order():
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = [rule["layers"] for rule in rules["contracts"] if rule["type"] == "layers"]
    rows = PAGE.partition("| kind | layers")[2].partition("\n\n")[0].splitlines()[2:]
    table = [row.replace("\\|", "&").split("|")[2] for row in rows]

    assert [written(row) for row in (" > ".join(table[:-1]), table[-1])] == [
        [sorted(existing(layer)) for layer in contract if existing(layer)] for contract in layers
    ]


def existing(layer):
    """The packages of a layer; those in brackets are still to come."""
    return [name.strip() for name in layer.split("|") if "(" not in name]


def written(row):
    return [sorted(re.findall(r"`(\w+)`", layer)) for layer in row.split(" > ")]
