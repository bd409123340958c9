"""Parts of a request -> texts for a log: one line, no secret, and never longer than a line."""

import re
from urllib.parse import quote

from starlette.types import Scope

from assay.text import conceal
from assay.text.truncate import cut_end

__all__ = ["client_of", "hide_tokens", "method_of", "path_of"]

LONGEST = 300  # characters of a path
TOKEN = re.compile(r"assay_[0-9a-f]{12}_[A-Za-z0-9_-]+")
# A user and a password of an address; the end of a long one may have been cut off.
LOGIN = re.compile(
    r"(?<=://)(?:[^\s/@\"'<>]+@|[^\s/:@\"'<>\[]*:(?!\d{1,5}(?:[^\w.%~-]|$))[^\s/\"'<>]+)"
)
METHOD = re.compile("[A-Z]{1,20}")
PLAIN = "/:@!$'()*+,;=~"  # what a path may hold beside letters and digits


def hide_tokens(text: str) -> str:
    """Leave of each access token its number alone, and of other secrets their names.

    >>> hide_tokens("/files/assay_0123456789ab_c2VjcmV0 http://Ada:lovelace@example.org:80/")
    '/files/assay_0123456789ab_*** http://***@example.org:80/'
    """
    return LOGIN.sub("***@", TOKEN.sub(lambda found: f"{found[0][:18]}_***", conceal(text)))


def path_of(scope: Scope) -> str:
    r"""Write the path of a request without its query, percent-encoded.

    >>> path_of({"path": "/a b\n/c"})
    '/a%20b%0A/c'
    """
    path = hide_tokens(str(scope.get("path", "")))
    return cut_end(quote(path, safe=PLAIN, errors="backslashreplace"), LONGEST, mark="...")


def method_of(scope: Scope) -> str:
    """Return the method of a request, or WEBSOCKET."""
    if scope["type"] == "websocket":
        return "WEBSOCKET"
    method = str(scope.get("method", ""))
    return method if METHOD.fullmatch(method) else "?"


def client_of(scope: Scope) -> str:
    """Return the address that a request came from; a /64 network counts as one client.

    >>> client_of({"client": ("2001:db8::1:2:3:4", 5)}), client_of({"client": ("10.0.0.1", 5)})
    ('2001:db8::/64', '10.0.0.1')
    """
    from ipaddress import IPv6Address, IPv6Network, ip_address

    host = str((scope.get("client") or ("unknown",))[0])
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return path_of({"path": host})[:100]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return "::1" if address.is_loopback else str(IPv6Network((address, 64), strict=False))
