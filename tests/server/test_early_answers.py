"""Answers that come before a body was read: the client reads them, and no body goes on for ever."""

import http.client
import socket
from urllib.parse import urlsplit

import pytest
from tests.server.process import running_service

pytestmark = [pytest.mark.service, pytest.mark.timeout(180)]

FORM = "multipart/form-data; boundary=x"
LARGE = 12_000_000  # more than an upload may have, and than what a socket buffers
ALLOWED = 5_000_000
WAIT_S = 60


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running_service(tmp_path_factory.mktemp("early") / "w", "--workers", "0") as running:
        yield running


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/api/v1/datasets", {"Authorization": "Bearer wrong"}, 401),
        ("POST", "/api/v1/datasets", {"Origin": "http://elsewhere.example"}, 403),
        ("POST", "/api/v1/nowhere", {}, 404),
        ("POST", "/api/v1/datasets", {}, 413),
        ("POST", "/api/v1/search", {"Content-Type": "application/json"}, 413),
        ("POST", "/api/v1/datasets", {"Content-Type": "text/plain"}, 415),
        ("POST", "/api/v1/datasets", {"Host": "elsewhere.example"}, 421),
        ("GET", "/api/v1/datasets", {}, 200),
    ],
)
def test_a_client_that_still_sends_reads_the_answer(service, method, path, headers, status):
    body = b" " * (ALLOWED if status in (200, 404) else LARGE)
    headers = {"Content-Type": FORM, **headers}
    found, answered, _ = service.ask(method, path, body, headers=headers)
    assert (found, answered["Connection"]) == (status, "close")


def send_head(service, *lines):
    """Send the head of an upload, and return the connection."""
    place = urlsplit(service.base)
    connection = socket.create_connection((place.hostname, place.port), timeout=WAIT_S)
    head = ["POST /api/v1/datasets HTTP/1.1", f"Host: {place.netloc}", f"Content-Type: {FORM}"]
    head += [f"Authorization: Bearer {service.token}", *lines, "", ""]
    connection.sendall("\r\n".join(head).encode())
    return connection


def test_an_endless_body_is_cut(service):
    sent = 0
    with send_head(service, "Transfer-Encoding: chunked") as connection:
        chunk = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
        try:
            while sent < 10_000 * len(chunk):
                connection.sendall(chunk)
                sent += len(chunk)
        except ConnectionError:  # reset, or a broken pipe
            pass
    assert 10_000_000 < sent < 200_000_000


def test_who_waits_for_a_go_ahead_is_answered_without_one(service):
    lines = f"Content-Length: {LARGE}", "Expect: 100-continue"
    with send_head(service, *lines) as connection:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 413
        assert b"larger" in answer.read()


def test_who_waits_for_a_go_ahead_gets_it_if_the_body_is_wanted(service):
    with send_head(service, "Content-Length: 5", "Expect: 100-continue") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"--x--")
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 422
