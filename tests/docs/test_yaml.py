"""Every YAML block of the documentation is a benchmark, or a list of queries, that can be read."""

import re
from pathlib import Path

import pytest
import yaml

import assay
from assay.benchmarks.file.read_benchmark import read_benchmark

ROOT = Path(__file__).parents[2]
HANDBOOK, TUTORIAL = (ROOT / "examples" / name for name in ("handbook", "elasticsearch"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.name} {at}")
    for page in PAGES
    for at, block in enumerate(re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL), 1)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_can_be_read(block, tmp_path):
    given = yaml.safe_load(block)
    if isinstance(given, list):
        (tmp_path / "questions.yaml").write_text(block)
        assert len(assay.load_dataset(tmp_path / "questions.yaml").queries) == len(given)
        return
    for one in given.get("datasets", [given]):
        if one["dataset"] != "stdlib":
            keys = [key for key in ("dataset", "corpus") if key in one]
            one |= {key: placed(one[key], tmp_path) for key in keys}

    assert read_benchmark(given).configurations


def placed(value, folder):
    """Lead a path to the handbook; vectors are in a file that is there, and empty."""
    if isinstance(value, str):
        return str(next(home for home in (TUTORIAL, HANDBOOK) if (home / value).exists()) / value)
    (folder / value["vectors"]).touch()
    return {"path": str(HANDBOOK / value["path"]), "vectors": str(folder / value["vectors"])}


def test_pages_with_settings_show_a_benchmark():
    shown = {block.id.split()[0] for block in BLOCKS}

    assert {"README.md", "benchmarks.md", "structure.md", "systems.md"} <= shown
