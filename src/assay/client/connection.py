"""Requests to a service: with the token, a time limit, and another attempt where that is safe."""

import http.client
import json
import os
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from assay.client.decode import decode, mismatch
from assay.client.problems import error_of
from assay.errors import AccessError, AssayError, InputError, NotFoundError, UnavailableError
from assay.text import keep_secret
from assay.text.quote import quote_value

__all__ = ["Answer", "Connection", "item_path"]

T = TypeVar("T")
TOKEN = "ASSAY_TOKEN"  # noqa: S105 - the name of a variable
PREFIX = "/api/v1"
PAGE = 200
LONGEST_KEY = 200
AGAIN = (429, 502, 503, 504)
FIRST_S = 5.0  # for which an address that never answered is tried: it is probably wrong
PAUSE_S = 0.5
MOST_PAUSE_S = 10.0
_FAULTS = (OSError, http.client.HTTPException)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, and from where."""

    status: int
    headers: Mapping[str, str]
    content: bytes = field(repr=False)
    where: str = ""

    def json(self) -> Any:  # noqa: ANN401
        """Return the JSON of the answer."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            hint = "check that the address is that of `assay serve`"
            raise InputError("the answer is not JSON", where=self.where, hint=hint) from None


class Connection:
    """A service and a token; threads may share one.

    A request that can be repeated is sent again while the service is busy, restarts or cannot be
    reached, for up to ``patience_s`` seconds: all that read, and those with a key. No redirection
    is followed: the token goes to the service only.
    """

    def __init__(
        self, url: str, *, token: str | None = None, timeout_s: float = 60, patience_s: float = 30
    ) -> None:
        self._place = _parse(url)
        given = dict(parse_qsl(self._place.query)).get("token", "")
        self._token = token or given or os.environ.get(TOKEN, "")
        if not self._token:
            hint = f"set {TOKEN} to a token of `assay token create NAME` (in Python: token=...)"
            raise AccessError("the token is missing", where=self.base, hint=hint)
        if not self._token.isascii() or not self._token.isprintable() or " " in self._token:
            hint = "copy it again: it starts with assay_"
            raise AccessError("the token is not one of Assay", where=self.base, hint=hint)
        keep_secret(TOKEN, self._token)
        self._timeout_s, self._patience_s = timeout_s, patience_s
        self._kept = threading.local()
        self._answered = False

    @property
    def base(self) -> str:
        """The address of the service, without a token."""
        return f"{self._place.scheme}://{self._place.netloc}{self._place.path.rstrip('/')}"

    def get(self, path: str, /, **query: object) -> Any:  # noqa: ANN401
        """Read JSON."""
        return self.ask("GET", path, query=query).json()

    def pages(self, path: str, kind: type[T], /, **query: object) -> Iterator[T]:
        """Read a list, page by page, as records."""
        yield from self.every(path, lambda item: decode(kind, item), **query)

    def every(self, path: str, make: Callable[[Any], T], /, **query: object) -> Iterator[T]:
        """Read a list, page by page, and make something of each item."""
        cursor: object = ""
        while True:
            page = self.get(path, limit=PAGE, cursor=cursor, **query)
            if not isinstance(page, Mapping) or not isinstance(page.get("items"), list):
                raise mismatch("expected a list")
            yield from map(make, page["items"])
            if not (cursor := page.get("next")):
                return

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str = "",
        revision: int | None = None,
    ) -> Any:  # noqa: ANN401
        """Send JSON, and return that of the answer; None if it has none.

        A change with a ``revision`` is refused if somebody has changed the item since.
        """
        headers = _headers(key, revision)
        content = None
        if body is not None:
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        answer = self.ask(method, path, content=content, headers=headers, again=bool(key))
        return answer.json() if answer.content else None

    def upload(
        self,
        method: str,
        path: str,
        form: tuple[bytes, str],
        *,
        key: str = "",
        revision: int | None = None,
    ) -> Any:  # noqa: ANN401
        """Send a form, with its content type."""
        content, kind = form
        headers = {**_headers(key, revision), "Content-Type": kind}
        return self.ask(method, path, content=content, headers=headers, again=bool(key)).json()

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        again: bool = False,
    ) -> Answer:
        """Send a request until it is answered; an error of the service is raised as its own."""
        target = f"{self._place.path.rstrip('/')}{PREFIX}{path}{_query(query or {})}"
        began = time.monotonic()
        until = began + self._patience_s
        safe, pause = again or method == "GET", PAUSE_S
        while True:
            try:
                answer = self._exchange(method, target, content, headers or {})
            except _FAULTS as fault:
                last = until if self._answered else min(until, began + FIRST_S)
                if not safe or time.monotonic() + pause > last or _is_final(fault):
                    raise self._unreachable(fault) from None
                asked = pause
            else:
                self._answered = True
                if answer.status < 300 or answer.status == 304:
                    return answer
                asked = _retry_after(answer, pause)
                late = time.monotonic() + asked > until
                if not safe or late or answer.status not in AGAIN:
                    raise self._error(answer)
            time.sleep(asked)
            pause = min(2 * pause, MOST_PAUSE_S)

    def close(self) -> None:
        """Close the connection of this thread."""
        self._drop()

    def _exchange(
        self, method: str, target: str, content: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        """Send over the open connection if it may be done twice: that may just have been closed."""
        sent = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **headers}
        open_one = getattr(self._kept, "connection", None)
        if method == "GET" and open_one is not None:
            try:
                return self._over(open_one, method, target, content, sent)
            except _FAULTS:
                self._drop()
        self._drop()
        self._kept.connection = self._new()
        try:
            return self._over(self._kept.connection, method, target, content, sent)
        except BaseException:
            self._drop()
            raise

    def _over(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        content: bytes | None,
        headers: Mapping[str, str],
    ) -> Answer:
        connection.request(method, target, content, dict(headers))
        with connection.getresponse() as answer:
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read(), self.base)

    def _new(self) -> http.client.HTTPConnection:
        host, port = str(self._place.hostname), self._place.port
        if self._place.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(
                host, port or 443, timeout=self._timeout_s, context=context
            )
        return http.client.HTTPConnection(host, port or 80, timeout=self._timeout_s)

    def _drop(self) -> None:
        connection = getattr(self._kept, "connection", None)
        self._kept.connection = None
        if connection is not None:
            connection.close()

    def _error(self, answer: Answer) -> AssayError:
        """Make the error of an answer; what no address of the API answers may be a wrong path."""
        error = error_of(answer.status, answer.content, where=self.base)
        if answer.status != 404 or not self._place.path.strip("/") or "openapi" not in error.hint:
            return error
        root = f"{self._place.scheme}://{self._place.netloc}"
        hint = f"give the address of the service without a path: {root}"
        return NotFoundError("no service at this address", where=self.base, hint=hint)

    def _unreachable(self, fault: Exception) -> UnavailableError:
        if isinstance(fault, ssl.SSLCertVerificationError):
            problem = f"its certificate is not trusted ({fault.verify_message})"
            hint = "set SSL_CERT_FILE to the certificate of the authority that signed it"
            return UnavailableError(problem, where=self.base, hint=hint)
        if isinstance(fault, ssl.SSLError):
            problem = f"no TLS connection ({fault.reason or fault})"
            hint = "use http:// if the service has no certificate"
            return UnavailableError(problem, where=self.base, hint=hint)
        timed_out = isinstance(fault, TimeoutError)
        reason = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
        said = f"did not answer within {self._timeout_s:g} s" if timed_out else reason
        hint = "check that `assay serve` runs there, and the address"
        if isinstance(fault, http.client.RemoteDisconnected) and self._place.scheme == "http":
            hint += "; use https:// if the service has a certificate"
        return UnavailableError(f"cannot be reached ({said})", where=self.base, hint=hint)


