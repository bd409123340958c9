"""A service in this process with a worker beside it, a folder with a benchmark, and its token."""

import json

import pytest
from tests.client.conftest import address, client, service, token, work, working

from assay.cli import start

__all__ = ["address", "client", "service", "token", "work", "working"]

FRUIT = ("apple", "pear", "plum", "cherry", "grape", "melon")
FILE = """
name: {name}
dataset: queries.json
corpus: docs
configurations:
  - {{name: words, search: lexical}}
  - {{name: other, search: lexical, k1: 0.6}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch, token):
    """A benchmark file, whose name is that of the test's folder, with its data."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_TOKEN", token)
    (tmp_path / "docs").mkdir()
    for one in FRUIT:
        (tmp_path / "docs" / f"{one}.md").write_text(f"The {one} is a fruit: all about the {one}.")
    asked = [
        {"id": one, "query": f"what is a {one}", "expected_files": [f"{one}.md"]} for one in FRUIT
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": asked}))
    (tmp_path / "benchmark.yaml").write_text(FILE.format(name=tmp_path.name))
    return tmp_path


@pytest.fixture
def assay(folder, address, capsys):
    """Run a command with the service in that folder: its exit code, its output, its messages."""

    def done(*words, url=address):
        code = start([*words, "--url", url])
        out, err = capsys.readouterr()
        return code, out, " ".join(err.split())

    return done


@pytest.fixture
def run_it(assay, working):
    """Run a command while a worker does what it creates."""

    def done(*words):
        with working():
            return assay(*words)

    return done
