"""The workspace is found where people expect it, and nothing is made by looking."""

import os
import sys
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.workspace import locate as module
from assay.workspace.disk.folders import made
from assay.workspace.locate import locate, model_folder


@pytest.fixture(autouse=True)
def _clean(monkeypatch, place):
    for name in ("ASSAY_WORKSPACE", "ASSAY_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place / "home"))
    monkeypatch.setattr(sys, "platform", "linux")


def folder(path):
    path.mkdir(parents=True)
    return path


def test_the_nearest_above(place):
    project = folder(place / "project")
    deep = folder(project / "src" / "deep")
    assert locate(deep).folder == deep / ".assay"
    above = folder(project / ".assay")
    assert locate(deep).folder == above
    nearer = folder(project / "src" / ".assay")
    assert locate(deep).folder == nearer
    (deep / ".assay").write_text("a file is no workspace")
    assert locate(deep).folder == nearer
    assert not (deep / ".assay").is_dir()


def test_here_is_the_working_folder(place, monkeypatch):
    monkeypatch.chdir(place)
    assert locate().folder == place / ".assay"
    assert list(place.iterdir()) == []


def test_given_wins_over_the_environment_and_that_over_folders(place, monkeypatch):
    folder(place / ".assay")
    monkeypatch.setenv("ASSAY_WORKSPACE", str(place / "named"))
    assert locate(place).folder == place / "named"
    assert locate(place, given=str(place / "given")).folder == place / "given"
    assert locate(place, given="~/mine").folder == place / "home" / "mine"
    monkeypatch.setenv("ASSAY_WORKSPACE", "")
    assert locate(place).folder == place / ".assay"
    monkeypatch.chdir(place)
    assert locate(given="relative").folder == place / "relative"


def test_a_home_is_no_workspace_for_what_lies_below(place):
    folder(place / ".assay")
    project = folder(place / "home" / "project")
    assert locate(project).folder == project / ".assay"
    home = folder(place / "home" / ".assay")
    assert locate(project).folder == project / ".assay"
    assert locate(place / "home").folder == home


def test_the_way_up_ends_at_another_file_system(place, monkeypatch):
    folder(place / ".assay")
    inner = folder(place / "mounted" / "inner")
    assert locate(inner).folder == place / ".assay"
    monkeypatch.setattr(module, "_on", lambda here, device: here != place)
    assert locate(inner).folder == inner / ".assay"


def test_a_file_is_refused(place):
    (place / "file").write_text("")
    with pytest.raises(InputError, match=r"file: .*folder\n  hint: .*--workspace"):
        locate(given=place / "file")
    with pytest.raises(InputError, match=r"file/below: .*folder"):
        made(place / "file" / "below")


def test_a_working_folder_that_is_gone(place, monkeypatch):
    gone = folder(place / "gone")
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(InputError, match="No such file"):
        locate()
    monkeypatch.chdir(place)


def test_places(place):
    workspace = locate(place)
    assert workspace.indexes == place / ".assay" / "indexes"
    assert workspace.vectors == place / ".assay" / "vectors.sqlite"
    assert workspace.tokens == place / ".assay" / "tokens.sqlite"
    assert workspace.models == model_folder()


def test_what_is_made_is_ignored_by_git(place):
    made(place / ".assay" / "indexes" / "one")
    made(place / ".assay" / "indexes" / "two")
    assert (place / ".assay" / ".gitignore").read_text() == "*\n"
    assert [each.parent for each in place.rglob(".gitignore")] == [place / ".assay"]
    (place / ".assay" / ".gitignore").write_text("mine\n")
    made(place / ".assay" / "indexes" / "two")
    assert (place / ".assay" / ".gitignore").read_text() == "mine\n"


def test_prepared_models_are_kept_where_the_system_wants_them(place, monkeypatch):
    home = place / "home"
    assert model_folder() == home / ".cache" / "assay"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative is not allowed")
    assert model_folder() == home / ".cache" / "assay"
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "xdg"))
    assert model_folder() == place / "xdg" / "assay"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert model_folder() == home / "Library" / "Caches" / "assay"
    monkeypatch.setattr(sys, "platform", "win32")
    assert model_folder() == home / "AppData" / "Local" / "assay" / "cache"
    monkeypatch.setenv("ASSAY_CACHE", "~/own")
    assert model_folder() == home / "own"


def test_nobody_without_a_home_is_left_alone(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(InputError, match=r"home .*\n  hint: .*ASSAY_CACHE"):
        model_folder()


@pytest.mark.skipif(os.name == "nt", reason="permissions of folders are another thing there")
def test_a_closed_folder_above_is_passed_by(place, nobody):
    inner = folder(place / "closed" / "inner")
    folder(place / "closed" / ".assay")
    for each in (place, inner):
        each.chmod(0o755)
    (place / "closed" / ".assay").chmod(0o000)
    with nobody():
        assert locate(inner).folder == place / "closed" / ".assay"
        found = locate(inner, given=place / "closed" / ".assay" / "deep")
        with pytest.raises(InputError, match="Permission denied"):
            made(found.indexes)
