"""Read on for a while after an early answer, so that a client that still sends can read it.

A server that closes a connection with unread data resets it, and the client may lose the answer.
"""

import asyncio
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.server.problem import has_body

__all__ = ["LingerLimits", "LingeringClose"]


@dataclass(frozen=True, slots=True)
class LingerLimits:
    """How much of a body nobody wants is read: bytes, seconds in total, seconds of a pause.

    The bytes are several times the largest upload, for the file that is a little too large is the
    one whose sender needs the answer.
    """

    size: int = 64 * 1024 * 1024
    total_s: float = 30.0
    idle_s: float = 5.0


class LingeringClose:
    """Middleware that ends a connection whose request was answered before its body was read.

    The whole answer is sent at once. A client that waits for `100 Continue` has then no reason to
    send the body, and one that has read the answer closes the connection, which ends the wait.
    """

    def __init__(self, app: ASGIApp, *, limits: LingerLimits | None = None) -> None:
        self._app, self._limits = app, limits or LingerLimits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and read what is left of its body after the answer."""
        if not has_body(scope):
            await self._app(scope, receive, send)
            return
        unread, answered = True, False

        async def watched() -> Message:
            nonlocal unread
            message = await receive()
            unread = bool(message.get("more_body"))
            return message

        async def held(message: Message) -> None:
            nonlocal answered
            if unread and message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            elif unread and not message.get("more_body"):
                answered, message = True, {**message, "more_body": True}
            await send(message)

        await self._app(scope, watched, held)
        if answered:
            await self._discard(receive)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _discard(self, receive: Receive) -> None:
        """Receive what is left of a body, within the limits."""
        now = asyncio.get_running_loop().time
        ends, left = now() + self._limits.total_s, self._limits.size
        while left > 0:
            try:
                async with asyncio.timeout_at(min(now() + self._limits.idle_s, ends)):
                    message = await receive()
            except TimeoutError:
                return
            left -= len(message.get("body", b""))
            if not message.get("more_body"):
                return
