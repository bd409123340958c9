"""Limit what a request may send: its type, its size, its time, and the shape of its JSON."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.server.problem import HintedError, Problem, has_body, refuse
from assay.server.security.json_faults import find_json_fault, has_more_values
from assay.server.security.origin_check import SAFE
from assay.text.size import size_text

__all__ = ["BodyCheck", "BodyLimits"]

JSON = re.compile(r"application/(?:[a-z0-9.-]+\+)?json")
FORM = "multipart/form-data"
MOST_LARGE = 16  # large bodies of JSON at the same time: unlike files, they are held in memory
RETRY_S = "5"


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """The largest bodies in bytes, and how many seconds they may take.

    JSON may be as large as an upload at the paths of ``large_json``, which take whole reports.
    ``form_bytes`` of an upload may be other than its file. ``idle_s`` is the longest pause, and
    ``json_depth`` how deep JSON may be nested.
    ``json_values`` are how many values JSON may have, apart from that of reports: what is wrong
    with them is found in the event loop.
    """

    json_bytes: int = 1_000_000
    upload_bytes: int = 10_500_000
    form_bytes: int = 0
    json_s: float = 30.0
    upload_s: float = 600.0
    idle_s: float = 20.0
    json_depth: int = 64
    json_values: int = 100_000
    large_json: tuple[str, ...] = ("/api/v1/comparisons", "/api/v1/gate")


class BodyCheck:
    """Middleware that checks bodies while they arrive.

    Starlette's RequestBodyLimitMiddleware counts as well, but its answers are plain text, it knows
    no time, and JSON has to be read here as a whole in any case.
    """

    def __init__(self, app: ASGIApp, *, limits: BodyLimits) -> None:
        self._app, self._limits = app, limits
        self._large = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with a body that is limited, or refuse it."""
        if not has_body(scope):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        unknown = not JSON.fullmatch(kind) and kind != FORM
        if scope["method"] not in SAFE and (unknown or _is_encoded(headers)):
            hint = f"send application/json or {FORM}, not compressed"
            problem = Problem(415, "the body has an unsupported type", hint=hint)
            await refuse(scope, receive, send, problem)
            return
        large = kind == FORM or scope["path"] in self._limits.large_json
        body = _Body(receive, self._limits, large=large, form=kind == FORM)
        size = _declared(headers)
        body.check_size(size)
        if not JSON.fullmatch(kind):
            await self._app(scope, body.receive, send)
            return
        small = not large or 0 < size <= self._limits.json_bytes
        with nullcontext() if small else self._place():
            content = await self._json(body, None if large else self._limits.json_values)
            again = body.receive if content is None else _again(content, receive)
            await self._app(scope, again, send)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Count a large body of JSON while it is in memory; one too many is refused (503)."""
        if self._large >= MOST_LARGE:
            detail = "there are too many large requests at the moment"
            raise HTTPException(503, detail, headers={"Retry-After": RETRY_S})
        self._large += 1
        try:
            yield
        finally:
            self._large -= 1

    async def _json(self, body: "_Body", most: int | None) -> bytes | None:
        """Read JSON of at most so many values and check it; None if the client has gone."""
        content = await body.read()
        if content is None:
            return None
        if most is not None and await run_in_threadpool(has_more_values, content, most):
            raise HTTPException(422, f"the body has more than {most:,} values")
        fault = await run_in_threadpool(find_json_fault, content, self._limits.json_depth)
        if fault:
            raise HTTPException(400, fault)
        return content


class _Body:
    """The body of a request, while it arrives."""

    def __init__(self, receive: Receive, limits: BodyLimits, *, large: bool, form: bool) -> None:
        self._receive, self._idle_s = receive, limits.idle_s
        self._largest = limits.upload_bytes if large else limits.json_bytes
        self._ends = _now() + (limits.upload_s if large else limits.json_s)
        self._shown = self._largest - (limits.form_bytes if large else 0)
        self._large, self._form = large, form
        self._size, self._complete = 0, False

    def check_size(self, size: int) -> None:
        """Refuse a body of a size (413)."""
        if size > self._largest:
            what = "upload" if self._form else "body"
            most = size_text(self._shown).replace("MiB", "MB")  # as --upload-limit counts
            detail = f"the {what} is larger than {most}"
            raise HintedError(413, detail, hint=self._hint())

    def _hint(self) -> str:
        """Say what to do with a body that is too large."""
        if not self._large:
            return "send less at once: in several requests, or as a file to upload"
        raised = "the administrator of the service can raise this with --upload-limit"
        corpus = "; the documents of a large corpus need no upload: name their folder with "
        return raised + (f"{corpus}POST /api/v1/corpora" if self._form else "")

    async def receive(self) -> Message:
        """Receive a piece of it, or what follows it."""
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(min(_now() + self._idle_s, self._ends)):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the body did not arrive in time") from None
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self.check_size(self._size)
        self._complete = not message.get("more_body", False)
        return message

    async def read(self) -> bytes | None:
        """Receive all of it; None if the client has gone meanwhile."""
        pieces: list[bytes] = []
        while not self._complete:
            message = await self.receive()
            if message["type"] != "http.request":
                return None
            pieces.append(message.get("body", b""))
        return b"".join(pieces)


def _again(content: bytes, receive: Receive) -> Receive:
    """Receive a body that was read already, then whatever follows it."""
    pieces = [content]

    async def again() -> Message:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(), "more_body": False}
        return await receive()

    return again


def _declared(headers: Headers) -> int:
    length = headers.get("content-length", "").strip()
    return int(length) if length.isascii() and length.isdecimal() and len(length) < 20 else 0


def _is_encoded(headers: Headers) -> bool:
    return headers.get("content-encoding", "identity").strip().lower() != "identity"


def _now() -> float:
    return asyncio.get_running_loop().time()
