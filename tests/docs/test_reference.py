"""The documentation names everything there is, and the map of the house is the house."""

import re
from pathlib import Path

from docs.make_reference import pages

ROOT = Path(__file__).parents[2]


def test_reference_pages_are_up_to_date():
    for name, text in pages().items():
        assert (ROOT / "docs" / name).read_text() == text, "run `python -m docs.make_reference`"


def test_the_architecture_has_a_heading_for_each_folder():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    headings = set(re.findall(r"^#+ `([\w/.]+)`", text, re.MULTILINE))
    source = ROOT / "src" / "assay"
    folders = {str(p.parent.relative_to(source)) for p in source.rglob("__init__.py")} - {"."}
    files = {path.name for path in source.glob("[!_]*.py")}

    assert headings == folders | files


def test_the_contributing_recipes_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for recipe in ("a metric", "an engine", "a dataset format", "a chunker", "a model", "a report"):
        assert f"### Add {recipe}" in text


def test_every_link_between_pages_leads_somewhere():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("performance/*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
