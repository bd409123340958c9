"""A real process of the service on a free port of this machine, and what it has used so far."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

__all__ = ["Served", "serving"]

STOP_S = 30.0
TICKS = os.sysconf("SC_CLK_TCK")
START_LINE = re.compile(r"http://([^/\s]+)/(?:\?token=(\S+))?")


@dataclass(frozen=True, slots=True)
class Served:
    """A running process: its number, its host and port, and a token of an administrator."""

    pid: int
    place: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request of the administrator."""
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - JSON
        """Send JSON on a connection of its own; a refusal ends the measurement."""
        connection = http.client.HTTPConnection(self.place, timeout=60)
        headers = {**self.headers, "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 400:
            raise SystemExit(f"{method} {urlsplit(path).path}: {answer.status} {content.decode()}")
        return json.loads(content) if content else None

    def cpu_s(self) -> float:
        """Return the CPU time of this process alone, without that of its workers."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / TICKS


@contextmanager
def serving(command: Sequence[str]) -> Iterator[Served]:
    """Start a process that prints its address on its first line, and stop it in the end."""
    child = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    try:
        line = child.stdout.readline() if child.stdout else ""
        found = START_LINE.match(line)
        if found is None:
            raise SystemExit(f"{' '.join(command)} printed no address: {line!r}")
        yield Served(child.pid, found[1], found[2] or "")
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stdout:
            child.stdout.close()
