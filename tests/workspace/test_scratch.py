"""Folders of runs go with them, or once they are dead; all others are left alone."""

import os
import signal
import subprocess
import sys

import pytest

from assay.errors import InputError
from assay.workspace.scratch import scratch, sweep_scratch

KILLED = """
import sys
from pathlib import Path
from assay.workspace.scratch import scratch
with scratch(Path(sys.argv[1])) as folder:
    (folder / "file").write_text("left")
    print(folder, flush=True)
    sys.stdin.readline()
"""


def test_by_hand(place):
    with scratch(place) as folder:
        assert folder.parent == place
        assert folder.name.startswith("assay-run-")
        (folder / "file").write_text("x")
        assert sweep_scratch(place) == 0
        assert (folder / "file").exists()
    assert not folder.exists()


def test_it_goes_with_an_error(place):
    def fails():
        with scratch(place) as folder:
            (folder / "file").write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert list(place.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_run(place):
    command = [sys.executable, "-c", KILLED, str(place)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        folder = place / child.stdout.readline().strip()
        assert sweep_scratch(place) == 0
        child.send_signal(signal.SIGKILL)
        child.wait(60)
    assert (folder / "file").exists()
    assert sweep_scratch(place) == len("left")
    assert not folder.exists()


def test_what_cannot_be_told_is_left(place):
    """Folders without a mark, also old ones; files; links; names that only look like it."""
    (place / "assay-run-old").mkdir()
    os.utime(place / "assay-run-old", (1000, 1000))
    (place / "assay-run-file").write_text("x")
    with scratch(place) as folder:
        pass
    folder.mkdir()
    (folder / ".used").symlink_to("/dev/null")
    (place / "other").mkdir()
    (place / "other" / ".used").write_text("")
    (place / "assay-run-link").symlink_to(place / "other")
    before = sorted(each.name for each in place.iterdir())
    assert sweep_scratch(place) == 0
    assert sorted(each.name for each in place.iterdir()) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_what_another_user_left_is_left(place):
    folder = place / "assay-run-theirs"
    folder.mkdir()
    (folder / ".used").write_text("")
    os.chown(folder, 65534, 65534)
    assert sweep_scratch(place) == 0
    assert folder.exists()
    os.chown(folder, 0, 0)
    sweep_scratch(place)
    assert not folder.exists()


def test_a_place_that_is_not_there(place):
    assert sweep_scratch(place / "none") == 0
    with pytest.raises(InputError, match="no longer exists"), scratch(place / "none"):
        pass
