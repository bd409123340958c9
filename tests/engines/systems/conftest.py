"""Loopback servers that stand in for search services, and say so in every answer."""

import json
import re
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.typesense import typesense  # noqa: F401 - a fixture

from assay.engines.systems.http import http
from assay.errors import InputError
from assay.records import Query

PAGES = Path(__file__).parents[3] / "examples" / "handbook" / "pages"


@dataclass
class Asked:
    """What a stub was sent."""

    method: str
    path: str
    params: dict
    headers: dict
    body: object
    port: int = 0


@dataclass
class Answer:
    """What a stub answers; ``body`` is sent as it is if it is bytes, and else as JSON."""

    body: object = field(default_factory=dict)
    status: int = 200
    headers: dict = field(default_factory=dict)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "stub"
    sys_version = ""
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def _do(self):
        size = int(self.headers.get("Content-Length") or 0)
        content = self.rfile.read(size)
        parts = urlsplit(self.path)
        asked = Asked(
            self.command,
            parts.path,
            parse_qs(parts.query, keep_blank_values=True),
            dict(self.headers.items()),
            json.loads(content) if content else None,
            self.client_address[1],
        )
        self.server.asked.append(asked)
        answer = self.server.answer(asked)
        answer = answer if isinstance(answer, Answer) else Answer(answer)
        body = answer.body
        if not isinstance(body, bytes):
            if isinstance(body, dict):
                body = {"stub": "this is a stub, no search engine", **body}
            body = json.dumps(body).encode()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = _do  # noqa: N815


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):  # a client that hung up is what some tests want
        pass


@pytest.fixture
def serve():
    """Start stubs: serve(answer) returns the address, and a list of all that was asked."""
    running = []

    def start(answer):
        server = _Server(("127.0.0.1", 0), _Handler)
        server.answer, server.asked = answer, []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}", server.asked

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join(5)
        server.socket.close()


@pytest.fixture
def answer_of():
    """Make answers with a status, headers, or bytes as they are."""
    return Answer


@pytest.fixture
def wire():
    """Start servers that do as they like: wire(act) calls act(connection) for each connection."""
    running = []

    def start(act):
        listening = socket.create_server(("127.0.0.1", 0))
        stopped = threading.Event()

        def loop():
            while not stopped.is_set():
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    if stopped.is_set():
                        return
                    connection.settimeout(30)
                    with suppress(OSError):
                        act(connection)

        thread = threading.Thread(target=loop, daemon=True)
        thread.start()
        running.append((listening, stopped, thread))
        return f"http://127.0.0.1:{listening.getsockname()[1]}"

    yield start
    for listening, stopped, thread in running:
        stopped.set()
        with socket.create_connection(listening.getsockname(), timeout=1):
            pass  # wakes it up
        thread.join(5)
        listening.close()


@pytest.fixture
def at_once(monkeypatch):
    """Shorten the pauses between attempts."""
    monkeypatch.setattr("assay.engines.systems.http.FIRST_PAUSE_S", 0.02)
    monkeypatch.setattr("assay.http.attempts.LONGEST_PAUSE_S", 0.05)
    monkeypatch.setattr("assay.http.attempts.LONGEST_ASKED_S", 0.1)


@pytest.fixture
def query():
    """Make queries."""

    def make(text="a badge", key="q1"):
        return Query(key=key, text=text)

    return make


@pytest.fixture
def ask(query):
    """Ask a service once; its connections are closed at the end."""
    opened = []

    def asked(url, *, text="a badge", top=10, **more):
        body = {"q": "{query}", "size": "{top}"}
        system = http(url=url, **{"request": body, "retries": 0, "timeout_s": 30} | more)
        opened.append(system)
        return system.search(query(text), top)

    yield asked
    for system in opened:
        system.close()


@pytest.fixture
def refusal(ask):
    """Ask a service that is not to be understood; return what is said."""

    def refused(url, **more):
        with pytest.raises(InputError) as caught:
            ask(url, **more)
        error = caught.value
        assert error.hint, error
        assert "\n" not in error.problem
        assert len(error.problem) < 600
        return error

    return refused


def words(text):
    return set(re.findall(r"\w+", text.lower()))


@pytest.fixture(scope="session")
def pages():
    """The documents of the handbook, by id."""
    found = {page.relative_to(PAGES).as_posix(): page.read_text() for page in PAGES.rglob("*.md")}
    assert len(found) == 6
    return found


@pytest.fixture(scope="session")
def ranking(pages):
    """Rank the handbook by shared words: ranking(text, top) -> [(id, score)]."""

    def rank(text, top):
        asked = words(text)
        scores = [(page, len(asked & words(body)) / 10) for page, body in pages.items()]
        found = [one for one in scores if one[1] > 0]
        return sorted(found, key=lambda one: (-one[1], one[0]))[: int(top)]

    return rank
