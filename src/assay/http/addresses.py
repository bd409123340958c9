"""Addresses of the network: which of them no program should be sent to by a name."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

__all__ = ["Address", "is_forbidden", "is_loopback", "parse_address"]

Address = IPv4Address | IPv6Address
# Metadata services of clouds, which give credentials to whoever asks; others are link-local.
METADATA = {ip_address("100.100.100.200"), ip_address("fd00:ec2::254"), ip_address("168.63.129.16")}
TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))  # IPv4 in the last four bytes


def parse_address(host: str) -> Address | None:
    """Read an address, also one with a zone; None of a name."""
    try:
        return ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None


def is_forbidden(address: Address) -> bool:
    """Tell whether an address is link-local, of a metadata service, multicast or unspecified.

    >>> [is_forbidden(ip_address(one)) for one in ("169.254.169.254", "::ffff:169.254.1.1")]
    [True, True]
    """
    return any(
        one in METADATA or one.is_link_local or one.is_multicast or one.is_unspecified
        or one == IPv4Address("255.255.255.255")
        for one in _meanings(address)
    )  # fmt: skip


def is_loopback(address: Address) -> bool:
    """Tell whether an address leads to this machine."""
    return any(one.is_loopback for one in _meanings(address))


def _meanings(address: Address) -> Iterator[Address]:
    """Yield an address, and the IPv4 address that an IPv6 address contains."""
    yield address
    if not isinstance(address, IPv6Address):
        return
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())[1:]]
    translated = any(address in network for network in TRANSLATED) and int(address) > 1
    yield from (one for one in inner if one is not None)
    if translated:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
