"""A wheel of this tree, installed by pip, uv and pipx: the core works alone and says what it lacks.

All of it is installed from the package index, as the tests themselves are.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from performance.install_size import LIMIT_MB, make_environment, measure_environment

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "src"
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "PIP_", "UV_")  # of the environment
EVERY_MODULE = """
import importlib, pkgutil, assay
# They need pytest, and the extra server.
others = ("assay.__main__", "assay.pytest_plugin.", "assay.server.")
for found in pkgutil.walk_packages(assay.__path__, "assay."):
    if not found.name.startswith(others):
        importlib.import_module(found.name)
print(assay.__file__)
"""

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with examples, and nothing of the source."""
    folder = tmp_path_factory.mktemp("installation")
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@pytest.fixture(scope="module")
def call(place):
    """Run a program in one of the examples, without what this process knows of the source."""
    own = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    own |= {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}  # as pip: what this machine trusts
    homes = {"UV_CACHE_DIR": "uv", "UV_TOOL_DIR": "tools", "UV_TOOL_BIN_DIR": "programs"}
    homes |= {"PIPX_HOME": "pipx", "PIPX_BIN_DIR": "programs", "ASSAY_CACHE": "cache"}
    own |= {name: str(place / folder) for name, folder in homes.items()}
    own |= {"UV_PYTHON": sys.executable, "PIPX_DEFAULT_PYTHON": sys.executable}

    def called(*command, folder="tiny", code=0):
        done = subprocess.run(
            [*map(str, command)],
            cwd=place / "examples" / folder,
            env=own,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return called


@pytest.fixture(scope="module")
def tools(place):
    """Return where the programs are that build and install: build, uv and pipx."""
    subprocess.run([sys.executable, "-m", "venv", place / "build"], check=True)
    pip = [place / "build" / "bin" / "python", "-m", "pip", "install", "-q", "build", "pipx", "uv"]
    subprocess.run(pip, check=True)
    return place / "build" / "bin"


@pytest.fixture(scope="module")
def built(place, tools):
    """Build both distributions, the wheel out of the other, and return the folder."""
    command = [tools / "python", "-m", "build", "--outdir", place / "dist", ROOT]
    subprocess.run(command, check=True, capture_output=True)
    return place / "dist"


@pytest.fixture(scope="module")
def wheel(built):
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def core(place, wheel):
    """An environment with the wheel and its core dependencies."""
    return make_environment(place / "core", wheel, "", python=Path(sys.executable))


@pytest.fixture(scope="module")
def assay(call, core):
    return lambda *arguments, **options: call(core / "bin" / "assay", *arguments, **options)


def files_of_the_package():
    found = [path for path in (PACKAGES / "assay").rglob("*") if path.is_file()]
    return {
        path.relative_to(PACKAGES).as_posix() for path in found if "__pycache__" not in path.parts
    }


def test_both_distributions_hold_all_files(built, wheel):
    names = zipfile.ZipFile(wheel).namelist()
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}

    assert {name for name in names if ".dist-info/" not in name} == files_of_the_package()
    assert {f"src/{name}" for name in files_of_the_package()} <= source
    assert {"LICENSE", "README.md", "pyproject.toml", "tests/conftest.py"} <= source


def test_the_core_has_no_package_of_an_extra_and_a_bounded_size(core):
    weights = measure_environment(core)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    every = [one for each in project["optional-dependencies"].values() for one in each]
    extra = {one.partition(">")[0].partition("[")[0].lower() for one in every} - {"assay-search"}

    assert {name for name in weights if name.lower() in extra} == set()
    assert weights["in total"] < LIMIT_MB


def test_every_module_of_the_core_can_be_imported(call, core):
    done = call(core / "bin" / "python", "-c", EVERY_MODULE)

    assert done.stdout.startswith(str(core))


