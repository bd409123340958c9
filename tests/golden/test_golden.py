"""Outputs of a fixed set of commands are what they were; `make golden` writes them again."""

import difflib
import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.golden.cases import CASES
from tests.golden.perform import INPUTS, perform

import assay
from assay.cli import start

EXPECTED = Path(__file__).with_name("expected")
DOCS = Path(__file__).parents[2] / "docs"
WRITE = os.environ.get("ASSAY_GOLDEN") == "write"


@pytest.fixture(scope="session")
def benchmark(tmp_path_factory):
    """Run the benchmark once; each test gets a copy of what it left behind."""
    folder = tmp_path_factory.mktemp("golden") / "here"
    shutil.copytree(INPUTS, folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setenv("ASSAY_WORKSPACE", str(folder / ".assay"))
        assert start(["run", "bench.yaml", "--untimed"]) == 0
    return folder


@pytest.mark.parametrize("name", CASES)
def test_output_is_unchanged(name, request, tmp_path, monkeypatch):
    case, folder = CASES[name], tmp_path / "here"
    shutil.copytree(request.getfixturevalue("benchmark") if case.benchmark else INPUTS, folder)

    compare(f"{name}.txt", perform(case, folder, monkeypatch))


def compare(name, actual):
    """Compare with the stored text, or store it."""
    path = EXPECTED / name
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = difflib.unified_diff(
        expected.splitlines(), actual.splitlines(), f"expected/{name}", "now", lineterm="", n=2
    )
    assert actual == expected, "\n".join(lines)


def test_public_names(monkeypatch, capsys):
    """Pin what programs import, what plugins register under, and the shipped schemas."""
    groups = set()
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: groups.add(group) or ())
    assert start(["list"]) == 0
    capsys.readouterr()
    names = {
        "assay": sorted(assay.__all__),
        "signatures": _signatures(),
        "entry_points": sorted(groups),
        "scripts": [one.value for one in metadata.distribution("assay-search").entry_points],
        "schemas": {path.name: _digest(path) for path in sorted(DOCS.glob("*.schema.json"))},
    }

    compare("public-names.json", json.dumps(names, indent=2) + "\n")


def test_no_package_hides_a_public_name():
    assert [name for name in assay.__all__ if find_spec(f"assay.{name}")] == []


def test_every_file_belongs_to_a_case():
    known = {*(f"{name}.txt" for name in CASES), "public-names.json"}

    assert {path.name for path in EXPECTED.iterdir()} == known


# Parameters and defaults; classes and functions may move. Each name is read once.
SIGNATURES = """
import inspect, json, assay

def signature(member):
    given = inspect.signature(member).parameters.values()
    plain = [one.replace(annotation=one.empty) for one in given]
    return [one.name if callable(one.default) else str(one) for one in plain]

print(json.dumps({name: signature(getattr(assay, name)) for name in sorted(assay.__all__)}))
"""


def _signatures():
    """Ask a process of its own: what this one has imported must not matter."""
    command = [sys.executable, "-c", SIGNATURES]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _digest(path):
    return sha256(path.read_bytes()).hexdigest()
