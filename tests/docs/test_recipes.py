"""The recipes that show a whole file are followed to the letter, in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Each recipe, the file that it adds to the package, its test, and the contract of its catalogue.
ADDED = {
    "a metric": ("metrics/bad.py", "test_bad.py", "contracts/test_every_metric.py"),
    "a system": ("engines/systems/constant.py", "test_constant.py", ""),
    "a quality figure": ("models/quality/nearest.py", "test_nearest.py", ""),
    "a dataset format": (
        "datasets/formats/arrows.py",
        "test_arrows.py",
        "datasets/formats/test_every_format.py",
    ),
    "a report": ("reports/formats/org.py", "test_org.py", "reports/test_formats.py"),
    "a chart": (
        "reports/charts/kinds/size.py",
        "test_size.py",
        "reports/charts/test_every_chart.py",
    ),
    "a route": ("server/routes/sizes.py", "test_sizes.py", ""),
    "a chunker": (
        "corpora/chunkers/lines.py",
        "test_lines.py",
        "corpora/chunkers/test_every_chunker.py",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package with the files that the recipes show."""
    folder = tmp_path_factory.mktemp("copy")
    text = (ROOT / "CONTRIBUTING.md").read_text()
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "assay", folder / "assay", ignore=ignored)
    for recipe, (file, test, _) in ADDED.items():
        part = text.partition(f"### Add {recipe}\n")[2].partition("\n### ")[0]
        code, tests = re.findall(r"```py(?:thon)?\n(.*?)```", part, re.DOTALL)
        (folder / "assay" / file).write_text(code)
        (folder / test).write_text(tests)
    shutil.copy(ROOT / "tests" / "server" / "conftest.py", folder)
    return folder


OPTION = """
import inspect, json
from dataclasses import asdict

import assay
from assay.cli import start
from assay.errors import UsageError
from assay.records.run_settings import RunSettings

for verb in (assay.run, assay.plan, assay.demo):
    assert inspect.signature(verb).parameters["warm_up"].default == 3
assert RunSettings(warm_up=5).identity != RunSettings().identity
assert RunSettings(**json.loads(json.dumps(asdict(RunSettings(warm_up=5))))).warm_up == 5
try:
    assay.run({}, warm_up=101)
except UsageError as error:
    print(error)
start(["run", "--help"])
"""


def test_an_option_of_a_run_is_one_line_and_its_use(tmp_path):
    """The line that the recipe shows is added to a copy of the package, and nothing else."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    part = text.partition("### Add an option of a run\n")[2].partition("\n### ")[0]
    ((line,),) = [re.findall(r"```text\n(.*?)```", part, re.DOTALL)]
    shutil.copytree(ROOT / "src" / "assay", tmp_path / "assay")
    file = tmp_path / "assay" / "records" / "run_settings.py"
    before = file.read_text()
    after = before.replace("    sample: int | None", f"{line}    sample: int | None", 1)
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    file.write_text(after)
    (tmp_path / "use.py").write_text(OPTION)
    printed = run(tmp_path, "use.py")
    assert re.search(r"--warm-up N +Ask N queries before any is timed\.", printed)
    assert "[default: 3; 0<=x<=100]" in re.sub(r"\s+", " ", printed)
    assert "from 0 to 100" in printed


def run(copy, *arguments):
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_recipes_pass_their_tests(copy):
    tests = [test for _, test, _ in ADDED.values()]
    printed = run(copy, "-m", "pytest", "-v", "-W", "error", *tests)
    for test in tests:
        assert re.search(rf"{test}::\w+ PASSED", printed)


@pytest.mark.parametrize("recipe", [recipe for recipe in ADDED if ADDED[recipe][2]])
def test_what_a_recipe_adds_keeps_the_contract_of_its_catalogue(copy, recipe):
    file, _, contract = ADDED[recipe]
    source, name = ROOT / "tests" / contract, Path(file).stem
    folder = copy / source.parent.name
    folder.mkdir()
    for path in (source, *source.parent.glob("conftest.py")):
        shutil.copy(path, folder)
    printed = run(copy, "-m", "pytest", "-v", "-W", "error", str(folder), *only(name, folder))
    assert re.search(rf"\[.*{name}.*\] PASSED", printed)


def only(name, folder):
    """Leave the other members out of a contract: they pass it elsewhere."""
    (path,) = folder.glob("test_*.py")
    text, changed = re.subn(
        r"^NAMES = (catalogue\.)?\w+\(.*", f"NAMES = ['{name}']", path.read_text(), flags=re.M
    )
    path.write_text(text)
    return ["-k", "not catalogue_is_not_empty" if changed else name]


def test_the_files_of_the_recipes_pass_the_checks(copy):
    paths = [str(copy / "assay" / file) for file, _, _ in ADDED.values()]
    settings = str(ROOT / "pyproject.toml")
    run(copy, "-m", "ruff", "check", "--config", settings, *paths)
    run(copy, "-m", "ruff", "format", "--check", "--config", settings, *paths)


@pytest.mark.long  # mypy reads the whole package again
def test_the_files_of_the_recipes_are_typed(copy):
    paths = [str(copy / "assay" / file) for file, _, _ in ADDED.values()]
    run(copy, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *paths)
