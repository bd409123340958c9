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
    assert re.match(r"1\.4 MB .*5\.0 GB .*tapes, builds, vectors, tokens", lines[0])
    assert lines[1].split() == ["kind", "count", "size", "last", "used"]
    assert re.fullmatch(r"builds +2 +1\.4 MB  \d{4}-\d\d-\d\d \d\d:\d\d", lines[4])
    assert re.fullmatch(r"tapes \(stage outputs\) +0 +0 bytes +-", lines[3])
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


def masked(text):
    """Leave out the sizes that SQLite decides."""
    return re.sub(r"\b(?!700\.0)\d+\.\d KB", "SIZE", text)


def test_prune(workspace, capsys, snapshot):
    for limit, numbers, left in (
        ([], ["1.4", "5.0"], ["new", "old"]),
        (["--limit", "1MB"], ["0", "1", "700.0"], ["new"]),
        (["--limit", "0"], ["0", "1"], []),
    ):
        assert run(["cache", "prune", *limit]) == 0
        out = capsys.readouterr().out
        assert re.findall(r"\b\d[\d.]*", out)[: len(numbers)] == numbers
        assert sorted(Builds(workspace.builds).sizes()) == left
        snapshot(masked(out))
    assert f"{workspace.vectors.stat().st_size / 1000:.1f} KB" in out


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


def test_what_is_in_use_is_said(workspace, capsys, snapshot):
    with closing(Builds(workspace.builds)) as user:
        user.place("old")
        assert run(["cache", "prune", "--limit", "0"]) == 0
        snapshot(masked(capsys.readouterr().out))
        assert run(["cache", "clear", "builds", "--yes"]) == 0
        snapshot(capsys.readouterr().out)


def test_a_limit_that_cannot_be_read(workspace, capsys, monkeypatch, snapshot):
    monkeypatch.setenv("ASSAY_CACHE_LIMIT", "plenty")
    told = set()
    for words in ([], ["prune"], ["--json"]):
        assert run(["cache", *words]) == 2
        told.add(capsys.readouterr())
    ((out, err),) = told
    assert out == ""
    assert err.startswith('error: ASSAY_CACHE_LIMIT: invalid size "plenty"')
    snapshot(err)


def test_what_could_not_be_removed_is_said(workspace, capsys, monkeypatch, snapshot):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Builds, "forget", refused)
    assert run(["cache", "prune", "--limit", "1MB"]) == 0
    out, err = capsys.readouterr()
    assert out.index("1.4 MB") < out.index("1.0 MB")
    assert "ermission" in err
    snapshot(out)


def test_a_wrong_limit_removes_nothing(workspace, capsys):
    assert run(["cache", "prune", "--limit", "-1"]) == 2
    assert capsys.readouterr().err.startswith('error: --limit: invalid size "-1"')
    assert len(Builds(workspace.builds).sizes()) == 2


def test_clear_needs_a_yes_where_nobody_can_be_asked(workspace, capsys, snapshot):
    assert run(["cache", "clear", "builds"]) == 2
    err = capsys.readouterr().err
    assert "--yes" in err
    snapshot(err)
    assert len(Builds(workspace.builds).sizes()) == 2


def test_clear_asks_a_person(workspace, capsys, person, snapshot):
    person("n")
    assert run(["cache", "clear", "builds", "vectors"]) == 0
    shown = capsys.readouterr().err
    assert shown.startswith("builds: 2, 1.4 MB\nvectors: 1, ")
    snapshot(masked(shown))
    assert len(Builds(workspace.builds).sizes()) == 2
    person("y")
    assert run(["cache", "clear", "builds", "vectors", "builds"]) == 0
    out = capsys.readouterr().out
    assert [line.partition(":")[0] for line in out.splitlines()] == ["builds", "vectors"]
    assert Builds(workspace.builds).sizes() == {}
    snapshot(masked(out))


def test_clear_without_a_name_keeps_reports(workspace, capsys):
    assert run(["cache", "clear", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["tapes", "builds", "vectors", "tokens", "indexes"]
    assert told["builds"] == {"removed": 2, "freed_bytes": 1_400_000, "in_use": 0}


def test_a_kind_that_is_none(workspace, capsys):
    assert run(["cache", "clear", "models", "--yes"]) == 2
    err = capsys.readouterr().err
    assert err.index("'models'") < err.index("'tapes', 'builds'")


def test_the_kinds_are_those_of_the_workspace():
    assert (command.KINDS, command.REBUILT) == (KINDS, REBUILT)


def test_a_workspace_that_is_a_file(workspace, capsys, tmp_path, monkeypatch, snapshot):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "file"))
    assert run(["cache"]) == 2
    snapshot(capsys.readouterr().err)


@pytest.mark.parametrize(
    "words", [["--workspace", "w", "clear", "builds"], ["clear", "builds", "--workspace", "w"]]
)
def test_the_workspace_may_stand_at_either_place(workspace, capsys, words):
    workspace.folder.rename("w")
    assert run(["cache", *words, "--yes"]) == 0
    assert re.findall(r"[\d.]+", capsys.readouterr().out) == ["2", "1.4"]
    assert Builds(Workspace(workspace.folder.with_name("w")).builds).sizes() == {}


def test_to_look_costs_no_large_import(workspace):
    """What benchmarks keep is read as a mere file."""
    code = "import sys; from assay.cli import start; start(['cache'])"
    code += "; sys.exit('sqlalchemy' in sys.modules)"
    (workspace.folder / "ledger.sqlite").write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
