"""The recipe for a metric is followed to the letter, in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "tests" / "contracts" / "test_every_metric.py"


@pytest.fixture
def copy(tmp_path):
    """A copy of the package with the files that the recipe shows."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    recipe = text.partition("### Add a metric")[2].partition("\n### ")[0]
    code, test = re.findall(r"```py(?:thon)?\n(.*?)```", recipe, re.DOTALL)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "assay", tmp_path / "assay", ignore=ignored)
    (tmp_path / "assay" / "metrics" / "bad.py").write_text(code)
    (tmp_path / "test_bad.py").write_text(test)
    return tmp_path


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


def test_the_metric_of_the_recipe_passes_the_checks(copy):
    path = str(copy / "assay" / "metrics" / "bad.py")
    settings = str(ROOT / "pyproject.toml")
    run(copy, "-m", "ruff", "check", "--config", settings, path)
    run(copy, "-m", "ruff", "format", "--check", "--config", settings, path)
    run(copy, "-m", "mypy", "--config-file", settings, path)
