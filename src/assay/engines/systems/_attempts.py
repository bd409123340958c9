"""Ask a server that may be busy: again after pauses, and plain about one that is not there."""

import socket
import ssl
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException

from assay.engines.systems._showing import Showing
from assay.errors import InputError
from assay.http.connections import Connections, Reply, Sent

__all__ = ["Attempts"]

FIRST_PAUSE_S = 0.25  # then twice as long each time
LONGEST_PAUSE_S = 8.0
LONGEST_ASKED_S = 30.0  # of what a server may ask for
BUSY = (408, 425, 429, 500, 502, 503, 504)
READ = 64 << 10  # bytes of a refusal that are looked at
FIRST = 2000  # letters of it, with their white space
SAID = 200  # letters of what a server says that a message shows
HINTS = {
    400: "check request and params against what the server says",
    401: "check the key in headers",
    403: "check the key in headers, and what it may do",
    404: "check url: is the index there?",
    405: "check method",
    413: "the request is too large",
    415: "check the Content-Type in headers",
    429: "lower concurrency, or raise the limit of the key",
}


class Attempts:
    """Asks again where that may help: ``retries`` times."""

    def __init__(
        self,
        connections: Connections,
        *,
        retries: int,
        timeout_s: float,
        show: Showing,
    ) -> None:
        self._connections, self._retries = connections, retries
        self._timeout_s, self._show = timeout_s, show

    def ask(self, sent: Sent) -> tuple[Reply, float, int]:
        """Return the answer, the milliseconds that earlier attempts took, and how many it took."""
        start, closed = time.perf_counter(), self._connections.closed
        for attempt in range(1, self._retries + 2):
            last = attempt > self._retries
            try:
                reply = self._connections.ask(sent)
            except (OSError, HTTPException, UnicodeError) as error:  # Unicode: names of hosts
                if last or closed.is_set() or _is_lasting(error):
                    raise self._unreachable(error, attempt) from None
                pause = _pause(attempt)
            else:
                if reply.status < 300:
                    waited = reply.began - start if reply.again or attempt > 1 else 0.0
                    return reply, waited * 1e3, attempt
                if last or reply.status not in BUSY:
                    raise self._refused(reply, attempt)
                pause = _asked_pause(reply.headers.get("retry-after", "")) or _pause(attempt)
            if closed.wait(pause):  # at the end of the run, which is not kept waiting
                raise InputError("it was closed before it answered", hint="ask it again")
        raise AssertionError("the last attempt returns or raises")

    def once(self, sent: Sent) -> Reply | None:
        """Ask one time; None of a server that is busy, or slow: that may pass."""
        try:
            reply = self._connections.ask(sent)
        except (OSError, HTTPException, UnicodeError) as error:
            if _is_lasting(error):
                raise self._unreachable(error, 1) from None
            return None
        if reply.status >= 300 and reply.status not in BUSY:
            raise self._refused(reply, 1)
        return reply if reply.status < 300 else None

    def reach(self) -> None:
        """Connect, and say so if there is nobody."""
        try:
            self._connections.reach()
        except (OSError, HTTPException, UnicodeError) as error:
            raise self._unreachable(error, 1) from None

    def _refused(self, reply: Reply, attempt: int) -> InputError:
        if 300 <= reply.status < 400:
            place = self._show.text(reply.headers.get("location", "nowhere"), SAID)
            hint = "set url to where it leads: a key must not be carried elsewhere"
            return InputError(f"it answers {reply.status}, a redirection to {place}", hint=hint)
        said = self._show.text(reply.content[:READ].decode(errors="replace"), FIRST)
        said = said[:SAID] or "nothing more"
        hint = HINTS.get(reply.status, "see what the server says, and its log")
        return InputError(f"it answers {reply.status}{_often(attempt)}: {said}", hint=hint)

    def _unreachable(self, error: Exception, attempt: int) -> InputError:
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        said = self._show.text(said, SAID)
        problem, hint = f"it cannot be reached ({said})", "is it running? check url and the network"
        if isinstance(error, TimeoutError):
            problem = f"no answer within {self._timeout_s:g} s"
            hint = "raise timeout_s, or lower concurrency"
        elif isinstance(error, ssl.SSLError) and _is_lasting(error):
            problem = f"no secure connection ({said})"
            hint = "check that url is of https, and that the system trusts its certificate"
        elif not _is_lasting(error):
            problem, hint = f"the connection broke off ({said})", "see the log of the server"
        return InputError(problem + _often(attempt), hint=hint)


def _often(attempt: int) -> str:
    return f", {attempt} times" if attempt > 1 else ""


def _is_lasting(error: Exception) -> bool:
    """Tell a server that is not there, or not trusted, which waiting does not help."""
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return False  # it hung up
    return isinstance(error, ConnectionRefusedError | socket.gaierror | ssl.SSLError | UnicodeError)


def _pause(attempt: int) -> float:
    return min(FIRST_PAUSE_S * 2.0 ** (attempt - 1), LONGEST_PAUSE_S)


def _asked_pause(value: str) -> float:
    """Read Retry-After: seconds, or a date."""
    if value.isascii() and value.isdecimal():
        return min(float(value[:9]), LONGEST_ASKED_S)
    try:
        seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0.0
    return min(max(float(seconds), 0.0), LONGEST_ASKED_S)
