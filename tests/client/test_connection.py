"""What a client does where a service is busy, breaks off, or is something else."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.client import Client
from assay.client.problems import error_of
from assay.errors import ConflictError, InputError, ProblemsError, UnavailableError

OK = (200, {"Content-Type": "application/json"}, b'{"items": [], "next": null}')
BUSY = (503, {"Retry-After": "0"}, b"{}")


@pytest.fixture
def script():
    """A server that gives these answers in turn; None breaks the connection off."""
    answers, seen = [], []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            length = int(self.headers.get("Content-Length") or 0)
            seen.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
            told = answers.pop(0)
            if told is None:
                self.close_connection = True
                return
            status, headers, content = told
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = answer  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", answers, seen
    server.shutdown()
    thread.join(60)
    server.server_close()


@pytest.fixture
def client(script):
    with Client(script[0], token="t", timeout_s=5, patience_s=5) as made:
        yield made


def test_reading_waits_for_a_busy_service(script, client):
    script[1][:] = [BUSY, (429, {}, b""), OK]
    assert [*client.datasets.list()] == []
    assert len(script[2]) == 3


def test_reading_goes_on_after_a_broken_connection(script, client):
    script[1][:] = [None, OK]
    assert [*client.datasets.list()] == []


def test_a_change_without_a_key_is_sent_once(script, client):
    script[1][:] = [BUSY, OK]
    with pytest.raises(UnavailableError):
        client.datasets.rename("a", "b")
    assert len(script[2]) == 1


def test_a_creation_is_sent_again_with_the_same_key(script, client):
    script[1][:] = [None, BUSY, (409, {}, b"{}")]
    with pytest.raises(ConflictError):
        client.datasets.upload(b"{}", name="x")
    keys = {headers["Idempotency-Key"] for _, _, headers, _ in script[2]}
    assert len(script[2]) == 3
    assert len(keys) == 1


def test_patience_ends(script):
    script[1][:] = [BUSY] * 50
    began = time.monotonic()
    with Client(script[0], token="t", patience_s=1) as client, pytest.raises(UnavailableError):
        client.health()
    assert time.monotonic() - began < 30


def test_a_redirection_is_not_followed(script, client):
    script[1][:] = [(302, {"Location": "http://127.0.0.1:1/"}, b"")]
    with pytest.raises(InputError, match="302"):
        client.health()
    assert len(script[2]) == 1


def test_nobody_there():
    with (
        Client("http://127.0.0.1:1", token="t", patience_s=0) as client,
        pytest.raises(UnavailableError, match="cannot be reached"),
    ):
        client.health()


@pytest.mark.parametrize("url", ["", "127.0.0.1:8787", "ftp://a", "http://", "http://u:p@a", 5])
def test_an_address_that_is_none(url):
    with pytest.raises(InputError, match="invalid address"):
        Client(url, token="t")


def test_no_message_contains_the_token(script):
    secret = "assay_0123456789ab_" + "s" * 43
    script[1][:] = [(500, {}, f'{{"detail": "wrong token {secret}"}}'.encode())]
    with (
        Client(f"{script[0]}?token={secret}", patience_s=0) as client,
        pytest.raises(UnavailableError) as caught,
    ):
        client.health()
    assert "sssss" not in str(caught.value)
    assert "wrong token" in str(caught.value)


def test_an_answer_of_something_else_is_named(script, client):
    script[1][:] = [(200, {}, b"<html>")]
    with pytest.raises(InputError, match="not JSON"):
        client.health()


def test_each_problem_keeps_its_place_and_hint():
    content = b"""{"type": "urn:assay:problem:invalid-input", "detail": "2 problems",
        "count": 5, "where": "a.json", "hint": "", "problems": [
        {"where": "q1", "problem": "p", "hint": "h"},
        {"where": "q2", "problem": "p", "hint": ""}]}"""
    error = error_of(422, content, where="x")
    assert isinstance(error, ProblemsError)
    assert (error.count, error.problems[0].hint, error.problems[1].where) == (5, "h", "q2")
