"""docs/installation.md names every extra, with the sizes that were measured."""

import re
import tomllib
from pathlib import Path

from performance.install_size import LIMIT_MB

from assay.extras import EXTRAS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
ROWS = (ROOT / "performance" / "install_size.txt").read_text(encoding="utf-8").splitlines()


def measured():
    """Return what was measured last, in MB, by extras."""
    cells = {row.split("|")[1].strip(): row.split("|")[2:-1] for row in ROWS if row[:1] == "|"}
    names = [name.strip(" []") for name in cells["package"]]
    sizes = [float(size.replace(",", "")) for size in cells["in total"]]
    return dict(zip(names, sizes, strict=True))


def test_every_extra_has_a_row():
    listed = re.findall(r"^\| (`.*?) \|", PAGE, re.M)
    named = {name for cell in listed for name in re.findall(r"`([\w-]+)`", cell)}

    assert EXTRAS.keys() <= named


def test_the_sizes_are_those_that_were_measured():
    sizes = measured()

    assert sizes["core"] < LIMIT_MB
    for extras, size in sizes.items():
        title = "none" if extras == "core" else f"`{extras}`"
        row = next(r for r in PAGE.splitlines() if r.startswith(f"| {title} "))
        assert f"{size:,.0f} |" in row


def test_other_pages_install_nothing_from_an_index_that_does_not_have_it():
    """The package is not on PyPI: when it is, this test and the pages change."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    name = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
    found = [page.name for page in pages if re.search(rf"install ['\"]?{name}", page.read_text())]

    assert found == []
