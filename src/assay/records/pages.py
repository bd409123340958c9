"""Pages of a list: a cursor names the last row of a page, so that new rows shift nothing."""

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from assay.errors import InputError
from assay.records.service import Page
from assay.text.quote import quote_value

__all__ = ["check_limit", "make_page", "read_cursor"]

T = TypeVar("T")
MOST = 1000  # items of a page
_INSIDE = re.compile(r"([a-z_]{1,20}):([0-9]{1,19})")


def check_limit(limit: int) -> int:
    """Return how many rows to ask for: one more than a page has tells whether another follows."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST:
        hint = f"expected a whole number from 1 to {MOST:,}"
        raise InputError(f"invalid value {quote_value(limit, 40)}", where="limit", hint=hint)
    return limit + 1


def read_cursor(cursor: str, kind: str, *, first: int) -> int:
    """Return the number that a cursor of this kind of list holds; ``first`` without a cursor."""
    if not cursor:
        return first
    try:
        data = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
        found = _INSIDE.fullmatch(data.decode("ascii"))
    except (AttributeError, ValueError, binascii.Error):
        found = None
    if found is None or found[1] != kind or int(found[2]) >= 2**63:
        hint = 'use "next" of the previous page of the same list'
        raise InputError("not a cursor of this list", where="cursor", hint=hint)
    return int(found[2])


def make_page(
    rows: Sequence[Any],
    limit: int,
    kind: str,
    make: Callable[[Any], T],
    *,
    at: str = "number",
) -> Page[T]:
    """Make a page of rows, of which there may be one too many; ``at`` is the column of cursors."""
    shown = rows[:limit]
    after = ""
    if len(rows) > limit:
        inside = f"{kind}:{getattr(shown[-1], at)}".encode()
        after = base64.b64encode(inside, altchars=b"-_").decode()
    return Page(tuple(make(row) for row in shown), after)
