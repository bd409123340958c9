"""What holds for every file of the catalogue."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import assay.statistics

FILES = sorted(path.stem for path in Path(assay.statistics.__file__).parent.glob("[!_]*.py"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_one_public_name_and_it_is_the_files(name):
    module = import_module(f"assay.statistics.{name}")
    assert module.__all__ == [name]
    assert module.__doc__.strip().endswith(".")
    assert "\n" not in module.__doc__


def test_importing_the_room_does_not_import_scipy():
    program = ";".join(f"import assay.statistics.{name}" for name in FILES)
    program += ";import sys;sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


DOCS = Path(__file__).parents[2] / "docs" / "statistics.md"
SIMULATIONS = Path(__file__).parents[1] / "simulations"


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_documented(name):
    assert f"`{name}`" in DOCS.read_text()


@pytest.mark.parametrize("path", sorted(SIMULATIONS.glob("test_*.py")), ids=lambda p: p.stem)
def test_every_simulation_has_its_figure_in_the_docs_and_none_is_made_up(path):
    tests = set(re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE))
    (part,) = [part for part in DOCS.read_text().split("\n### ") if f"/{path.name}`" in part]
    assert set(re.findall(r"`(test_\w+)`", part)) == tests
