"""What the answers of several routes have in common."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from assay.records.service import Page
from assay.server.etag import if_match, not_modified, revision_tag
from assay.server.models.parameters import IfMatch

__all__ = [
    "CACHED",
    "Revision",
    "created",
    "json_answer",
    "listed",
    "tagged",
    "unless_known",
]

T = TypeVar("T")
CACHED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Nothing has changed since the ETag of If-None-Match"}
}


def _revision(request: Request, _header: IfMatch = None) -> int | None:
    return if_match(request)


Revision = Annotated[int | None, Depends(_revision)]
"""The revision that the caller saw, by the header If-Match; None if any will do."""


def listed(page: Page[T], show: Callable[[T], Mapping[str, Any]]) -> dict[str, Any]:
    """Write a page of a list."""
    return {"items": [show(one) for one in page.items], "next": page.next or None}


def tagged(response: Response, revision: int) -> None:
    """Name the revision of the item that is answered."""
    response.headers["ETag"] = revision_tag(revision)


def created(response: Response, place: str, revision: int | None = None) -> None:
    """Say where the item is that was created."""
    response.headers["Location"] = place
    if revision is not None:
        tagged(response, revision)


def unless_known(request: Request, response: Response, revision: int) -> Response | None:
    """Return the answer 304 if the caller has this revision already; else name it."""
    tagged(response, revision)
    return not_modified(request, revision_tag(revision))


def json_answer(value: Any, status: int = 200) -> Response:  # noqa: ANN401
    """Write JSON in ASCII: a stored text may hold half of a character, which UTF-8 cannot."""
    content = json.dumps(value, separators=(",", ":"))
    return Response(content, status_code=status, media_type="application/json")
