"""Proxies and connections of one request; engines/systems/test_http* has kept and broken ones."""

import base64
import json
import ssl
import threading
from contextlib import contextmanager
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assay.http.connections import Connections, HttpRequest, parse_server

CERTIFICATE = Path(__file__).parents[1] / "engines" / "systems" / "localhost.pem"
LOGIN = "Basic " + base64.b64encode(b"user:pass:word").decode()
REQUEST = HttpRequest("GET", "/x?a=1", {"Accept": "*/*"})


class Handler(BaseHTTPRequestHandler):
    """Tells what it was sent; as a proxy, it lets its own server answer in place of any other."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        body = json.dumps(self.path).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self):
        self.server.seen.append((self.path, dict(self.headers)))
        self.send_response(200)
        self.end_headers()
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(CERTIFICATE)
        with context.wrap_socket(self.connection, server_side=True) as inner:
            Handler(inner, self.client_address, self.server)
        self.close_connection = True

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # the end of a tunnel


@pytest.fixture
def server():
    with Server(("127.0.0.1", 0), Handler) as running:
        running.seen = []
        running.address = f"127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@contextmanager
def connections(address, **settings):
    settings = {"proxies": True, "timeout_s": 30, "largest": 1 << 20} | settings
    opened = Connections(parse_server(address), **settings)
    yield opened
    opened.close()


@pytest.mark.parametrize("scheme", ["http://", ""])
@pytest.mark.parametrize("login", ["user:pass%3Aword@", ""])
def test_a_proxy_gets_the_whole_address_and_its_own_key(server, monkeypatch, scheme, login):
    monkeypatch.setenv("http_proxy", f"{scheme}{login}{server.address}/")
    monkeypatch.delenv("no_proxy", raising=False)
    with connections("http://search.invalid:81/ignored") as opened:
        assert opened.ask(REQUEST).content == b'"http://search.invalid:81/x?a=1"'
    ((_, headers),) = server.seen
    assert headers["Host"] == "search.invalid:81"
    assert headers.get("Proxy-Authorization") == (LOGIN if login else None)


def test_a_secure_server_is_reached_by_a_tunnel_that_hides_the_request(server, monkeypatch):
    monkeypatch.setenv("https_proxy", f"http://user:pass%3Aword@{server.address}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with connections("https://localhost") as opened:
        assert opened.ask(REQUEST).content == b'"/x?a=1"'
    (to, outer), (_, inner) = server.seen
    assert (to, outer["Proxy-Authorization"]) == ("localhost:443", LOGIN)
    assert inner["Host"] == "localhost"
    assert "Proxy-Authorization" not in inner


@pytest.mark.parametrize(("setting", "allowed"), [("127.0.0.1", True), ("", False)])
def test_a_proxy_is_left_out_where_the_environment_or_the_caller_says_so(
    server, monkeypatch, setting, allowed
):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", setting)
    with connections(f"http://{server.address}", proxies=allowed) as opened:
        assert opened.ask(REQUEST).content == b'"/x?a=1"'


def test_a_proxy_that_cannot_be_one_is_a_failure_to_reach_it(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://user:secret@host:port")
    monkeypatch.delenv("no_proxy", raising=False)
    with connections("http://search.invalid") as opened, pytest.raises(HTTPException) as caught:
        opened.ask(REQUEST)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("keep_alive", "idle"), [(True, 1), (False, 0)])
def test_connections_are_kept_only_where_that_is_wanted(server, keep_alive, idle):
    with connections(f"http://{server.address}", proxies=False, keep_alive=keep_alive) as opened:
        opened.ask(REQUEST)
        assert len(opened._idle) == idle
    assert server.seen[0][1].get("Connection") == (None if keep_alive else "close")
