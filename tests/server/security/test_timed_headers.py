"""Headers that do not end, or do not come: the connection is closed, and memory is not filled."""

import json
import logging
import socket
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn

from assay.server.security import timed_headers
from assay.server.security.timed_headers import TimedHeaders

WAIT_S = 60


async def app(scope, receive, send):
    """Answers requests; accepts WebSockets and says nothing until they are asked to."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        await send({"type": "websocket.send", "text": "still here"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@contextmanager
def serving():
    config = uvicorn.Config(
        app, http=TimedHeaders, lifespan="off", log_config=None, timeout_keep_alive=WAIT_S
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()
        finally:
            server.should_exit = True
            thread.join(WAIT_S)


@pytest.fixture
def address(monkeypatch):
    monkeypatch.setattr(timed_headers, "HEADERS_S", 1.0)
    with serving() as found:
        yield found


def connect(address):
    return socket.create_connection(address, timeout=WAIT_S)


def read_all(connection):
    """Read until the other side closes."""
    content = b""
    with connection:
        while piece := connection.recv(65_536):
            content += piece
    return content


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow:"])
def test_headers_that_do_not_come_end_the_connection(address, caplog, sent):
    caplog.set_level(logging.WARNING, "assay.server")
    connection = connect(address)
    connection.sendall(sent)
    assert read_all(connection) == b""
    told = [one for one in caplog.records if "did not arrive in time" in one.getMessage()]
    assert len(told) == bool(sent)  # browsers open connections that they never use


def test_headers_that_drip_end_the_connection(address):
    with connect(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(OSError):  # noqa: PT011, PT012 - reset, or broken pipe
            for number in range(100 * WAIT_S):
                connection.sendall(b"X-%d: 1\r\n" % number)
                time.sleep(0.01)


def test_the_headers_of_a_later_request_are_timed_as_well(address):
    connection = connect(address)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert connection.recv(65_536).startswith(b"HTTP/1.1 204")
    connection.sendall(b"GET / HTTP/1.1\r\nHost:")
    assert read_all(connection) == b""


def test_slow_bodies_and_websockets_are_left_to_others(address):
    with connect(address) as body, connect(address) as socket_:
        body.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")
        upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        key = b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        socket_.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n" + upgrade + key)
        assert socket_.recv(65_536).startswith(b"HTTP/1.1 101")
        time.sleep(2 * timed_headers.HEADERS_S)
        body.sendall(b"2")
        assert body.recv(65_536).startswith(b"HTTP/1.1 204")
        socket_.sendall(b"\x81\x81\0\0\0\0x")  # a masked text of one letter
        assert b"still here" in socket_.recv(65_536)


@pytest.mark.parametrize("request_line", [b"\x16\x03\x01 nothing", b"GET /\xff HTTP/1.1"])
def test_what_is_not_http_is_answered_with_a_problem(address, request_line):
    connection = connect(address)
    connection.sendall(request_line + b"\r\nHost: a\r\n\r\n")
    head, _, body = read_all(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"application/problem+json" in head
    assert json.loads(body)["detail"] == "the request is not valid HTTP"


@pytest.mark.parametrize("line", [b"X: " + b"1" * 1000 + b"\r\n", b"1" * 1000])
def test_headers_without_an_end_are_refused(address, line):
    """Many headers, or one that goes on: 64 KiB is the most."""
    with connect(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        sent = 0
        try:
            while sent < 10_000_000:
                connection.sendall(line)
                sent += len(line)
            answer = connection.recv(65_536)
        except OSError:  # it was closed meanwhile
            answer = b"HTTP/1.1 400"
    assert answer.startswith(b"HTTP/1.1 400")
    assert sent < 10_000_000
