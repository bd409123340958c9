"""Refuse changes and WebSockets that another site's page asks a browser for."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from assay.server.problem import Problem, refuse

__all__ = ["SAFE", "OriginCheck"]

SAFE = ("GET", "HEAD", "OPTIONS")  # methods that change nothing
OWN = ("same-origin", "none")  # none: a person typed the address
PORTS = {"http": ":80", "https": ":443"}


class OriginCheck:
    """Middleware that compares where a request comes from with where it goes (403 if not equal).

    Browsers say it by ``Sec-Fetch-Site``, older ones by ``Origin`` alone. Other programs send
    neither: nobody can make them send a request by a page.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app, self._scheme = app, "https" if secure else "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        safe = scope["type"] == "http" and scope["method"] in SAFE
        if scope["type"] not in ("http", "websocket") or safe or self._is_own(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        hint = "send the request from a page of the service, or without the header Origin"
        problem = Problem(403, "the request comes from another site", "cross-origin", hint=hint)
        await refuse(scope, receive, send, problem)

    def _is_own(self, headers: Headers) -> bool:
        sites = headers.getlist("sec-fetch-site")
        if sites:
            return all(site in OWN for site in sites)
        expected = _plain(f"{self._scheme}://{headers.get('host', '')}")
        return all(_plain(origin) == expected for origin in headers.getlist("origin"))


def _plain(origin: str) -> str:
    """Write an origin without the port that its scheme has anyway.

    >>> _plain("HTTPS://example.org:443"), _plain("null")
    ('https://example.org', '')
    """
    try:
        parts = urlsplit(origin.lower())
    except ValueError:
        return ""
    if not parts.netloc or parts.path or parts.query or "@" in parts.netloc:
        return ""
    return f"{parts.scheme}://{parts.netloc.removesuffix(PORTS.get(parts.scheme, ' '))}"
