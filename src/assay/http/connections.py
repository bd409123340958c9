"""Connections to one server that are kept open, and one request at a time on each of them."""

import io
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Any
from urllib.parse import SplitResult, urlsplit
from weakref import WeakSet

from assay.errors import InputError
from assay.http.addresses import is_forbidden, parse_address
from assay.http.find_proxy import find_proxy

__all__ = ["Connections", "HttpReply", "HttpRequest", "parse_server"]

PIECE = 64 << 10


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent: the address without its server, and the rest of a request."""

    method: str
    target: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came back; ``began`` is when the request that it answers was sent (perf_counter).

    ``again`` says that it was sent before, over a connection that turned out to be closed.
    ``arriving_ms`` is the time from its first bytes to its last; ``kept`` says that the connection
    had answered before.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    content: bytes
    began: float
    again: bool = False
    arriving_ms: float = 0.0
    kept: bool = False


class Connections:
    """Idle connections, of which each request takes one: as many as threads ask at once.

    No redirection is followed: nothing goes anywhere but to the server, or to its proxy where
    ``proxies`` allows one. Without ``keep_alive`` each request has a connection of its own.
    """

    def __init__(
        self,
        server: SplitResult,
        *,
        timeout_s: float,
        largest: int,
        keep_alive: bool = True,
        proxies: bool = False,
    ) -> None:
        self._server, self._timeout_s, self._largest = server, timeout_s, largest
        self._keep_alive, self._proxy = keep_alive, find_proxy(server) if proxies else None
        self._connect = partial(HTTPConnection, timeout=timeout_s)
        if server.scheme == "https" or (self._proxy and self._proxy.secure):
            tls = ssl.create_default_context()
            self._connect = partial(HTTPSConnection, timeout=timeout_s, context=tls)
        self._idle: list[HTTPConnection] = []
        self._busy: set[HTTPConnection] = set()
        self._used = WeakSet[HTTPConnection]()  # those that have answered
        self._lock = threading.Lock()
        self.closed = threading.Event()

    def ask(self, request: HttpRequest) -> HttpReply:
        """Send a request, once more if a connection was closed while it was idle."""
        request = self._routed(request)
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            try:
                return self._asked(kept, request)
            except (ConnectionError, ssl.SSLEOFError):  # closed meanwhile; the others as well
                self._drop_idle()
        return replace(self._asked(self._new(), request), again=kept is not None)

    def reach(self) -> None:
        """Connect once, so that a server that is not there is noticed, and keep the connection."""
        connection = self._new()
        try:
            connection.connect()
        except BaseException:
            connection.close()
            raise
        self._keep(connection)

    def close(self) -> None:
        """Close all connections, those too that other threads are waiting at, for good."""
        self.closed.set()
        self._drop_idle()
        with self._lock:
            socks = [connection.sock for connection in self._busy]
        for sock in socks:
            if sock is not None:  # wakes up who reads from it, also below TLS
                with suppress(OSError):
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def _drop_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _routed(self, request: HttpRequest) -> HttpRequest:
        target, headers = request.target, dict(request.headers)
        if not self._keep_alive:
            headers["Connection"] = "close"
        if self._proxy is not None and self._server.scheme == "http":
            target = f"http://{self._server.netloc.rpartition('@')[2]}{target}"
            headers |= self._proxy.headers
        return replace(request, target=target, headers=headers)

    def _new(self) -> HTTPConnection:
        # Without a port, http.client would take a part of an IPv6 address for one.
        port = self._server.port or (443 if self._server.scheme == "https" else 80)
        host = str(self._server.hostname)
        if self._proxy is None:
            connection = self._connect(host, port)
            connection._create_connection = _connected  # type: ignore[attr-defined]
            return connection
        connection = self._connect(self._proxy.address)
        if self._server.scheme == "https":
            connection.set_tunnel(host, port, dict(self._proxy.headers))
        return connection

    def _keep(self, connection: HTTPConnection) -> None:
        with self._lock:
            wanted = self._keep_alive and not self.closed.is_set()
            if wanted and connection.sock is not None:  # else the server wants it closed
                self._idle.append(connection)
                return
        connection.close()

    def _asked(self, connection: HTTPConnection, request: HttpRequest) -> HttpReply:
        with self._lock:
            self._busy.add(connection)
            used = connection in self._used
            self._used.add(connection)
        try:
            reply = _exchange(connection, request, self._timeout_s, self._largest)
        except BaseException:
            connection.close()
            raise
        finally:
            with self._lock:
                self._busy.discard(connection)
        self._keep(connection)
        return replace(reply, kept=used)


def _connected(place: tuple[str, int], *others: Any, **named: Any) -> socket.socket:  # noqa: ANN401
    """Connect, but not where only a forged answer of the DNS would lead.

    An address that somebody wrote down is meant; a name must not lead to a link-local address or
    the metadata service of a cloud, whatever it led to when it was checked.
    """
    connected = socket.create_connection(place, *others, **named)
    peer = parse_address(str(connected.getpeername()[0]))
    if parse_address(place[0]) is None and peer is not None and is_forbidden(peer):
        connected.close()
        hint = "use another server, or write its address instead of its name"
        raise InputError(f"the host leads to the forbidden address {peer}", hint=hint)
    return connected


def parse_server(address: str) -> SplitResult | None:
    """Return None for another scheme, half an IPv6 address, or an invalid port."""
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if sound else None


def _exchange(
    connection: HTTPConnection, request: HttpRequest, timeout_s: float, largest: int
) -> HttpReply:
    """Send and read within ``timeout_s`` in all; an answer has at most ``largest`` bytes."""
    began = time.perf_counter()
    ends = began + timeout_s
    arrived: list[float] = []

    def limited(sock: socket.socket, *others: Any, **named: Any) -> HTTPResponse:  # noqa: ANN401
        reader = _DeadlineReader(sock, ends, arrived)
        return HTTPResponse(reader, *others, **named)  # type: ignore[arg-type]

    connection.response_class = limited  # type: ignore[assignment]
    if connection.sock is not None:
        connection.sock.settimeout(timeout_s)
    connection.request(request.method, request.target, request.body, dict(request.headers))
    with connection.getresponse() as response:
        headers = {name.lower(): value for name, value in response.getheaders()}
        content = _read(response, largest)
        arriving_ms = (time.perf_counter() - arrived[0]) * 1e3 if arrived else 0.0
        content = _plain(content, headers.get("content-encoding", ""), largest)
    return HttpReply(
        response.status, response.reason, headers, content, began, arriving_ms=arriving_ms
    )


class _DeadlineReader(io.RawIOBase):
    """A socket for reading whose every read is over at one point of time, however slowly it drips.

    The time that a socket can be given bounds each read alone. ``arrived`` gets the time of the
    first read that was answered.
    """

    def __init__(self, sock: socket.socket, ends: float, arrived: list[float]) -> None:
        self._sock, self._ends, self._arrived = sock, ends, arrived
        self._raw = sock.makefile("rb", buffering=0)  # keeps the socket open until it is closed

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self, PIECE)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401
        left = self._ends - time.perf_counter()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        read = self._raw.readinto(buffer)
        if not self._arrived:
            self._arrived.append(time.perf_counter())
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


def _read(response: HTTPResponse, largest: int) -> bytes:
    content = bytearray()
    while piece := response.read(PIECE):
        content += piece
        _check_size(content, largest)
    unsized = response.length is None and not response.chunked
    if response.length or (unsized and not content):  # closed before its end
        raise IncompleteRead(b"", response.length)
    return bytes(content)


def _plain(content: bytes, encoding: str, largest: int) -> bytes:
    """Undo gzip and deflate, which some servers use though nobody asked."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity") or not content:
        return content
    if encoding not in ("gzip", "x-gzip", "deflate"):
        hint = "configure the server to send gzip or uncompressed responses"
        raise InputError(f'the response has the unsupported encoding "{encoding:.40}"', hint=hint)
    try:
        unpacking = zlib.decompressobj(wbits=47)  # 32 + 15: gzip and zlib, told by their head
        plain = unpacking.decompress(content, largest + 1)
    except zlib.error:
        hint = "check whether a proxy between here and the server changes responses"
        problem = f"the response is declared as {encoding}, but cannot be decompressed"
        raise InputError(problem, hint=hint) from None
    _check_size(plain, largest)
    if not unpacking.eof:
        raise IncompleteRead(b"")
    return plain


def _check_size(content: bytes | bytearray, largest: int) -> None:
    if len(content) > largest:
        raise InputError(f"the response is larger than {largest >> 20:,} MB")  # callers give hints
