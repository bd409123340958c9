"""The recipes that show a whole file are followed to the letter, in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "tests" / "contracts" / "test_every_metric.py"
# Each recipe, the file that it adds to the package, and its test.
ADDED = {
    "a metric": ("metrics/bad.py", "test_bad.py"),
    "a system": ("engines/systems/constant.py", "test_constant.py"),
    "a quality figure": ("models/quality/nearest.py", "test_nearest.py"),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package with the files that the recipes show."""
    folder = tmp_path_factory.mktemp("copy")
    text = (ROOT / "CONTRIBUTING.md").read_text()
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "assay", folder / "assay", ignore=ignored)
    for recipe, (file, test) in ADDED.items():
        part = text.partition(f"### Add {recipe}\n")[2].partition("\n### ")[0]
        code, tests = re.findall(r"```py(?:thon)?\n(.*?)```", part, re.DOTALL)
        (folder / "assay" / file).write_text(code)
        (folder / test).write_text(tests)
    return folder


def run(copy, *arguments):
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_metric_of_the_recipe_keeps_every_contract(copy):
    shutil.copy(CONTRACT, copy)
    printed = run(copy, "-m", "pytest", "-v", "-W", "error", "test_bad.py", CONTRACT.name)
    for test in ("test_bad.py::test_by_hand PASSED", "test_its_text_reads_back[bad@7] PASSED"):
        assert test in printed


def test_the_other_recipes_pass_their_tests(copy):
    printed = run(copy, "-m", "pytest", "-q", "-W", "error", "test_constant.py", "test_nearest.py")

    assert "4 passed" in printed


def test_the_files_of_the_recipes_pass_the_checks(copy):
    paths = [str(copy / "assay" / file) for file, _ in ADDED.values()]
    settings = str(ROOT / "pyproject.toml")
    run(copy, "-m", "ruff", "check", "--config", settings, *paths)
    run(copy, "-m", "ruff", "format", "--check", "--config", settings, *paths)
    run(copy, "-m", "mypy", "--config-file", settings, *paths)
