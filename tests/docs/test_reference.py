"""The documentation names everything there is."""

import re
from pathlib import Path

import click
import pytest
from docs.make_reference import pages

from assay.cli import command_line
from assay.workflows.list_members import KINDS, list_members

ROOT = Path(__file__).parents[2]


def test_reference_pages_are_up_to_date():
    for name, text in pages().items():
        assert (ROOT / "docs" / name).read_text() == text, "run `python -m docs.make_reference`"


def test_the_readme_has_every_command_in_its_table():
    shown = re.findall(r"^\| `assay (\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)

    assert sorted(shown) == sorted(command_line.list_commands(click.Context(command_line)))


RECIPES = [
    "a metric", "a dataset format", "a language", "a chunker", "a model", "a reranker",
    "a lexical engine", "a dense index", "a fusion", "a system", "a store", "a quality figure",
    "a report", "a stage", "a suite", "a step of the ledger", "a command", "an analysis", "a chart",
    "a shape of others", "a route", "a test of the service",
]  # fmt: skip


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_contributing_recipes_exist(recipe):
    assert f"### Add {recipe}\n" in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_every_member_is_documented_as_one_types_it(kind):
    places = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(page.read_text() for page in places)
    missing = [
        name for name in list_members(kind) if f"`{name}`" not in text and f"`.{name}`" not in text
    ]

    assert not missing


def test_every_catalogue_has_a_kind():
    """A folder whose files are members is listed, or is no catalogue of what one types."""
    packages = {package.removeprefix("assay.").replace(".", "/") for package in KINDS.values()}
    source = ROOT / "src" / "assay"
    folders = {str(p.parent.relative_to(source)) for p in source.rglob("*/*/__init__.py")}
    rest = {f for f in folders if f.startswith(("corpora/", "models/", "engines/"))} - packages

    assert rest == {
        "corpora/ignore",
        "corpora/programs",
        "corpora/text",
        "engines/coherence",
        "engines/sweep",
        "engines/vectors",
        "engines/words",
        "models/given",
        "models/inference",
        "models/remote",
    }  # steps, and the parts of one method


def test_every_link_between_pages_leads_somewhere():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("performance/*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
