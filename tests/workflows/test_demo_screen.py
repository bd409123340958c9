"""The real demo, on a terminal of 100 columns: a screen that answers before it explains."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest

NAMES = ["bm25", "dense", "hybrid", "hybrid-fixed-chunks", "hybrid-rerank", "dense-coherence"]
MOST = 40  # lines


def on_a_terminal(*arguments, folder, columns):
    """Return the lines of a command on a terminal, and those beside it on stderr."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = os.environ | {"TERM": "dumb", "ASSAY_WORKSPACE": str(folder / "workspace")}
    environment.pop("COLUMNS", None)
    with subprocess.Popen(
        [sys.executable, "-m", "assay", *arguments],
        stdout=theirs,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    ) as process:
        os.close(theirs)
        _, err = process.communicate(timeout=500)
        shown = b""
        with suppress(OSError):  # its other end is closed
            while part := os.read(ours, 65536):
                shown += part
    os.close(ours)
    assert process.returncode == 0, err.decode()
    return shown.decode().splitlines(), err.decode().splitlines()


@pytest.mark.long
def test_six_searches_fit_on_a_screen_with_the_answer_first(tmp_path):
    shown, beside = on_a_terminal("demo", "--full", folder=tmp_path, columns=100)
    assert len(shown) + len(beside) <= MOST
    assert max(map(len, shown)) <= 100
    assert shown[0].split(":")[0] in NAMES
    assert [line for line in shown[1:5] if line.startswith("Runner-up: ")]
    titles = next(at for at, line in enumerate(shown) if line.startswith("run "))
    assert [line.split()[0] for line in shown[titles + 2 : titles + 8]] == NAMES
    assert any("Not significantly different" in line for line in shown)
    assert any(line.startswith("Next ") for line in shown)
