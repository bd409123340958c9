"""``assay cache``, as a person types it."""

import json
import re
import subprocess
import sys
from contextlib import closing

import pytest

from assay.cli import start as run
from assay.cli.commands import cache as command
from assay.workspace import prune
from assay.workspace.blobs import Blobs
from assay.workspace.builds import Builds
from assay.workspace.clear import KINDS, REBUILT
from assay.workspace.locate import Workspace


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    monkeypatch.delenv("ASSAY_CACHE_LIMIT", raising=False)
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "models"))
    monkeypatch.setattr(prune, "sweep_scratch", lambda: 0)
    found = Workspace(tmp_path / ".assay")
    with closing(Builds(found.builds)) as builds:
        for key in ("old", "new"):
            with builds.making(key) as folder:
                (folder / "index").write_bytes(bytes(700_000))
    with closing(Blobs(found.vectors)) as memory:
        memory.put("a", b"value")
    return found


@pytest.fixture
def person(monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)

    def answers(text):
        monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: text)

    return answers


def test_a_table(workspace, capsys):
    assert run(["cache"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "1.4 MB of 5.0 GB taken by tapes, builds, vectors, tokens"
    assert lines[1].split() == ["kind", "count", "size", "last", "used"]
    assert re.fullmatch(r"builds +2 +1\.4 MB  \d{4}-\d\d-\d\d \d\d:\d\d", lines[4])
    assert re.fullmatch(r"tapes +0 +0 bytes +-", lines[3])
    assert err == ""


@pytest.mark.parametrize(
    "words", [["cache", "--json"], ["cache", "--workspace", ".assay", "--json"]]
)
def test_json_has_bytes(workspace, capsys, words):
    assert run(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["workspace"] == str(workspace.folder)
    assert (told["limit_bytes"], told["parts"]["builds"]["count"]) == (5_000_000_000, 2)
    assert told["parts"]["builds"]["bytes"] == 1_400_000
    assert told["limited_bytes"] == 1_400_000 + workspace.vectors.stat().st_size
    assert told["parts"]["tapes"] == {
        "count": 0,
        "bytes": 0,
        "last_used": None,
        "limited": True,
        "place": str(workspace.ledger),
    }
    assert told["parts"]["builds"]["last_used"].endswith("+00:00")


def test_without_a_workspace(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", "none")
    assert run(["cache"]) == 0
    assert run(["cache", "prune"]) == 0
    assert run(["cache", "clear", "--yes"]) == 0
    assert "0 bytes of 5.0 GB" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_prune(workspace, capsys):
    assert run(["cache", "prune"]) == 0
    assert capsys.readouterr().out.startswith("removed 0 tapes and 0 builds, 0 bytes; 1.4 MB of 5")
    assert run(["cache", "prune", "--limit", "1MB"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("removed 0 tapes and 1 build, 700.0 kB; 7")
    assert out.endswith("kB of 1.0 MB are taken\n")
    assert list(Builds(workspace.builds).sizes()) == ["new"]
    assert run(["cache", "prune", "--limit", "0"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("removed 0 tapes, 1 build and old vectors, 7")
    left = workspace.vectors.stat().st_size / 1000
    assert f"; {left:.1f} kB are left, more than the limit of 0 bytes: " in out
    assert out.endswith("the files that remember vectors and tokens are empty, and stay\n")


@pytest.mark.parametrize(
    "words",
    [["cache", "prune", "--limit", "0", "--json"], ["cache", "--json", "prune", "--limit=0"]],
)
def test_prune_for_programs(workspace, capsys, words):
    with closing(Builds(workspace.builds)) as user:
        user.place("old")
        assert run(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "limit_bytes": 0,
        "limited_bytes": 700_000 + workspace.vectors.stat().st_size,
        "removed": {"tapes": 0, "builds": 1},
        "freed_bytes": {"builds": 700_000},
        "in_use": 1,
    }


def test_what_is_in_use_is_said(workspace, capsys):
    with closing(Builds(workspace.builds)) as user:
        user.place("old")
        assert run(["cache", "prune", "--limit", "0"]) == 0
        out = capsys.readouterr().out
        assert "more than the limit of 0 bytes: 1 in use stays until the process" in out
        assert run(["cache", "clear", "builds", "--yes"]) == 0
        assert capsys.readouterr().out == "builds: removed 0, 0 bytes; 1 in use, so it stays\n"


@pytest.mark.parametrize("words", [["cache"], ["cache", "prune"], ["cache", "--json"]])
def test_a_limit_that_cannot_be_read(workspace, capsys, monkeypatch, words):
    monkeypatch.setenv("ASSAY_CACHE_LIMIT", "plenty")
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "error: ASSAY_CACHE_LIMIT: 'plenty' is no size\n"
        "  hint: write it like 500MB, 5GB or 1.5GiB\n"
    )


def test_what_could_not_be_removed_is_said(workspace, capsys, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Builds, "forget", refused)
    assert run(["cache", "prune", "--limit", "1MB"]) == 0
    out, err = capsys.readouterr()
    assert "1.4 MB are left, more than the limit of 1.0 MB: not all could be removed\n" in out
    assert "ermission" in err


def test_a_wrong_limit_removes_nothing(workspace, capsys):
    assert run(["cache", "prune", "--limit", "-1"]) == 2
    assert capsys.readouterr().err.startswith("error: --limit: '-1' is no size\n")
    assert len(Builds(workspace.builds).sizes()) == 2


def test_clear_needs_a_yes_where_nobody_can_be_asked(workspace, capsys):
    assert run(["cache", "clear", "builds"]) == 2
    assert capsys.readouterr().err == (
        "error: nothing is cleared without a yes\n  hint: add --yes: there is nobody to ask\n"
    )
    assert len(Builds(workspace.builds).sizes()) == 2


def test_clear_asks_a_person(workspace, capsys, person):
    person("n")
    assert run(["cache", "clear", "builds", "vectors"]) == 0
    shown = capsys.readouterr().err.splitlines()
    assert shown[0] == "builds: 2, 1.4 MB"
    assert re.fullmatch(r"vectors: 1, [\d.]+ kB", shown[1])
    assert shown[-1].endswith("nothing was removed")
    assert len(Builds(workspace.builds).sizes()) == 2
    person("y")
    assert run(["cache", "clear", "builds", "vectors", "builds"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "builds: removed 2, 1.4 MB"
    assert out[1].startswith("vectors: removed 1, ")
    assert len(out) == 2


def test_clear_without_a_name_keeps_reports(workspace, capsys):
    assert run(["cache", "clear", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["tapes", "builds", "vectors", "tokens", "indexes"]
    assert told["builds"] == {"removed": 2, "freed_bytes": 1_400_000, "in_use": 0}


def test_a_kind_that_is_none(workspace, capsys):
    assert run(["cache", "clear", "models", "--yes"]) == 2
    assert "'models' is not one of 'tapes', 'builds'" in capsys.readouterr().err


def test_the_kinds_are_those_of_the_workspace():
    assert (command.KINDS, command.REBUILT) == (KINDS, REBUILT)


def test_a_workspace_that_is_a_file(workspace, capsys, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "file"))
    assert run(["cache"]) == 2
    assert "the workspace is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--workspace", "w", "clear", "builds"], ["clear", "builds", "--workspace", "w"]]
)
def test_the_workspace_may_stand_at_either_place(workspace, capsys, words):
    workspace.folder.rename("w")
    assert run(["cache", *words, "--yes"]) == 0
    assert capsys.readouterr().out == "builds: removed 2, 1.4 MB\n"


def test_to_look_costs_no_large_import(workspace):
    """What benchmarks keep is read as a mere file."""
    code = "import sys; from assay.cli import start; start(['cache'])"
    code += "; sys.exit('sqlalchemy' in sys.modules)"
    (workspace.folder / "ledger.sqlite").write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
