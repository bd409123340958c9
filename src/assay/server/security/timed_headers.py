"""Close connections on which the headers of a request do not arrive in time, or are not HTTP."""

import asyncio
import logging

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from assay.server.problem import Problem, problem_response
from assay.server.security.log_text import client_of
from assay.server.security.rate_limit import RateLimit

__all__ = ["TimedHeaders"]

HEADERS_S = 20.0
NOTED = RateLimit(60)  # lines per minute: nobody can fill the disk by them
LOGGER = logging.getLogger("assay.server")


class TimedHeaders(H11Protocol):
    """The protocol of uvicorn, which would wait for the rest of a header for ever.

    It is the one that limits the size of all headers together (64 KiB), too.
    """

    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Begin to wait with the first byte of a request, and end with its last header."""
        self._expect()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Let the protocol of WebSockets go on."""
        self._stop()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP with a problem, as everything else."""
        answer = problem_response(Problem(400, "the request is not valid HTTP"))
        headers = [*answer.raw_headers, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=bytes(answer.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._watch is None and self.conn.their_state is h11.IDLE:
            self._watch = self.loop.call_later(HEADERS_S, self._close)

    def _stop(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _close(self) -> None:
        """Close the connection; browsers open some that they never use, which is no news."""
        self._watch = None
        if self.conn.trailing_data[0] and NOTED.hit("all"):
            client = client_of({"client": self.client})
            LOGGER.warning("refused: the headers from %s did not arrive in time", client)
        self.transport.close()
