"""pytest-assay, another project, and this plugin in one session: both work.

Its dependencies are 1.1 GB, so that those it imports are installed beside the packages of these
tests. Its evaluators need pydantic-ai before 2.
"""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from tests.pytest_plugin.conftest import IDS

import assay

THEIRS = ("pydantic-ai-slim[openai]>=1.56,<2", "pydantic-evals>=1.56,<2", "choix", "python-dotenv")
TESTS = """
import pytest
from pydantic_evals import Case, Dataset
from pytest_assay.models import AssayContext, Readout


def generate():
    return Dataset(name="topics", cases=[Case(name="one", inputs={"topic": "search"})])


async def evaluate(given):
    return Readout(passed=True, details={"cases": len(given.baseline_dataset.cases)})


@pytest.fixture
def context():
    return None


@pytest.mark.assay(generator=generate, evaluator=evaluate)
def test_theirs(context: AssayContext):
    assert context.assay_mode == "evaluate"


def test_ours(assay_benchmark):
    assay_benchmark("assay.yaml").gate()
"""

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Make an environment with pytest-assay, what it imports, and all that is installed here."""
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    places = [sysconfig.get_path("purelib"), Path(assay.__file__).parents[1]]
    packages = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    Path(packages, "shared.pth").write_text("".join(f"{place}\n" for place in places))
    program = home / "bin" / "python"
    pip = [program, "-m", "pip", "install", "-q"]
    subprocess.run([*pip, *THEIRS, "pydantic-settings"], check=True)
    subprocess.run([*pip, "--no-deps", "pytest-assay>=0.1.5,<0.2"], check=True)
    return program


def test_both_work_in_one_session(project, python):
    project.write(test_both_py=TESTS)
    words = ["test_both.py", "assay.yaml", "--assay-mode=evaluate", "--assay-search-strict", "-v"]

    done = subprocess.run(
        [python, "-m", "pytest", "--strict-markers", *words],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "assay-search: " in done.stdout
    assert "6 passed" in done.stdout
    assert all(f"{one} PASSED" in done.stdout for one in IDS)
    readout = project.folder / "assays" / "test_both" / "test_theirs.readout.json"
    assert json.loads(readout.read_text()) == {"passed": True, "details": {"cases": 1}}
