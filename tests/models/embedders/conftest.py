"""A stand-in for a server of models, on this machine's loopback address."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.models.remote import json_client


class StandIn(BaseHTTPRequestHandler):
    server_version = "stand-in"  # no real model answers here

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        self.reply(json.loads(self.rfile.read(length)))

    def do_GET(self):
        self.reply(None)

    def reply(self, body):
        self.server.seen.append((self.path, body, dict(self.headers)))
        status, content, headers = self.server.answer(self.path, body)
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that gave up waiting


@pytest.fixture
def stand_in(monkeypatch):
    """Start the server; tests set ``answer``: (path, body) -> (status, content, headers)."""
    monkeypatch.setattr(json_client, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server(("127.0.0.1", 0), StandIn)
    server.seen = []
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
