"""docs/systems.md says of every setting of a system what the program does."""

import re
from pathlib import Path

import pytest

from assay.engines.systems._answer_paths import USUAL
from assay.searches.configuration.nested_settings import system_kinds, system_settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "systems.md").read_text()
# What holds where nothing is given, in words.
SAID = {
    ("http", "method"): "POST with a `request`, else GET",
    ("http", "response"): ", ".join(USUAL.values()),
    ("run_file", "format"): "by its content",
}


def rows(kind):
    part = re.search(rf"^##+ {kind}\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert part, f"{kind} has no heading"
    return dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", part[1], re.MULTILINE))


def written(kind, name, parameter):
    if parameter.default is parameter.empty:
        return "required"
    if parameter.default is None:
        return SAID.get((kind, name), "none")
    value = parameter.default
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("kind", system_kinds())
def test_settings_and_defaults_are_those_of_the_signature(kind):
    known = system_settings(kind)

    assert rows(kind) == {name: written(kind, name, one) for name, one in known.items()}


@pytest.mark.parametrize("kind", system_kinds())
def test_it_is_said_what_was_tested_against_what(kind):
    assert f"`{kind}`" in TEXT.partition("## What was tested against what")[2]


def test_each_example_is_named():
    named = TEXT.lower().replace(" of one's own", "").replace("a function", "callable")
    for path in (ROOT / "examples" / "systems").glob("*.yaml"):
        words = {"own_service": "service", "run_file": "run file"}.get(path.stem, path.stem)
        assert words in named, path.name
