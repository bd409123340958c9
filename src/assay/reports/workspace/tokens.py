"""Access tokens of a service -> a table and JSON; no secret is in either."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from assay.records import Cell, Table
from assay.records.service import TokenEntry

__all__ = ["describe_expiry", "tokens_json", "tokens_table"]

TITLES = ("id", "name", "role", "created", "last used", "expires")


def tokens_table(tokens: Sequence[TokenEntry], *, now: float) -> Table:
    """Give each token a row; days are those of this machine's time zone."""
    rows: list[list[Cell]] = [
        [
            one.id,
            one.name,
            one.role,
            _day(one.created),
            "never" if one.last_used is None else _day(one.last_used),
            _expires(one, now=now),
        ]
        for one in tokens
    ]
    return Table(TITLES, rows, names=frozenset(range(len(TITLES))))


def tokens_json(tokens: Sequence[TokenEntry]) -> dict[str, Any]:
    """Return what `assay token list --json` prints."""
    return {"tokens": [asdict(one) for one in tokens]}


def describe_expiry(token: TokenEntry, *, now: float) -> str:
    """Say until when a token is valid, or since when it is not."""
    if token.revoked is not None:
        return f"revoked {_shown(token.revoked)}"
    if token.expires is None:
        return "until revoked"
    return f"{'until' if token.expires > now else 'expired'} {_shown(token.expires)}"


def _expires(token: TokenEntry, *, now: float) -> str:
    """Say when a token expires, or that it is not valid any more; short enough for a column."""
    if token.revoked is not None:
        return f"revoked {_day(token.revoked)}"
    if token.expires is None:
        return "never"
    return f"{'expired ' if token.expires <= now else ''}{_day(token.expires)}"


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def _shown(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
