"""A file is there whole or as it was, whatever happens while it is written."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from assay.columns.files.atomic_write import atomic_write
from assay.errors import InputError


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_takes_the_place_all_at_once(tmp_path):
    place = tmp_path / "x.json"
    place.write_bytes(b"old")
    with atomic_write(place) as new:
        new.write_bytes(b"n")
        assert place.read_bytes() == b"old"
        new.write_bytes(b"new")
    assert place.read_bytes() == b"new"
    assert names(tmp_path) == ["x.json"]


def test_a_full_disk_leaves_what_was_there_and_nothing_else(tmp_path, snapshot):
    place = tmp_path / "r.html"
    place.write_bytes(b"old")
    with pytest.raises(InputError) as caught, atomic_write(place) as new:  # noqa: PT012
        new.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")
    snapshot(caught.value)
    assert caught.value.where == str(place)
    assert place.read_bytes() == b"old"
    assert names(tmp_path) == ["r.html"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have /dev/full")
def test_devices_are_written_as_they_are(tmp_path):
    link = tmp_path / "x.json"
    link.symlink_to("/dev/full")
    with pytest.raises(InputError, match="space"), atomic_write(link) as new:
        new.write_bytes(b"new")
    assert link.is_symlink()
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_pipe_is_written_as_it_is(tmp_path):
    pipe, read = tmp_path / "x.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    with atomic_write(pipe) as new:
        new.write_bytes(b"new")
    reader.join(10)
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_permissions_and_links_are_kept(tmp_path):
    place, link = tmp_path / "x.json", tmp_path / "link.json"
    place.write_bytes(b"old")
    place.chmod(0o640)
    link.symlink_to("x.json")
    with atomic_write(link) as new:
        new.write_bytes(b"new")
    assert link.is_symlink()
    assert place.read_bytes() == b"new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_a_new_file_may_be_read_as_any_other(tmp_path):
    before = os.umask(0o022)
    try:
        with atomic_write(tmp_path / "x.json") as new:
            new.write_bytes(b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.json").stat().st_mode) == 0o644


def test_the_longest_name_that_a_folder_takes_is_written(tmp_path):
    place = tmp_path / f"{'x' * 250}.json"
    with atomic_write(place) as new:
        new.write_bytes(b"new")
    assert place.read_bytes() == b"new"


def test_other_errors_are_left_as_they_are_and_leave_nothing(tmp_path):
    with pytest.raises(ValueError, match="mine"), atomic_write(tmp_path / "x.json") as new:  # noqa: PT012
        new.write_bytes(b"half")
        raise ValueError("mine")
    assert names(tmp_path) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError) as caught, atomic_write(tmp_path / "no" / "x.json") as new:
        new.write_bytes(b"new")
    assert caught.value.where == str(tmp_path / "no" / "x.json")
