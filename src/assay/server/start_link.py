"""The address that `assay serve` prints: on this machine, with a token to sign in with."""

import ipaddress
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from secrets import token_hex

from assay.records.service import TokenEntry
from assay.server.settings import ServeSettings
from assay.workspace.store.store import ServiceStore

__all__ = ["has_token", "is_loopback", "start_address"]

AUTHOR = "assay serve"
DAYS = 7  # for which the token of a start link is valid
DAY_S = 86_400.0


def start_address(settings: ServeSettings, store: ServiceStore, port: int) -> str:
    """Return the address to open; on this machine it has a new token, valid for some days.

    Links that earlier processes printed and nobody opened are revoked.
    """
    scheme = "https" if settings.certificate else "http"
    bare = settings.host.strip("[]")
    host = f"[{bare}]" if ":" in bare else bare
    address = f"{scheme}://{host}:{port}/"
    if not is_loopback(settings.host):
        return address
    name = f"start link {platform.node()[:60]} {host}:{port}"
    _revoke_unused(store, name)
    moment = datetime.now(UTC)
    made = store.tokens.create(
        f"{name} {moment:%Y-%m-%d %H:%M} {token_hex(3)}",
        "admin",
        expires=moment.timestamp() + DAYS * DAY_S,
        author=AUTHOR,
    )
    return f"{address}?token={made.plain}"


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address.

    >>> [is_loopback(one) for one in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "assay.test")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def has_token(store: ServiceStore) -> bool:
    """Tell whether somebody could sign in with a token that an administrator created."""
    now = datetime.now(UTC).timestamp()
    return any(
        one.author != AUTHOR and (one.expires is None or one.expires > now) for one in _valid(store)
    )


def _revoke_unused(store: ServiceStore, name: str) -> None:
    """Revoke links of this address that nobody opened, and those of any address that are old.

    The process that printed a link of this address has ended, since the port is ours now; another
    address may belong to a process that is running.
    """
    now = datetime.now(UTC).timestamp()
    for one in [one for one in _valid(store) if one.author == AUTHOR]:
        unused = one.last_used is None
        expired = one.expires is not None and one.expires <= now
        if expired or (unused and (one.name.startswith(f"{name} ") or one.created < now - DAY_S)):
            store.tokens.revoke(one.id, author=AUTHOR)


def _valid(store: ServiceStore) -> Iterator[TokenEntry]:
    cursor = ""
    while True:
        page = store.tokens.page(limit=200, cursor=cursor)
        yield from (one for one in page.items if one.revoked is None)
        if not (cursor := page.next):
            return
