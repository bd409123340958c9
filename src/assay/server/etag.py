"""Entity tags: a revision that a caller saw, and content that a caller has already."""

import re
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from assay.errors import StaleError

__all__ = ["etag_of", "if_match", "not_modified", "revision_tag"]

REVISION = re.compile(r'"r(0|[1-9][0-9]{0,17})(?:-[0-9a-f]{16})?"')
TAG = re.compile(r'(?:W/)?("[^"\x00-\x20\x7f]*")')
LONGEST = 4_096  # characters of a header with tags


def etag_of(*parts: object) -> str:
    """Name content by what it depends on; a change of any part changes the tag.

    >>> etag_of("a", 1) == etag_of("a", 1), etag_of("ab", "c") == etag_of("a", "bc")
    (True, False)
    """
    data = repr(tuple(map(str, parts))).encode("utf-8", "backslashreplace")
    return f'"{sha256(data).hexdigest()[:32]}"'


def revision_tag(revision: int, *state: object) -> str:
    """Return the tag of an entry of the store.

    ``state`` is what an answer shows that changes without a new revision, such as progress. A
    change that is bound to the tag (If-Match) is bound to the revision alone.

    >>> revision_tag(3)
    '"r3"'
    >>> revision_tag(3, "running") == revision_tag(3, "completed")
    False
    """
    beside = f"-{etag_of(*state)[1:17]}" if state else ""
    return f'"r{revision}{beside}"'


def if_match(request: Request) -> int | None:
    """Return the revision that the caller saw; None if any will do.

    A tag that is none of an entry, a weak one or several matches nothing: StaleError (412).
    """
    values = [value.strip() for value in request.headers.getlist("if-match")]
    if not values or values == ["*"]:
        return None
    found = REVISION.fullmatch(values[0]) if len(values) == 1 else None
    if found is None:
        hint = 'use the ETag of the item, such as "r3", or leave the header out'
        raise StaleError("matches no revision", where="header If-Match", hint=hint)
    return int(found[1])


def not_modified(request: Request, etag: str) -> Response | None:
    """Return the answer 304 if the caller has this content already, else None."""
    values = ",".join(request.headers.getlist("if-none-match"))
    tags = TAG.findall(values[:LONGEST])
    if values.strip() != "*" and etag.removeprefix("W/") not in tags:
        return None
    return Response(status_code=304, headers={"ETag": etag})
