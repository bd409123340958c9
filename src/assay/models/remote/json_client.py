"""Ask a model over HTTP: JSON goes there, JSON comes back, and no message shows the key."""

import json
import threading
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from assay.errors import InputError
from assay.http.attempts import BUSY, Attempts
from assay.http.connections import Connections, HttpReply, HttpRequest, parse_server
from assay.text import sanitize
from assay.text.quote import quote_value

__all__ = ["STATUS", "JsonClient"]

RETRIES = 4
FIRST_PAUSE_S = 0.5
LONGEST_S = 1e6  # of waiting for an answer: sockets take no more than some years
LARGEST = 256 << 20  # bytes of an answer: far above any batch of vectors
READ = 64 << 10  # bytes of an answer that a message looks at
OTHER_SERVER = "check the address of the server"
STATUS = "the server responded with status {}"
HINTS = {
    401: "check the API key",
    403: "check the API key and its permissions",
    404: "check the address and the name of the model",
    **dict.fromkeys((301, 302, 307, 308), "the server redirects: set the new address"),
    413: "the texts are too large: use a chunker or a smaller chunk_size",
    429: "the rate limit is reached: wait, or raise the limit of the API key",
}


class JsonClient:
    """Sends JSON to one server and returns its JSON; ``start`` says how to start the server."""

    def __init__(self, base: str, *, timeout_s: float, key: str = "", start: str = "") -> None:
        address = _address(base)
        self.base = address.geturl()
        if not 0 < timeout_s < LONGEST_S:
            hint = "expected seconds > 0"
            raise InputError(f"invalid value {timeout_s} for timeout_s", where="model", hint=hint)
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
        hint = HINTS.get(reply.status, "check the server log")
        return InputError(f"{STATUS.format(reply.status)}: {said}", hint=hint)

    def _unreachable(self, error: Exception, _: int) -> InputError:
        slow = (
            f"no response within {self._timeout_s:g} s" if isinstance(error, TimeoutError) else ""
        )
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
            problem = f"the response is not JSON: {quote_value(self._shown(content, 80))}"
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
        hint = "expected e.g. https://api.openai.com/v1 or http://127.0.0.1:11434"
        raise InputError(f"invalid server address {quote_value(base)}", where="model", hint=hint)
    return parts
