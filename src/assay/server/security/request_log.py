"""One line per request: who asked for what, and how that ended; never a query or a secret."""

import json
import logging
import time
from datetime import UTC, datetime
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.server.security.log_text import client_of, hide_tokens, method_of, path_of
from assay.server.security.rate_limit import RateLimit
from assay.text import sanitize
from assay.text.truncate import cut_end

__all__ = ["RequestLog"]

LOGGER = logging.getLogger("assay.server")
REQUESTS = logging.getLogger("assay.server.requests")
REFUSED = 600  # lines about refusals within a minute: nobody can fill the disk by them
LARGEST = 65_536  # bytes of an answer that is read for its reason
REASON = 200  # characters of it
STARTS = ("http.response.start", "websocket.http.response.start")
BODIES = ("http.response.body", "websocket.http.response.body")
CLOSED = 1000, 1001, 1005  # codes of WebSockets that ended as they should


class RequestLog:
    """Middleware that gives each request an id, and logs it.

    Refusals are always logged, with their reason; ``every`` says whether the others are.
    """

    def __init__(self, app: ASGIApp, *, every: bool) -> None:
        self._app, self._every, self._refused = app, every, RateLimit(REFUSED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log it at its end."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        number, began = uuid4().hex, time.perf_counter()
        scope.setdefault("state", {})["request_id"] = number
        answer = _Answer(scope, send)
        try:
            await self._app(scope, receive, answer.send)
        finally:
            took_ms = (time.perf_counter() - began) * 1e3
            if self._every:
                REQUESTS.info("%s", _line(scope, number, answer, took_ms))
            if answer.is_refusal and self._refused.hit("refused"):
                method, path, client = method_of(scope), path_of(scope), client_of(scope)
                told = (number, method, path, client, answer.status, answer.reason)
                LOGGER.warning("refused %s: %s %s from %s: %s %s", *told)


class _Answer:
    """What is known of an answer while it is sent; ``status`` of a WebSocket may be its code."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self.status, self.reason = 0, ""

    @property
    def is_refusal(self) -> bool:
        return 400 <= self.status < 500 or (self.status > 999 and self.status not in CLOSED)

    async def send(self, message: Message) -> None:
        kind = message["type"]
        if kind in STARTS:
            self.status = message["status"]
            message["headers"] = [
                *message.get("headers", ()),
                (b"x-request-id", self._scope["state"]["request_id"].encode()),
            ]
        elif kind in BODIES and self.status >= 400:
            self.reason = self.reason or _reason(message.get("body", b""))
        elif kind == "websocket.accept":
            self.status, self._scope["assay.accepted"] = 101, True
        elif kind == "websocket.close":
            self.status, self.reason = message.get("code", 1000), _plain(message.get("reason", ""))
        await self._send(message)


def _line(scope: Scope, number: str, answer: _Answer, took_ms: float) -> str:
    person = scope["state"].get("person")
    line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "id": number}
    line |= {"method": method_of(scope), "path": path_of(scope)}
    numbers = {"status": answer.status, "ms": round(took_ms, 1)}
    about = {**line, **numbers, "client": client_of(scope)}
    if person is not None:
        about |= {"token": person.token, "name": _plain(person.name)}
    return json.dumps(about | ({"reason": answer.reason} if answer.reason else {}))


def _reason(body: bytes) -> str:
    """Read what a problem says in a word; its fields were sanitized when it was written."""
    if len(body) > LARGEST or not body.startswith(b"{"):
        return ""
    try:
        return _plain(str(json.loads(body).get("detail", "")))
    except (ValueError, RecursionError):
        return ""


def _plain(text: str) -> str:
    return cut_end(hide_tokens(sanitize(text)), REASON, mark="...")
