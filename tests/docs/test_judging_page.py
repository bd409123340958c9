"""docs/judging.md has each option and key of `assay judge`, and what it writes down."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from assay.cli.judge import judge
from assay.records.dataset import Because

TEXT = (Path(__file__).parents[2] / "docs" / "judging.md").read_text()


def test_each_option_has_its_row():
    rows = re.findall(r"^\| `(--[\w-]+)` \|", TEXT, re.MULTILINE)
    options = [one for one in judge.params if one.param_type_name == "option"]
    named = [max(one.opts, key=len) for one in options if "--help" not in one.opts]

    assert sorted(rows) == sorted(named)


@pytest.mark.parametrize("key", ["s", "u", "m", "a", "?", "q"])
def test_each_key_of_the_help_has_its_row(key):
    assert f" {key} " in judge.help.replace("\n", " ")
    assert re.search(rf"^\|[^|]*`{re.escape(key)}`[^|]*\|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("field", [one.name for one in fields(Because)])
def test_what_is_known_of_a_grade_is_told(field):
    assert field in ("reason", "lines") or f"`{field}`" in TEXT
