"""Refuse requests for other hosts: a page elsewhere could point its own name to this machine."""

import ipaddress
import re

from starlette.types import ASGIApp, Receive, Scope, Send

from assay.server.problem import Problem, refuse
from assay.server.settings import ServeSettings

__all__ = ["HostCheck", "allowed_hosts"]

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::([0-9]{1,5}))?")
DEFAULTS = {False: 80, True: 443}


def allowed_hosts(settings: ServeSettings, port: int) -> frozenset[tuple[str, int]]:
    """Return the names and ports under which the service may be reached.

    A name of ``settings.hosts`` without a port has that of the service, 80 and 443: those are what
    a proxy in front of it has.
    """
    own = [] if _is_everything(settings.host) else [_bracketed(settings.host)]
    found = {(name, port) for name in (*LOOPBACK, *own)}
    for entry in settings.hosts:
        parts = HOST.fullmatch(_bracketed(entry))
        if parts is not None:
            ports = [int(parts[2])] if parts[2] else [port, *DEFAULTS.values()]
            found |= {(parts[1], one) for one in ports}
    return frozenset(found)


class HostCheck:
    """Middleware that lets requests and WebSockets for ``allowed`` pass (421 for others)."""

    def __init__(self, app: ASGIApp, *, allowed: frozenset[tuple[str, int]], secure: bool) -> None:
        self._app, self._allowed, self._port = app, allowed, DEFAULTS[secure]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket") or self._is_allowed(scope):
            await self._app(scope, receive, send)
            return
        hint = "use the address that `assay serve` printed, or start it with --host-name NAME"
        problem = Problem(421, "the header Host names another host", where="header Host", hint=hint)
        await refuse(scope, receive, send, problem)

    def _is_allowed(self, scope: Scope) -> bool:
        values = [value for name, value in scope["headers"] if name == b"host"]
        parts = HOST.fullmatch(values[0].decode("latin-1").lower()) if len(values) == 1 else None
        return parts is not None and (parts[1], int(parts[2] or self._port)) in self._allowed


def _bracketed(host: str) -> str:
    """Write a host as the header has it: an IPv6 address in brackets."""
    is_address = host.count(":") > 1 and not host.startswith("[")
    return (f"[{host}]" if is_address else host).lower()


def _is_everything(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False
