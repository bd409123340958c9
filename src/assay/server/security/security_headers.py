"""Tell browsers on every answer what they must not do with it."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["SecurityHeaders"]

STARTS = ("http.response.start", "websocket.http.response.start")
DATA = "default-src 'none'; frame-ancestors 'none'"
PAGE = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TLS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}


class SecurityHeaders:
    """Middleware that adds them; a route may set its own ``Cache-Control``."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._always = ALWAYS | (TLS_ONLY if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""

        async def with_headers(message: Message) -> None:
            if message["type"] in STARTS:
                headers = MutableHeaders(scope=message)
                is_page = headers.get("content-type", "").startswith("text/html")
                headers["Content-Security-Policy"] = PAGE if is_page else DATA
                headers.setdefault("Cache-Control", "no-store")
                headers.update(self._always)
            await send(message)

        await self._app(scope, receive, with_headers)
