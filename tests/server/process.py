"""The service as a real process, asked over HTTP."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

__all__ = ["ServiceProcess", "running_service"]

START_S = 60.0
STOP_S = 60.0
LINE = re.compile(r"(https?://[^/\s]+)/\?token=(\S+)")


@dataclass
class ServiceProcess:
    """A process of the service: where it listens, the token of its start line, its log."""

    process: subprocess.Popen
    base: str
    token: str
    log: list[str] = field(default_factory=list)

    def ask(self, method, path, body=None, *, headers=None, timeout=60.0):
        """Send JSON, and return status, headers and the answer (JSON where it is)."""
        place = urlsplit(self.base)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=timeout)
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body=body, headers=sent)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        kind = answer.headers.get("Content-Type", "")
        return answer.status, answer.headers, json.loads(content) if "json" in kind else content

    def upload(self, path, content, *, name="data.json", fields=None, method="POST", headers=None):
        """Send a file as the multipart field ``file``, with further fields."""
        mark = "----boundary7d1f"
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in (fields or {}).items()
        ]
        about = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
        head = f"--{mark}\r\n{about}Content-Type: application/octet-stream\r\n\r\n".encode()
        body = b"".join([*parts, head, content, f"\r\n--{mark}--\r\n".encode()])
        kind = f"multipart/form-data; boundary={mark}"
        return self.ask(method, path, body, headers={"Content-Type": kind, **(headers or {})})

    def wait_for(self, path, is_done, *, seconds=120.0):
        """Ask again and again until the answer is as expected."""
        until = time.monotonic() + seconds
        while True:
            status, _, answer = self.ask("GET", path)
            if status == 200 and is_done(answer):
                return answer
            assert time.monotonic() < until, (status, answer, "".join(self.log[-20:]))
            time.sleep(0.1)

    def stop(self):
        """Stop it as an administrator does, and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_S)


@contextmanager
def running_service(workspace, *options, env=None, module="assay"):
    """Start ``assay serve`` on a free port of this machine, and stop it in the end."""
    words = [sys.executable, "-m", module, "serve", "--port", "0", "--workspace", str(workspace)]
    process = subprocess.Popen(
        [*words, *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )
    log: list[str] = []
    reader = threading.Thread(target=lambda: log.extend(process.stderr), daemon=True)
    reader.start()
    watch = threading.Timer(START_S, process.kill)
    watch.start()
    try:
        line = process.stdout.readline()
        watch.cancel()
        found = LINE.match(line)
        assert found, (line, process.poll(), "".join(log))
        yield ServiceProcess(process, found[1], found[2], log)
    finally:
        watch.cancel()
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        process.stdout.close()
        reader.join(STOP_S)
        process.stderr.close()
