"""``assay token``: made once, listed without a secret, revoked for good."""

import json
import time
from contextlib import closing

import pytest

from assay.cli import start as run
from assay.errors import AccessError
from assay.workspace.store.store import open_service_store


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty folder, whose workspace the commands use."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / ".assay"))
    return tmp_path / ".assay"


def check(place, plain):
    with closing(open_service_store(place / "ledger.sqlite")) as store:
        return store.tokens.check(plain)


def listed(capsys, *words):
    assert run(["token", "list", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)["tokens"]


def test_a_token_alone_is_on_standard_output_and_gives_access(place, capsys):
    assert run(["token", "create", "anna", "--role", "editor"]) == 0
    out, err = capsys.readouterr()
    plain = out.removesuffix("\n")
    assert (check(place, plain).name, check(place, plain).role) == ("anna", "editor")
    assert "anna" in err
    assert plain not in err


def test_only_its_hash_is_stored(place, capsys):
    run(["token", "create", "anna"])
    secret = capsys.readouterr().out.strip().rpartition("_")[2].encode()
    assert all(secret not in path.read_bytes() for path in place.rglob("*") if path.is_file())


def test_the_least_role_is_the_default_and_an_expiry_is_kept(capsys):
    assert run(["token", "create", "anna", "--days", "2", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["token"].startswith("assay_")
    assert made["entry"]["role"] == "viewer"
    assert 0 < made["entry"]["expires"] - time.time() <= 2 * 86_400


def test_a_revoked_token_gives_no_access_and_is_listed_on_request(place, capsys):
    run(["token", "create", "anna"])
    run(["token", "create", "ben"])
    plain = capsys.readouterr().out.split()[0]
    assert run(["token", "revoke", "anna"]) == 0
    capsys.readouterr()
    with pytest.raises(AccessError, match="revoked"):
        check(place, plain)
    assert [one["name"] for one in listed(capsys)] == ["ben"]
    assert [one["name"] for one in listed(capsys, "--all")] == ["ben", "anna"]
    assert run(["token", "list"]) == 0
    out, err = capsys.readouterr()
    assert "ben" in out
    assert "anna" not in out
    assert "--all" in err


def test_an_id_names_a_token_too(capsys):
    run(["token", "create", "anna"])
    (entry,) = listed_after(capsys)
    assert run(["token", "revoke", entry["id"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["revoked"] is not None


def listed_after(capsys):
    capsys.readouterr()
    return listed(capsys)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["revoke", "ann"], 'did you mean "anna"'),
        (["create", "anna"], "already exists"),
        (["create", ""], "name"),
        (["create", "x", "--role", "boss"], "viewer"),
        (["create", "x", "--days", "0"], "--days"),
        (["list", "--url", "http://127.0.0.1:1", "--workspace", "x"], "--workspace"),
        (["list", "--url", "nowhere"], "invalid address"),
    ],
)
def test_what_is_wrong_gets_one_message(capsys, words, said):
    run(["token", "create", "anna"])
    capsys.readouterr()
    assert run(["token", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.startswith("error: ")


def test_nothing_is_created_by_looking(place, capsys):
    assert listed(capsys) == []
    assert run(["token", "revoke", "anna"]) == 2
    assert not place.exists()