@pytest.mark.parametrize(
    ("folder", "command", "expected"),
    [
        ("tiny", "--help", "compare"),
        ("tiny", "eval qrels.txt bm25.run hybrid.run -m ndcg@10 --intervals", "0.6813"),
        ("tiny", "compare bm25.run hybrid.run --qrels qrels.txt -m ndcg@10", "SHIP"),
        ("handbook", "dataset check questions.yaml", "7 queries"),
        ("handbook", "dataset resolve questions.yaml --corpus pages", "7 of 8"),
        ("handbook", "dataset audit questions.yaml --corpus pages", "equipment.md"),
        ("handbook", "dataset check stdlib", "90 queries"),
        ("handbook", "list models", "minilm"),
    ],
)
def test_a_command_of_the_core(assay, folder, command, expected):
    assert expected in assay(*command.split(), folder=folder).stdout


@pytest.mark.parametrize(
    ("folder", "command", "extras"),
    [
        ("handbook", "run sweep.yaml", "search"),
        ("handbook", "run sweep.yaml --plan", "search"),
        ("handbook", "run sweep.yaml -o page.html", "plots"),
        ("handbook", "search pages leave", "search"),
        ("handbook", "search pages leave --search lexical", "search"),
        ("handbook", "index pages", "search"),
        ("handbook", "demo", "plots,search"),
        ("handbook", "demo -o page.html", "plots,search"),
        ("tiny", "eval qrels.txt bm25.run -o scores.parquet", "frames"),
    ],
)
def test_what_needs_an_extra_says_how_to_install_it(assay, core, wheel, folder, command, extras):
    done = assay(*command.split(), folder=folder, code=2)

    assert done.stdout == ""
    *_, problem, hint = done.stderr.splitlines()
    assert problem
    python = core / "bin" / "python"
    assert hint.endswith(f" -m pip install '{wheel}[{extras}]'")
    assert hint.startswith(f"  hint: {python}")
    assert done.stderr.count("install '") == 1


def test_the_core_measures_systems_that_exist_already(assay, place):
    file = place / "examples" / "systems" / "recorded.yaml"
    system = {"kind": "run_file", "path": "recorded.run"}
    asked = {"dataset": "../handbook/questions.yaml", "corpus": "../handbook/pages"}
    file.write_text(
        json.dumps(asked | {"configurations": [{"name": "recorded", "system": system}]})
    )
    assay("run", file.name, "-o", "report.json", folder="systems")
    assay("report", "report.json", "-o", "report.md", folder="systems")

    assert "recorded" in (file.parent / "report.md").read_text()


def test_the_hint_of_pip_installs_what_is_missing(call, assay, core, wheel):
    hint = assay("eval", "qrels.txt", "bm25.run", "-o", "scores.parquet", code=2).stderr
    call("sh", "-c", hint.rpartition("hint: ")[2])

    assay("eval", "qrels.txt", "bm25.run", "-o", "scores.parquet")


def test_uvx_runs_the_wheel(call, tools, wheel):
    command = (tools / "uv", "tool", "run", "--from", wheel, "assay")
    done = call(*command, "eval", "qrels.txt", "bm25.run", "-m", "ndcg@10")
    hint = call(*command, "demo", code=2).stderr.splitlines()[-1]

    assert "0.6813" in done.stdout
    assert hint == f"  hint: uvx --from '{wheel}[plots,search]' assay ..."


def test_uvx_runs_the_wheel_with_extras(call, tools, wheel):
    """uv installs hard links to its cache, also to the weights of the model."""
    command = (tools / "uv", "tool", "run", "--from", f"{wheel}[plots,search]", "assay")
    done = call(*command, "search", "pages", "days off in a year", "-k", "1", folder="handbook")
    files = ("-o", "report.html", "-o", "report.parquet")
    call(*command, "run", "benchmark.yaml", *files, folder="handbook")

    assert "leave.md" in done.stdout


@pytest.mark.parametrize(
    ("install", "again"),
    [(("uv", "tool", "install"), ""), (("pipx", "install"), " --force")],
    ids=["uv", "pipx"],
)
def test_a_tool_for_the_user(call, place, tools, wheel, install, again):
    program, *options = install
    programs = place / "programs"
    shutil.rmtree(programs, ignore_errors=True)
    call(tools / program, *options, wheel)
    done = call(programs / "assay", "compare", "bm25.run", "hybrid.run", "--qrels", "qrels.txt")
    hint = call(programs / "assay", "demo", code=2).stderr.splitlines()[-1]

    assert "SHIP" in done.stdout
    assert hint == f"  hint: {' '.join(install)}{again} '{wheel}[plots,search]'"
