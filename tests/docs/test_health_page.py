"""docs/health.md says of every finding and every figure what the program does."""

import re
from pathlib import Path

import pytest

import assay
from assay import catalogue
from assay.index_health import chunks, contents, vectors
from assay.index_health.health import EXPECTED
from assay.index_health.look import share_of
from assay.models import quality
from assay.reports.health.json import json

TEXT = (Path(__file__).parents[2] / "docs" / "health.md").read_text()


def section(title):
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def lines():
    """The shares at which findings are to be watched, and bad, as they are drawn."""
    return {}


@pytest.fixture(scope="module")
def found(tmp_path_factory, lines):
    """Findings about a real index with vectors, too few of them to measure."""

    def noted(section, name, *others, watch, bad, **more):
        lines[section, name] = (watch, bad)
        return share_of(section, name, *others, watch=watch, bad=bad, **more)

    with pytest.MonkeyPatch.context() as patch:
        for module in (chunks, contents, vectors):
            patch.setattr(module, "share_of", noted)
        return _looked_at(tmp_path_factory)


def _looked_at(tmp_path_factory):
    home = tmp_path_factory.mktemp("health")
    (home / "pages").mkdir()
    (home / "pages" / "a.md").write_text("Retries are configured in retry.toml, three of them.")
    chosen = {"model": "static", "dense": "hnsw"}
    assay.index(home / "pages", configuration=chosen, workspace=home / "ws")
    return assay.health(home / "pages", configuration=chosen, workspace=home / "ws")


def test_every_finding_has_a_row(found):
    told = section("What it looks at")
    for one in found.findings:
        if one.section == "embedding":
            continue
        name = re.sub(r" of \w+ by \w+$", "", one.name)  # of an index, by chunks or queries
        name = re.sub(r"\d+ tokens", "NUMBER tokens", name)
        rows = [line for line in told.splitlines() if line.startswith(f"| {one.section} |")]
        plain = [re.sub(r"\d+ tokens", "NUMBER tokens", line) for line in rows]
        assert any(f"`{name}`" in line for line in plain), (one.section, one.name)


def test_shares_are_those_of_the_program(found, lines):
    told = section("What it looks at").splitlines()
    assert len(lines) > 8
    for (part, name), (watch, bad) in lines.items():
        mine = [line for line in told if line.startswith(f"| {part} |")]
        (row,) = [line for line in mine if f"`{_sized(name)}`" in _sized(line)]
        cells = [cell.strip() for cell in row.split("|")]
        shares = [cell.partition(", or ")[0] for cell in cells[3:5]]
        assert shares == [_written(watch), _written(bad)], name


def _sized(text):
    """Leave out how many tokens: that depends on the model and the settings."""
    return re.sub(r"above \d+", "above N", text)


def _written(share):
    return "any" if share == 0 else f"{share:.1%}".replace(".0%", "%")


def test_what_can_be_expected_is_named():
    for name in EXPECTED:
        assert f"`{name}`" in section("What it looks at")


@pytest.mark.parametrize("name", catalogue.files(quality))
def test_every_figure_has_its_lines(name):
    reading = catalogue.find(quality, name).reading
    row = re.search(rf"^\| `{name}` \|.*$", section("How well the vectors separate"), re.MULTILINE)
    assert row
    cells = [cell.strip() for cell in row[0].split("|")]

    assert cells[3:5] == [f"{reading.watch:g}", f"{reading.bad:g}"]


def test_every_key_of_the_json_is_there(found):
    told = json(found)

    for key in (*told, *told["findings"][0]):
        assert f"`{key}`" in section("JSON"), key
