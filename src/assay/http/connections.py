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
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Any
from urllib.parse import SplitResult

from assay.errors import InputError

__all__ = ["Connections", "Reply", "Sent"]

LARGEST = 64 << 20  # bytes of an answer: far above any list of results
PIECE = 64 << 10


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent for one query: the address without its server, and the rest of a request."""

    method: str
    target: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; ``began`` is when the request that it answers was sent (perf_counter).

    ``again`` says that it was sent before, over a connection that turned out to be closed.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    began: float
    again: bool = False


class Connections:
    """Idle connections, of which each request takes one: as many as threads ask at once.

    No proxy is used, no redirection followed: nothing goes anywhere but to the server.
    """

    def __init__(self, server: SplitResult, *, timeout_s: float) -> None:
        self._server, self._timeout_s = server, timeout_s
        self._tls = ssl.create_default_context() if server.scheme == "https" else None
        self._idle: list[HTTPConnection] = []
        self._busy: set[HTTPConnection] = set()
        self._lock = threading.Lock()
        self.closed = threading.Event()

    def ask(self, sent: Sent) -> Reply:
        """Send a request, once more if a connection was closed while it was idle."""
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            try:
                return self._asked(kept, sent)
            except (ConnectionError, ssl.SSLEOFError):  # closed meanwhile; the others as well
                self._drop_idle()
        return replace(self._asked(self._new(), sent), again=kept is not None)

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

    def _new(self) -> HTTPConnection:
        # Without a port, http.client would take a part of an IPv6 address for one.
        port = self._server.port or (80 if self._tls is None else 443)
        host = str(self._server.hostname)
        if self._tls is None:
            return HTTPConnection(host, port, timeout=self._timeout_s)
        return HTTPSConnection(host, port, timeout=self._timeout_s, context=self._tls)

    def _keep(self, connection: HTTPConnection) -> None:
        with self._lock:
            if not self.closed.is_set():
                self._idle.append(connection)
                return
        connection.close()

    def _asked(self, connection: HTTPConnection, sent: Sent) -> Reply:
        began = time.perf_counter()
        ends = began + self._timeout_s
        with self._lock:
            self._busy.add(connection)
        try:
            reply = _exchanged(connection, sent, began, ends)
        except BaseException:
            connection.close()
            raise
        finally:
            with self._lock:
                self._busy.discard(connection)
        if connection.sock is None:  # the server wants it closed
            connection.close()
        else:
            self._keep(connection)
        return reply


def _exchanged(connection: HTTPConnection, sent: Sent, began: float, ends: float) -> Reply:
    """Send and read, all of it before ``ends``."""

    def limited(sock: socket.socket, *others: Any, **named: Any) -> HTTPResponse:  # noqa: ANN401
        return HTTPResponse(_Limited(sock, ends), *others, **named)  # type: ignore[arg-type]

    connection.response_class = limited  # type: ignore[assignment]
    if connection.sock is not None:
        connection.sock.settimeout(max(0.001, ends - time.perf_counter()))
    connection.request(sent.method, sent.target, body=sent.body, headers=dict(sent.headers))
    with connection.getresponse() as response:
        headers = {name.lower(): value for name, value in response.getheaders()}
        content = _plain(_read(response), headers.get("content-encoding", ""))
    return Reply(response.status, headers, content, began)


class _Limited:
    """A socket for reading whose every read is over at one point of time, however slowly it drips.

    The time that a socket can be given bounds each read alone.
    """

    def __init__(self, sock: socket.socket, ends: float) -> None:
        self._sock, self._ends = sock, ends

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_LimitedReads(self._sock, self._ends), PIECE)


class _LimitedReads(io.RawIOBase):
    def __init__(self, sock: socket.socket, ends: float) -> None:
        self._sock, self._ends = sock, ends
        self._raw = sock.makefile("rb", buffering=0)  # keeps the socket open until it is closed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401
        left = self._ends - time.perf_counter()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _read(response: HTTPResponse) -> bytes:
    content = bytearray()
    while piece := response.read(PIECE):
        content += piece
        if len(content) > LARGEST:
            raise _too_large()
    unsized = response.length is None and not response.chunked
    if response.length or (unsized and not content):  # closed before its end
        raise IncompleteRead(b"", response.length)
    return bytes(content)


def _plain(content: bytes, encoding: str) -> bytes:
    """Undo gzip and deflate, which some servers use though nobody asked."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity") or not content:
        return content
    if encoding not in ("gzip", "x-gzip", "deflate"):
        hint = "let the server answer without compression, or with gzip"
        raise InputError(f"the answer is compressed with {encoding!r:.40}", hint=hint)
    try:
        unpacking = zlib.decompressobj(wbits=47)  # 32 + 15: gzip and zlib, told by their head
        plain = unpacking.decompress(content, LARGEST + 1)
    except zlib.error:
        hint = "is something between here and the server that changes answers?"
        raise InputError(f"the answer is no {encoding}, as it says", hint=hint) from None
    if len(plain) > LARGEST:
        raise _too_large()
    if not unpacking.eof:
        raise IncompleteRead(b"")
    return plain


def _too_large() -> InputError:
    hint = "ask for fewer results, or for their ids only"
    return InputError(f"the answer is larger than {LARGEST >> 20} MB", hint=hint)
