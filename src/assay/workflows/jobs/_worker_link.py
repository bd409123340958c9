"""A worker process as its supervisor sees it: its current job, its memory, its output."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from assay.workspace.locate import Workspace

__all__ = ["WorkerLink", "can_measure_memory"]

MODULE = "assay.workflows.jobs.worker_process"
JOIN_S = 0.5
LINE = 8192  # bytes of output that are logged as one line
_MEMORY = ("RssAnon:", "RssShmem:", "VmSwap:")  # what only this process needs, proc(5)
Tell = Callable[[str], None]


class WorkerLink:
    """A running worker process; it ends as soon as this process closes the link or dies."""

    def __init__(
        self, place: Workspace, tell: Tell, *, environment: Mapping[str, str] | None = None
    ) -> None:
        self._tell = tell
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(place, os.environ if environment is None else environment),
            start_new_session=True,  # Ctrl-C is for the supervisor, which stops its workers
        )
        self.began = time.monotonic()
        self.job: Mapping[str, str] = {}  # what it works on now
        self.completed = 0
        outputs = (self._read_news, self._process.stdout), (self._log, self._process.stderr)
        self._readers = [
            threading.Thread(target=read, args=(pipe,), daemon=True) for read, pipe in outputs
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ended(self) -> int | None:
        """Return the exit code once the process has ended and its output has been read.

        Processes that its job has left behind are ended, too: they hold its output open.
        """
        code = self._process.poll()
        if code is not None:
            self._kill_group()
            for reader in self._readers:
                reader.join(JOIN_S)
            self.drain()
        return code

    def drain(self) -> None:
        """Let the process release its work and end."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def kill(self) -> None:
        """End the process with all that it has started, and wait until it is gone."""
        self._kill_group()
        self._process.kill()
        self._process.wait()

    def _kill_group(self) -> None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait(self, seconds: float) -> None:
        """Wait for the end of the process; kill it if that takes longer."""
        try:
            self._process.wait(max(seconds, 0.0))
        except subprocess.TimeoutExpired:
            self.kill()
        self.ended()

    def memory(self) -> int:
        """Return the bytes of memory that would be free without the process; 0 if it is gone.

        Mapped files do not count: the system takes their memory back when it needs it.
        """
        return _memory_of(self.pid)

    def _read_news(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                with suppress(ValueError, KeyError):
                    self._note(json.loads(line))

    def _note(self, news: Mapping[str, str]) -> None:
        if news["state"] == "running":
            self.job = news
            return
        self.job = {}
        if news["state"] == "released":
            return
        self.completed += 1
        self._tell(_sentence(news))

    def _log(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in iter(lambda: pipe.readline(LINE), b""):
                self._tell(f"worker {self.pid}: {line.decode(errors='replace').rstrip()}")


def can_measure_memory() -> bool:
    """Tell whether the system says how much memory a process needs."""
    return _memory_of(os.getpid()) > 0


def _memory_of(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(_MEMORY)) * 1024


def _environment(place: Workspace, given: Mapping[str, str]) -> dict[str, str]:
    """Name the workspace: an address of a database may hold a password, so it is no argument."""
    known = {**given, "ASSAY_WORKSPACE": str(place.folder)}
    known.pop("ASSAY_DATABASE_URL", None)
    return known | ({"ASSAY_DATABASE_URL": place.url} if place.url else {})


def _sentence(news: Mapping[str, str]) -> str:
    error = news["error"].replace("\n", " ")
    return f"{news['state']}: {news['name']} ({news['id']}){f': {error}' if error else ''}"
