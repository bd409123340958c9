"""Ask a model over HTTP: JSON goes there, JSON comes back, and no message shows the key."""

import json
import threading
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from assay.errors import InputError
from assay.http.attempts import BUSY, Attempts
from assay.http.connections import Connections, HttpReply, HttpRequest, parse_server
from assay.text import sanitize

__all__ = ["JsonClient"]

RETRIES = 4
FIRST_PAUSE_S = 0.5
LONGEST_S = 1e6  # of waiting for an answer: sockets take no more than some years
LARGEST = 256 << 20  # bytes of an answer: far above any batch of vectors
READ = 64 << 10  # bytes of an answer that a message looks at
OTHER_SERVER = "is this the server that you mean?"
HINTS = {
    401: "check the key",
    403: "check the key and what it may do",
    404: "check the address and the model's name",
    **dict.fromkeys((301, 302, 307, 308), "the server has moved: set the new address"),
    413: "embed smaller texts: use a chunker",
    429: "the limit of the key is reached: wait, or ask for more",
}


class JsonClient:
    """Sends JSON to one server and returns its JSON; ``start`` says how to start the server."""

    def __init__(self, base: str, *, timeout_s: float, key: str = "", start: str = "") -> None:
        address = _address(base)
        self.base = address.geturl()
        if not 0 < timeout_s < LONGEST_S:
            hint = "give a number of seconds above 0"
            raise InputError(f"timeout_s is {timeout_s}", where="model", hint=hint)
        self._key, self._timeout_s, self._start = key, timeout_s, start
        connections = Connections(
            address, timeout_s=timeout_s, largest=LARGEST, keep_alive=False, proxies=True
        )
        self._attempts = Attempts(
            connections=connections,
            retries=RETRIES,
            first_pause_s=FIRST_PAUSE_S,
            refused=self._refused,
            unreachable=self._unreachable,
            busy=(*BUSY, 409, 529),
        )
        self._waits = threading.local()  # each thread measures what it has waited itself

    @property
    def waited_ms(self) -> float:
        """Milliseconds so far, in this thread, of attempts that failed and of pauses after them."""
        return getattr(self._waits, "milliseconds", 0.0)

    def __call__(self, path: str, body: Mapping[str, object] | None = None) -> object:
        """Post a body (or get, without one), again after a pause where the server is busy."""
        try:
            reply, waited_ms, _ = self._attempts.ask(self._request(path, body))
            self._waits.milliseconds = self.waited_ms + waited_ms
            return self._json(reply.content)
        except InputError as error:
            hint = error.hint or OTHER_SERVER
            raise InputError(error.problem, where=f"{self.base}{path}", hint=hint) from None

    def _refused(self, reply: HttpReply, _: int) -> InputError:
        said = self._shown(reply.content, 300) or reply.reason
        hint = HINTS.get(reply.status, "see what the server says")
        return InputError(f"the server answers {reply.status}: {said}", hint=hint)

    def _unreachable(self, error: Exception, _: int) -> InputError:
        slow = f"no answer within {self._timeout_s:g} s" if isinstance(error, TimeoutError) else ""
        hint = self._start or "check the address and the network"
        return InputError(slow or f"cannot be reached ({error})", hint=hint)

    def _request(self, path: str, body: Mapping[str, object] | None) -> HttpRequest:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers["User-Agent"] = "assay"
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        parts = urlsplit(f"{self.base}{path}")
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        data = None if body is None else json.dumps(body).encode()
        return HttpRequest("GET" if data is None else "POST", target, headers, data)

    def _json(self, content: bytes) -> object:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            problem = f"the answer is not JSON: {self._shown(content, 80)!r}"
            raise InputError(problem) from None

    def _shown(self, content: bytes, most: int) -> str:
        """Show the beginning of an answer: the key is hidden before anything is cut off."""
        said = content[:READ].decode(errors="replace")
        said = said.replace(self._key, "...") if self._key else said
        return sanitize(" ".join(said.split())[:most])


def _address(base: str) -> SplitResult:
    """Return the address without the slash at its end, if it can be one of a server."""
    parts = parse_server((base if "//" in base else f"http://{base}").rstrip("/"))
    if parts is None or not base.isprintable() or " " in base.strip():
        hint = "write it as https://HOST/v1"
        raise InputError(f"{base!r} is not the address of a server", where="model", hint=hint)
    return parts
