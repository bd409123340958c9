"""docs/reports.md has each chart, each ending and each field of the shapes of others."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from assay import catalogue
from assay.records import Report, Run
from assay.reports import ancestors, formats
from assay.reports.charts.draw import names
from assay.workflows.report_files.content import CHARTS, SHAPED

TEXT = (Path(__file__).parents[2] / "docs" / "reports.md").read_text()
ONE = Run("words", "f", {"search": "lexical"}, scores={"ndcg@10": 1.0})


def section(title):
    part = TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert part, f"there is no section {title}"
    return part


def test_charts_are_those_of_the_program_in_their_order():
    told = re.findall(r"^\| `(\w+)` \| (.*) \|$", section("Charts"), re.MULTILINE)

    assert told == names()


@pytest.mark.parametrize("ending", ["json", "html", *catalogue.files(formats), *CHARTS])
def test_each_ending_is_there(ending):
    assert re.search(rf"^\|.*`{ending}`.*\|.*\|$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("shape", SHAPED)
def test_fields_are_those_of_the_shape(shape):
    fill = getattr(import_module(f"{ancestors.__name__}.{shape}"), shape)
    runs = (ONE, Run("other", "g", {})) if shape == "akashic" else (ONE,)
    report = Report({"name": "b", "metrics": ["ndcg@10"]}, {}, {}, {}, runs)
    told = fill(report, date="2026-01-01T00:00:00")
    fields = {*told, *told.get("reports", [{}])[0]} - {"reports", "notes"}
    table = section("Shapes of others").partition(f"| field of `{shape}` |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)

    assert {name for row in rows for name in re.findall(r"`([\w@]+)`", row)} == fields


@pytest.mark.parametrize("shape", SHAPED)
def test_each_file_of_a_shape_is_there(shape):
    for ending in SHAPED[shape]:
        assert f"`x.{shape}.{ending}`" in TEXT
