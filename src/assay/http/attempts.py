"""Ask a server that may be busy: again after pauses, and at once plain about one that is gone."""

import socket
import ssl
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException

from assay.errors import InputError
from assay.http.connections import Connections, HttpReply, HttpRequest

__all__ = ["BUSY", "Attempts", "is_lasting"]

BUSY = (408, 425, 429, 500, 502, 503, 504)
FAILURES = (OSError, HTTPException, UnicodeError)  # Unicode: names of hosts
LONGEST_PAUSE_S = 8.0
LONGEST_ASKED_S = 30.0  # of what a server may ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Asks again where that may help: ``retries`` times, each pause twice as long as the last.

    ``refused`` and ``unreachable`` word what went wrong after so many attempts.
    """

    connections: Connections
    retries: int
    first_pause_s: float
    refused: Callable[[HttpReply, int], InputError]
    unreachable: Callable[[Exception, int], InputError]
    busy: Collection[int] = BUSY

    def ask(self, request: HttpRequest) -> tuple[HttpReply, float, int]:
        """Return the answer, the milliseconds that earlier attempts took, and how many it took."""
        start, closed = time.perf_counter(), self.connections.closed
        for attempt in range(1, self.retries + 2):
            reply = self._attempt(request, attempt, last=attempt > self.retries)
            if reply is not None and reply.status < 300:
                waited = reply.began - start if reply.again or attempt > 1 else 0.0
                return reply, waited * 1e3, attempt
            pause = _asked_pause(reply.headers.get("retry-after", "")) if reply else 0.0
            usual = min(self.first_pause_s * 2.0 ** (attempt - 1), LONGEST_PAUSE_S)
            if closed.wait(pause or usual):  # at the end of the run, which is not kept waiting
                problem = "the connection was closed before the server responded"
                raise InputError(problem, hint="try again")
        raise AssertionError("the last attempt returns or raises")

    def once(self, request: HttpRequest) -> HttpReply | None:
        """Ask one time; None of a server that is busy, or slow: that may pass."""
        reply = self._attempt(request, 1, last=False)
        return reply if reply is not None and reply.status < 300 else None

    def _attempt(self, request: HttpRequest, attempt: int, *, last: bool) -> HttpReply | None:
        """Ask; what may pass is returned unless it is the last attempt: busy, or None."""
        try:
            reply = self.connections.ask(request)
        except FAILURES as error:
            if last or self.connections.closed.is_set() or is_lasting(error):
                raise self.unreachable(error, attempt) from None
            return None
        if reply.status >= 300 and (last or reply.status not in self.busy):
            raise self.refused(reply, attempt)
        return reply

    def reach(self) -> None:
        """Connect, and say so if there is nobody."""
        try:
            self.connections.reach()
        except FAILURES as error:
            raise self.unreachable(error, 1) from None


def is_lasting(error: Exception) -> bool:
    """Tell a server that is not there, or not trusted, which waiting does not help."""
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return False  # it hung up
    return isinstance(error, ConnectionRefusedError | socket.gaierror | ssl.SSLError | UnicodeError)


def _asked_pause(value: str) -> float:
    """Read Retry-After: seconds, or a date."""
    if value.isascii() and value.isdecimal():
        return min(float(value[:9]), LONGEST_ASKED_S)
    try:
        seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0.0
    return min(max(float(seconds), 0.0), LONGEST_ASKED_S)
