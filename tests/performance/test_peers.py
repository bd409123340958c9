"""Peers: `make perf` installs each one that is measured, and a missing one is said."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import performance.embedding
import pytest
from performance._measure import measure
from performance._settings import Settings

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "performance" / "scripts"
OWN = {"assay", *(path.stem for path in SCRIPTS.glob("*.py"))}
IMPORTED_AS = {"pytrec-eval-terrier": "pytrec_eval", "faiss-cpu": "faiss"}


def imports(path):
    """Return the packages that a script imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def modules(requirements):
    """Return what the packages of some requirements are imported as."""
    names = (re.match(r"[\w.-]+", line).group() for line in requirements if line[:1] not in "#")
    return {IMPORTED_AS.get(name, name).replace("-", "_") for name in names}


def peers():
    lines = (ROOT / "performance" / "peers.txt").read_text(encoding="utf-8").splitlines()
    return modules(lines)


def test_what_scripts_import_is_installed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    used = ("search", "frames", "dev", "perf")
    known = modules([*project["dependencies"], *(one for name in used for one in extras[name])])
    known |= peers() | OWN | sys.stdlib_module_names
    unknown = {(path.name, name) for path in SCRIPTS.glob("*.py") for name in imports(path)}
    assert {(path, name) for path, name in unknown if name not in known} == set()


def test_torch_is_no_part_of_the_project():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    installed = modules([*extras["dev"], *extras["perf"]])
    assert not installed & {"torch", "sentence_transformers"}
    assert {"torch", "sentence_transformers"} <= peers()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")
@pytest.mark.parametrize("given", [{}, {"ASSAY_PEER_PYTHON": "/else/bin/python"}])
def test_make_perf_installs_peers_unless_an_interpreter_is_named(given):
    environment = {name: value for name, value in os.environ.items() if "ASSAY" not in name}
    command = ["make", "-n", "-B", "-C", str(ROOT), "perf"]
    told = subprocess.run(
        command, env=environment | given, capture_output=True, text=True, check=True
    ).stdout
    assert "'.[dev,perf]'" in told
    assert ("-r performance/peers.txt" in told) is not bool(given)


def test_a_missing_peer_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(performance.embedding, "PYTHON", str(tmp_path / "python"))
    result = performance.embedding.embedding(Settings(tmp_path))
    assert result.rows == []
    assert all(fact in result.notes[0] for fact in ("make perf", "peers.txt", "ASSAY_PEER_PYTHON"))


def test_a_script_without_its_package_says_how_to_install_it():
    with pytest.raises(SystemExit, match=r"no_such_peer[\s\S]*dev,perf"):
        measure([sys.executable, "-c", "import no_such_peer"])
