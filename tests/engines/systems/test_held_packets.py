"""A note on latencies that Nagle and delayed acknowledgements make; real servers over loopback."""

import json
import socket
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from assay.engines.systems._held_packets import HeldPackets
from assay.engines.systems.http import http
from assay.http.connections import Connections, HttpReply, HttpRequest
from assay.records import Query

ASKED = 12
REPLY = HttpReply(200, "", {}, b"", 0.0)


def told(kept, fresh=(0.1,), host="127.0.0.1"):
    held = HeldPackets(host)
    for values, is_kept in ((kept, True), (fresh, False)):
        for one in values:
            held.add(replace(REPLY, arriving_ms=one, kept=is_kept))
    return held.note


@pytest.mark.parametrize(
    ("kept", "fresh", "host", "noted"),
    [
        ([43.8] * 9, [0.1], "127.0.0.1", True),
        ([43.8] * 9 + [0.2] * 9, [0.1], "localhost", True),
        ([41.0, 44.0, 48.0, 44.0, 43.0], [], "::1", True),
        ([43.8] * 9, [0.1], "search.example.com", False),
        ([43.8] * 9, [45.2], "127.0.0.1", False),  # slow by itself, from the first response on
        ([43.8] * 4, [0.1], "127.0.0.1", False),
        ([43.8] * 9 + [0.2] * 10, [0.1], "127.0.0.1", False),
        ([0.1] * 50, [0.1], "127.0.0.1", False),
        ([80.0] * 50, [0.1], "127.0.0.1", False),
    ],
)
def test_by_hand(kept, fresh, host, noted):
    assert bool(told(kept, fresh, host)) == noted


def test_the_note_has_its_figures():
    note = told([43.8] * 9 + [0.2])
    assert "9 of 10 responses" in note
    assert "44 ms" in note


@pytest.fixture
def serve():
    """Start a server that writes head and body apart, and thinks before or between."""
    running = []

    def start(*, nodelay, before_s=0.0, between_s=0.0):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = nodelay

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                time.sleep(before_s)
                body = json.dumps({"hits": [{"id": "a"}]}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()  # the first packet
                time.sleep(between_s)
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join(5)
        server.server_close()


def noted(url, asked=ASKED):
    system = http(url=url, request={"q": "{query}", "n": "{top}"})
    try:
        for at in range(asked):
            system.search(Query(f"q{at}", "x"), 3)
        return system.notes
    finally:
        system.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the pause of 40 ms is that of Linux")
def test_a_server_that_waits_for_acknowledgements(serve):
    (note,) = noted(serve(nodelay=False))
    assert "TCP_NODELAY" in note


def test_a_server_that_does_not_wait(serve):
    assert noted(serve(nodelay=True)) == ()


@pytest.mark.parametrize("where", ["before_s", "between_s"])
def test_a_server_that_is_slow_by_itself(serve, where):
    """It takes as long, and nothing is held back: no setting of TCP would help."""
    assert noted(serve(nodelay=True, **{where: 0.045}), asked=8) == ()


def test_a_connection_is_kept_only_once_it_has_answered():
    """Head and body come in one packet over a plain socket; only the flags are looked at."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer():
        connection, _ = listening.accept()
        with connection:
            for _ in range(2):
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    connections = Connections(urlsplit(address), timeout_s=30, largest=1 << 20)
    try:
        connections.reach()
        replies = [connections.ask(HttpRequest("GET", "/", {})) for _ in range(2)]
        assert [one.kept for one in replies] == [False, True]
        assert all(0 <= one.arriving_ms < 30_000 for one in replies)
    finally:
        connections.close()
        thread.join(5)
        listening.close()
