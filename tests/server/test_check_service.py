"""`assay serve --check`: each part that a start needs, with what to do; nothing is changed."""

import os
import socket
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
import trustme

from assay.cli import start
from assay.server import check_service as module
from assay.server.check_service import check_service
from assay.server.settings import ServeSettings
from assay.workspace.ledger.open_database import NEWEST
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

NAMES = ["settings", "certificate", "database", "integrity", "access", "disk", "address"]


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LEAST_FREE", 1)  # of whatever disk tests have
    return ServeSettings(Workspace(tmp_path / "w"), port=0)


@pytest.fixture
def stored(settings):
    """The settings of a workspace that has a database."""
    settings.place.folder.mkdir()
    with closing(open_service_store(settings.place.database)):
        pass
    return settings


def problems(settings):
    """What is wrong, by its name: text and hint."""
    return {one.name: (one.text, one.hint) for one in check_service(settings) if not one.ok}


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_all_is_well_before_the_first_start(settings):
    found = check_service(settings)
    assert [one.name for one in found] == NAMES
    assert all(one.ok for one in found)
    assert not settings.place.folder.exists()


def test_a_check_of_a_workspace_changes_nothing(stored):
    before = snapshot(stored.place.folder)
    assert problems(stored) == {}
    assert snapshot(stored.place.folder) == before


def test_a_port_in_use_is_told(stored):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (text, hint) = problems(replace(stored, port=port))["address"]
    assert str(port) in text
    assert "--port" in hint


def test_a_host_of_another_machine_is_told(stored):
    assert "address" in problems(replace(stored, host="192.0.2.1"))


def set_step(settings, step):
    with closing(sqlite3.connect(settings.place.ledger)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [step])


def test_an_older_database_is_upgraded_at_the_start(stored):
    set_step(stored, "0001")
    before = snapshot(stored.place.folder)
    found = {one.name: one for one in check_service(stored)}
    assert found["database"].ok
    assert f"0001, upgraded to {NEWEST}" in found["database"].text
    assert snapshot(stored.place.folder) == before


def test_a_newer_database_is_refused(stored):
    set_step(stored, "9999")
    (text, hint) = problems(stored)["database"]
    assert "9999" in text
    assert "newer version" in hint


def test_a_damaged_database_is_told(stored):
    file = stored.place.ledger
    content = bytearray(file.read_bytes())
    content[4096 : len(content) // 2] = b"\xff" * (len(content) // 2 - 4096)
    file.write_bytes(content)
    found = problems(stored)
    assert found.keys() & {"database", "integrity"}
    assert all(hint for _, hint in found.values())


def test_what_is_no_database_is_told(stored):
    stored.place.ledger.write_bytes(b"hello" * 1000)
    assert problems(stored).keys() & {"database", "integrity"}


def test_a_workspace_that_is_a_file_is_told(settings):
    settings.place.folder.write_text("x")
    (text, hint) = problems(settings)["disk"]
    assert str(settings.place.folder) in text
    assert "--workspace" in hint


def test_a_full_disk_is_told(stored, monkeypatch):
    monkeypatch.setattr(module, "LEAST_FREE", 10**18)
    (text, hint) = problems(stored)["disk"]
    assert "MB free" in text
    assert hint


def test_other_machines_need_a_token(stored):
    open_ = replace(stored, host="0.0.0.0")
    (text, hint) = problems(open_)["access"]
    assert "no token" in text
    assert "assay token create" in hint
    with closing(open_service_store(stored.place.database)) as store:
        made = store.tokens.create("ada", "viewer", author="test")
        assert problems(open_) == {}
        store.tokens.revoke(made.entry.id, author="test")
    assert "access" in problems(open_)


def test_what_is_allowed_and_not_there_is_a_warning(stored, tmp_path):
    """It may appear later: the service could start."""
    allow = (f"corpus={tmp_path}/none", f"run_file={tmp_path}/none", f"corpus={tmp_path}")
    allow += ("callable=nowhere_at_all:search", "model=nosuch")
    chosen = replace(stored, allow=allow)
    assert problems(chosen) == {}
    found = [one for one in check_service(chosen) if one.warning]
    parts = ("none", "none", "nowhere_at_all", "nosuch")
    assert len(found) == len(parts)
    for part in parts:
        assert any(part in one.text and one.hint for one in found)


def test_an_entry_that_can_never_match_is_a_problem(stored):
    assert "settings" in problems(replace(stored, allow=("corpora=x",)))
    assert "http://" in problems(replace(stored, allow=("http=localhost:9200",)))["settings"][1]


def test_files_of_tls_are_tried(stored, tmp_path):
    made = trustme.CA().issue_cert("localhost")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made.private_key_pem.write_to_path(key)
    made.cert_chain_pems[0].write_to_path(certificate)
    assert problems(replace(stored, certificate=certificate, key=key)) == {}
    assert "certificate" in problems(replace(stored, certificate=certificate))
    assert "certificate" in problems(replace(stored, certificate=key, key=certificate))
    key.unlink()
    (text, hint) = problems(replace(stored, certificate=certificate, key=key))["certificate"]
    assert str(key) in text
    assert hint


def test_all_problems_are_told_together(stored, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LEAST_FREE", 10**18)
    wrong = replace(stored, allow=("x=y",), certificate=tmp_path / "none", host="192.0.2.1")
    assert problems(wrong).keys() == {"settings", "certificate", "access", "disk", "address"}


def test_the_command_answers_with_its_exit_code(stored, capsys, monkeypatch):
    """0 if the service could start, 1 if not; every problem has a hint below it."""
    monkeypatch.setenv("COLUMNS", "200")
    place = ["--workspace", str(stored.place.folder), "--port", "0", "--check"]
    assert start(["serve", *place]) == 0
    assert capsys.readouterr().out.count("ok ") == len(NAMES)
    assert start(["serve", *place, "--allow", "corpus=/no/such/folder"]) == 0
    assert "warning  --allow: no such folder: /no/such/folder" in capsys.readouterr().out
    assert start(["serve", *place, "--allow", "corpora=/srv"]) == 1
    out = capsys.readouterr().out
    assert "problem  settings" in out
    assert "hint: " in out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_file_that_cannot_be_read_is_told(stored, tmp_path):
    key = tmp_path / "key.pem"
    key.write_text("x")
    key.chmod(0)
    (text, _) = problems(replace(stored, certificate=key, key=key))["certificate"]
    assert "cannot be read" in text
