"""Ask a model over HTTP: patient with a busy server, plain about one that is not there."""

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, HTTPMessage
from typing import IO, NoReturn
from urllib.parse import urlsplit

from assay.errors import InputError
from assay.text import sanitize

__all__ = ["Asker"]

PAUSES_S = (0.5, 1.0, 2.0, 4.0)  # before the second and later attempts
LONGEST_PAUSE_S = 30.0  # of what a server may ask for
LONGEST_S = 1e6  # of waiting for an answer: sockets take no more than some years
LARGEST = 256 << 20  # bytes of an answer: far above any batch of vectors
READ = 64 << 10  # bytes of an answer that a message looks at
BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follow no redirection: it would carry the key to another place."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


class Asker:
    """Sends JSON to one server and returns its JSON."""

    def __init__(
        self,
        base: str,
        *,
        key: str = "",
        timeout_s: float = 60.0,
        start: str = "",
    ) -> None:
        self.base = _address(base)
        if not 0 < timeout_s < LONGEST_S:
            hint = "give a number of seconds above 0"
            raise InputError(f"timeout_s is {timeout_s}", where="model", hint=hint)
        self._key, self._timeout_s, self._start = key, timeout_s, start
        self._opener = urllib.request.build_opener(_Stay)
        self._waits = threading.local()  # each thread measures what it has waited itself

    @property
    def waited_ms(self) -> float:
        """Milliseconds so far, in this thread, of attempts that failed and of pauses after them."""
        return getattr(self._waits, "milliseconds", 0.0)

    def __call__(self, path: str, body: Mapping[str, object] | None = None) -> object:
        """Post a body (or get, without one), again after a pause where the server is busy."""
        request = self._request(path, body)
        for pause in (*PAUSES_S, None):
            began = time.monotonic()
            try:
                with self._opener.open(request, timeout=self._timeout_s) as answer:
                    return self._json(answer.read(LARGEST + 1), request.full_url)
            except urllib.error.HTTPError as error:
                if pause is None or error.code not in BUSY:
                    self._refused(error, request.full_url)
                time.sleep(_asked_pause(error) or pause)
                self._count(began)
            except (OSError, HTTPException) as error:
                if pause is None or _absent(error):
                    self._unreachable(error, request.full_url)
                time.sleep(pause)
                self._count(began)
        raise AssertionError("the last attempt returns or raises")

    def _count(self, began: float) -> None:
        self._waits.milliseconds = self.waited_ms + (time.monotonic() - began) * 1e3

    def _request(self, path: str, body: Mapping[str, object] | None) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(f"{self.base}{path}", data=data, headers=headers)  # noqa: S310

    def _json(self, content: bytes, where: str) -> object:
        if len(content) > LARGEST:
            problem = f"the answer is larger than {LARGEST >> 20} MB"
            raise InputError(problem, where=where, hint="is this the server that you mean?")
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            problem = f"the answer is not JSON: {self._shown(content, 80)!r}"
            hint = "is this the server that you mean?"
            raise InputError(problem, where=where, hint=hint) from None

    def _refused(self, error: urllib.error.HTTPError, where: str) -> NoReturn:
        said = self._shown(error.read(READ), 300) or error.reason
        hint = HINTS.get(error.code, "see what the server says")
        problem = f"the server answers {error.code}: {said}"
        raise InputError(problem, where=where, hint=hint) from None

    def _shown(self, content: bytes, most: int) -> str:
        """Show the beginning of an answer: the key is hidden before anything is cut off."""
        said = content[:READ].decode(errors="replace")
        said = said.replace(self._key, "...") if self._key else said
        return sanitize(" ".join(said.split())[:most])

    def _unreachable(self, error: Exception, where: str) -> NoReturn:
        cause = getattr(error, "reason", None) or error
        slow = isinstance(cause, TimeoutError)
        problem = (
            f"no answer within {self._timeout_s:g} s" if slow else f"cannot be reached ({cause})"
        )
        hint = self._start or "check the address and the network"
        raise InputError(problem, where=where, hint=hint) from None


HINTS = {
    401: "check the key",
    403: "check the key and what it may do",
    404: "check the address and the model's name",
    301: "the server has moved: set the new address",
    302: "the server has moved: set the new address",
    307: "the server has moved: set the new address",
    308: "the server has moved: set the new address",
    413: "embed smaller texts: use a chunker",
    429: "the limit of the key is reached: wait, or ask for more",
}


def _address(base: str) -> str:
    """Return the address without the slash at its end, if it can be one of a server."""
    try:
        parts = urlsplit(base if "//" in base else f"http://{base}")
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # half an IPv6 address, a port that is no number
        sound = False
    if not sound or not base.isprintable() or " " in base.strip():
        hint = "write it as https://HOST/v1"
        raise InputError(f"{base!r} is not the address of a server", where="model", hint=hint)
    return parts.geturl().rstrip("/")


def _absent(error: Exception) -> bool:
    """Tell a server that is not there, which waiting does not help, from one that is slow."""
    cause = getattr(error, "reason", None) or error
    return isinstance(cause, ConnectionRefusedError | socket.gaierror)


def _asked_pause(error: urllib.error.HTTPError) -> float:
    value = error.headers.get("Retry-After", "")
    return min(float(value), LONGEST_PAUSE_S) if value.isdecimal() else 0.0
