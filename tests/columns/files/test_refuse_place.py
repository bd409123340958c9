"""A place where no file can be written is named for what is wrong with it."""

import os

import pytest

from assay.columns.files.refuse_place import refuse_place
from assay.errors import InputError


def test_a_file_that_is_there_or_not_yet_is_fine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.json").write_text("{}")
    for path in ("new.json", "old.json", str(tmp_path / "new.json"), "./new.json"):
        refuse_place(path)


@pytest.mark.parametrize(
    ("path", "problem", "hint"),
    [
        ("out/deep/x.json", 'the folder "out/deep" does not exist', "mkdir -p out/deep"),
        ("two words/x.json", "does not exist", "mkdir -p 'two words'"),
        ("folder", "is a folder", "file inside it"),
        ("a\0b", "not a file name", "another file"),
    ],
)
def test_what_is_wrong_and_what_to_do(tmp_path, monkeypatch, path, problem, hint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError) as caught:
        refuse_place(path)
    assert problem in caught.value.problem
    assert hint in caught.value.hint
    assert caught.value.where == path


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with pytest.raises(InputError, match="permission"):
        refuse_place(str(folder / "x.json"))


def test_permissions_are_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="permission"):
        refuse_place(str(tmp_path / "x.json"))
