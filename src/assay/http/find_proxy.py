"""A server -> the proxy that the environment or the system names for it."""

from base64 import b64encode
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote

__all__ = ["Proxy", "find_proxy"]


class Proxy(NamedTuple):
    """Where a proxy listens (HOST:PORT), whether by TLS, and what it wants to be told."""

    address: str
    secure: bool
    headers: Mapping[str, str]


def find_proxy(server: SplitResult) -> Proxy | None:
    """Look at HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and at what the system has in their place."""
    from urllib.request import getproxies, proxy_bypass  # few need it

    value = getproxies().get(server.scheme)
    if not value or proxy_bypass(server.netloc):
        return None
    scheme, _, rest = value.rpartition("//")
    login, _, address = rest.partition("/")[0].rpartition("@")
    user, _, password = map(unquote, login.partition(":"))
    code = b64encode(f"{user}:{password}".encode()).decode()
    headers = {"Proxy-Authorization": f"Basic {code}"} if user and password else {}
    return Proxy(unquote(address), scheme.lower() == "https:", headers)
