"""A real process of the service on a free port of this machine, and what it uses."""

import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

__all__ = ["Served", "serving", "serving_assay"]

START_S, STOP_S = 60.0, 30.0
START_LINE = re.compile(r"http://([^/\s]+)/(?:\?token=(\S+))?")
BOUNDARY = "----a3b1c5"


@dataclass(frozen=True, slots=True)
class Served:
    """A running process: its number, its host and port, a token of an administrator.

    ``began`` is when it was started, on the monotonic clock.
    """

    pid: int
    place: str
    token: str
    began: float

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request of the administrator."""
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - JSON
        """Send JSON on a connection of its own; a refusal ends the measurement."""
        content = None if body is None else json.dumps(body).encode()
        return self._send(method, path, content, "application/json")

    def upload(self, path: str, content: Any) -> Any:  # noqa: ANN401 - JSON
        """Send JSON as the file of a form."""
        about = 'Content-Disposition: form-data; name="file"; filename="data.json"'
        parts = (f"--{BOUNDARY}", about, "", json.dumps(content), f"--{BOUNDARY}--", "")
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        return self._send("POST", path, "\r\n".join(parts).encode(), kind)

    def wait_for(self, path: str, state: str, *, seconds: float = 60.0) -> None:
        """Ask until something has a state."""
        until = time.monotonic() + seconds
        while self.ask("GET", path)["state"] != state:
            if time.monotonic() > until:
                raise SystemExit(f"{path} is not {state} after {seconds:.0f} s")
            time.sleep(0.1)

    def cpu_s(self) -> float:
        """Return the CPU time of this process alone, without that of its workers."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)

    def _send(self, method: str, path: str, content: bytes | None, kind: str) -> Any:  # noqa: ANN401
        connection = http.client.HTTPConnection(self.place, timeout=60)
        connection.request(method, path, content, {**self.headers, "Content-Type": kind})
        answer = connection.getresponse()
        found = answer.read()
        connection.close()
        if answer.status >= 400:
            raise SystemExit(f"{method} {urlsplit(path).path}: {answer.status} {found.decode()}")
        return json.loads(found) if found else None


@contextmanager
def serving_assay(
    workspace: Path, *, workers: int = 0, database: str = "", environment: Mapping[str, str] = {}
) -> Iterator[Served]:
    """Run ``assay serve`` on a workspace; ``database`` is the URL of PostgreSQL, if it is used."""
    options = ("--port", "0", "--rate", "1000000", "--workers", str(workers))
    more = {**environment, **({"ASSAY_DATABASE_URL": database} if database else {})}
    command = ["-m", "assay", "serve", *options, "--workspace", str(workspace)]
    with serving(command, environment=more) as served:
        yield served


@contextmanager
def serving(command: Sequence[str], *, environment: Mapping[str, str] = {}) -> Iterator[Served]:
    """Start a process that prints its address on its first line, and stop it in the end."""
    began = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    late = threading.Timer(START_S, child.kill)
    late.start()
    try:
        line = child.stdout.readline() if child.stdout else ""
        late.cancel()
        found = START_LINE.match(line)
        if found is None:
            raise SystemExit(f"{' '.join(command)} printed no address: {line!r}")
        yield Served(child.pid, found[1], found[2] or "", began)
    finally:
        late.cancel()
        child.terminate()
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stdout:
            child.stdout.close()
