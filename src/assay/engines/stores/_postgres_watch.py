"""A process of its own that ends a private PostgreSQL when whoever started it is gone."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["Watch"]

PATIENCE_S = 20  # for a server that is told to stop at once
# It reads until there is nobody left who could write: also after a kill that nobody can handle.
# A server that is just starting has no file yet by which it could be told to stop.
WATCHING = """
import shutil, subprocess, sys, time
from pathlib import Path

home, tool, user = sys.argv[1:]
sys.stdin.buffer.read()
for attempt in range(40):
    if not Path(home).exists():
        break
    stop = [tool, "-D", home, "-m", "immediate", "-w", "-t", "10", "stop"]
    quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    stopped = subprocess.run(stop, cwd="/", user=user or None, check=False, **quiet).returncode == 0
    if stopped or attempt >= 10 or not (Path(home) / "PG_VERSION").exists():
        shutil.rmtree(home, ignore_errors=True)
    time.sleep(0.1)
"""


class Watch:
    """Waits beside us for our end, and then stops the server in ``home`` and removes that."""

    def __init__(self, home: Path, *, tool: Path, user: str | None) -> None:
        self._waiting = subprocess.Popen(  # noqa: S603
            [sys.executable, "-S", "-c", WATCHING, str(home), str(tool), user or ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=os.sep,
            start_new_session=True,  # what ends us, such as Ctrl-C, does not end it
        )

    def end(self) -> None:
        """Let it do its work now: nothing, where the folder is gone already."""
        if self._waiting.stdin is not None:
            with suppress(OSError):
                self._waiting.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._waiting.wait(PATIENCE_S)
