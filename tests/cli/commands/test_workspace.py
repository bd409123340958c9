"""``assay workspace``, as a person types it."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.workspace.store.made import AUTHOR, HANDBOOK
from tests.workspace.stored import all_rows, step_of, unpack

from assay.cli import start as run
from assay.workspace.ledger.open_database import NEWEST
from assay.workspace.store.store import open_service_store


@pytest.fixture
def old(tmp_path, monkeypatch):
    """The folder of a workspace of the first step."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "models"))
    return unpack("0001", tmp_path)


def shown(capsys, *words):
    assert run(["workspace", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_table(old, capsys):
    assert run(["workspace", "show"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == str(old / "ledger.sqlite")
    assert "SQLite" in lines[1]
    assert f"version 0001 (current: {NEWEST})" in lines[1]
    assert ["benchmarks", "1"] in [line.split() for line in lines]
    assert "1 index" in lines[-1]
    assert err == ""


def test_showing_changes_nothing(old, capsys):
    before = (old / "ledger.sqlite").read_bytes()
    told = shown(capsys, "show")
    assert told["workspace"] == str(old)
    assert told["database"]["step"] == "0001"
    assert told["database"]["newest_step"] == NEWEST
    assert (told["counts"]["benchmarks"], told["counts"]["datasets"]) == (1, 0)
    assert told["counts"]["recorded_answers"] > 10
    assert told["beside"]["indexes"]["count"] == 1
    assert (old / "ledger.sqlite").read_bytes() == before
    assert step_of(old / "ledger.sqlite") == "0001"


def test_what_a_service_keeps_is_counted(old, capsys):
    with closing(open_service_store(old / "ledger.sqlite")) as service:
        one = service.datasets.create(HANDBOOK, **AUTHOR)
        service.datasets.edit(one.id, remove=["q1"], revision=1, **AUTHOR)
        gone = service.datasets.create(HANDBOOK, name="gone", **AUTHOR)
        service.datasets.delete(gone.id, revision=1, **AUTHOR)
        service.tokens.create("laptop", "viewer", **AUTHOR)
    told = shown(capsys, "show")
    assert told["database"]["step"] == NEWEST
    counts = told["counts"]
    assert (counts["datasets"], counts["dataset_versions"], counts["tokens"]) == (1, 3, 1)
    assert counts["audit_entries"] == 5


def test_without_a_workspace(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", "none")
    told = shown(capsys, "show")
    assert told["database"]["step"] is None
    assert set(told["counts"].values()) == {0}
    assert list(tmp_path.iterdir()) == []
    assert run(["workspace", "backup", "copy.sqlite"]) == 2
    assert "no database to back up" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_a_workspace(old, capsys):
    Path("saved").mkdir()
    told = shown(capsys, "backup", "saved/ledger.sqlite")
    assert told == {
        "source": str(old / "ledger.sqlite"),
        "file": "saved/ledger.sqlite",
        "step": "0001",
        "bytes": Path("saved/ledger.sqlite").stat().st_size,
    }
    assert all_rows("saved/ledger.sqlite") == all_rows(old / "ledger.sqlite")
    assert run(["show", "--workspace", "saved"]) == 0
    assert "handbook" in capsys.readouterr().out


def test_nothing_is_written_over_unless_it_is_said(old, capsys):
    Path("copy.sqlite").write_text("precious")
    assert run(["workspace", "backup", "copy.sqlite"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "copy.sqlite" in said.err
    assert "--force" in said.err
    assert Path("copy.sqlite").read_text() == "precious"
    assert run(["workspace", "backup", "copy.sqlite", "--force", "--workspace", str(old)]) == 0
    assert "wrote copy.sqlite" in capsys.readouterr().err
    assert step_of("copy.sqlite") == "0001"


def test_what_is_no_ledger_is_told(old, capsys):
    (old / "ledger.sqlite").write_bytes(b"no database" * 999)
    for words in (["show"], ["backup", "copy.sqlite"]):
        assert run(["workspace", *words]) == 2
        said = capsys.readouterr().err
        assert "damaged" in said
        assert said.count("error:") == 1
    assert not Path("copy.sqlite").exists()


def test_looking_needs_no_database_library(old):
    """A file is read as a file: quickly, and where nothing may be written."""
    program = (
        "import sys; from assay.cli import start; start(['workspace', 'show', '--json']); "
        "print('sqlalchemy' in sys.modules, file=sys.stderr)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stderr == "False\n"
