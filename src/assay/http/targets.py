"""Which servers a service may send requests to, when somebody else names them."""

import re
import socket
from collections.abc import Sequence
from urllib.parse import SplitResult, unquote

from assay.errors import InputError
from assay.http.addresses import Address, is_forbidden, is_loopback, parse_address
from assay.http.connections import parse_server
from assay.text.quote import quote_value

__all__ = ["leads_elsewhere", "refuse_target"]

WHERE = "url"
PORTS = {"http": 80, "https": 443}
PLACE = re.compile(r"\{[^{}]*\}")  # for a part of a query, which may be empty
UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")  # programs disagree on where such an address leads
LOCAL = re.compile(r"(?:.+\.)?localhost\.?")


def refuse_target(url: str, *, allowed: Sequence[str]) -> None:
    """Refuse an address that does not begin with an allowed one, or leads where it must not.

    Scheme, host and port have to be equal, and the path has to begin with the same parts.
    A name may lead into a private network, for the administrator listed it; it may not lead to
    this machine, a link-local address or the metadata service of a cloud.
    """
    parts = _parse(url)
    if not any(_begins_with(parts, entry) for entry in map(parse_server, allowed) if entry):
        hint = "the administrator of the service can add --allow http=ADDRESS"
        raise _refused(url, "is not allowed", hint)
    host = str(parts.hostname)
    local = _is_local(host)
    for address in _resolve(url, host, _port(parts)):
        if is_forbidden(address):
            raise _refused(url, f"leads to the forbidden address {address}", "use another server")
        if is_loopback(address) and not local:
            hint = "use the address 127.0.0.1, if the administrator allows it"
            raise _refused(url, f"leads to this machine ({address}) by another name", hint)


def leads_elsewhere(path: str) -> bool:
    """Tell whether a path leads elsewhere than its parts say, however often it is encoded."""
    for _ in range(4):
        if "\\" in path or any(part.partition(";")[0] in (".", "..") for part in path.split("/")):
            return True
        path = unquote(path)
    return "%2f" in path.lower()


def _parse(url: str) -> SplitResult:
    parts = None if UNSAFE.search(url) else parse_server(url)
    if parts is None:
        raise _refused(url, "is invalid", "expected e.g. https://search.example.org/api")
    if parts.username is not None or parts.password is not None:
        raise _refused("(hidden)", "contains a user name or password", "remove them")
    if "{" in parts.netloc or not str(parts.hostname).isascii():
        raise _refused(url, "has an unsupported host", "write its name in ASCII, without {}")
    filled = parse_server(_without_places(url))
    if filled is None or leads_elsewhere(parts.path) or leads_elsewhere(filled.path):
        raise _refused(url, "has a path with . or ..", "write the path without them")
    return parts


def _without_places(url: str) -> str:
    """Return an address as it is for a query whose parts are empty."""
    for _ in range(3):  # a default may have braces, too
        url = PLACE.sub("", url)
    return url


def _begins_with(parts: SplitResult, entry: SplitResult) -> bool:
    """Compare part by part: a text that begins with another one may name another server."""
    if entry.username is not None or (parts.scheme, parts.hostname) != (
        entry.scheme, entry.hostname,
    ):  # fmt: skip
        return False
    start = entry.path.rstrip("/")
    return _port(parts) == _port(entry) and (
        parts.path == start or parts.path.startswith(f"{start}/")
    )


def _port(parts: SplitResult) -> int:
    return parts.port or PORTS[parts.scheme]


def _is_local(host: str) -> bool:
    address = parse_address(host)
    return LOCAL.fullmatch(host) is not None if address is None else is_loopback(address)


def _resolve(url: str, host: str, port: int) -> set[Address]:
    """Return all addresses of a host, as the program that connects to it finds them."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise _refused(url, "has an unknown host", "check its name") from None
    return {one for *_, place in found if (one := parse_address(str(place[0]))) is not None}


def _refused(url: str, problem: str, hint: str) -> InputError:
    return InputError(f"the address {quote_value(url, 200)} {problem}", where=WHERE, hint=hint)