def item_path(*parts: str) -> str:
    """Write the path of an item, whatever its id contains.

    >>> item_path("datasets", "a/b", "content")
    '/datasets/a%2Fb/content'
    """
    if not all(isinstance(part, str) and part for part in parts):
        hint = "pass the id of an item, which is not empty"
        raise InputError(f"invalid id {quote_value(parts[-1])}", hint=hint)
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def _parse(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except (ValueError, AttributeError):
        sound = None
    if not sound or parts.username is not None:
        hint = "expected the address of a service, e.g. http://127.0.0.1:8787"
        shown = quote_value(str(url).partition("?")[0])
        raise InputError(f"invalid address {shown}", where="url", hint=hint)
    return parts


def _query(query: Mapping[str, object]) -> str:
    """Write what was given; nothing of the values that say nothing."""
    given: list[tuple[str, str]] = []
    for name, value in query.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is None or one is False or one == "":
                continue
            given.append((name, "true" if one is True else str(one)))
    return f"?{urlencode(given)}" if given else ""


def _headers(key: str, revision: int | None) -> dict[str, str]:
    if key and not (key.isascii() and key.isprintable() and len(key) <= LONGEST_KEY):
        hint = f"use at most {LONGEST_KEY} ASCII characters"
        raise InputError(f"invalid value {quote_value(key)}", where="key", hint=hint)
    headers = {"Idempotency-Key": key} if key else {}
    return headers if revision is None else {**headers, "If-Match": f'"r{revision}"'}


def _retry_after(answer: Answer, pause: float) -> float:
    given = answer.headers.get("retry-after", "")
    return max(pause, float(given)) if given.isdigit() else pause


def _is_final(fault: Exception) -> bool:
    """Tell whether waiting will not help."""
    return isinstance(fault, ssl.SSLError | UnicodeError)
