"""What the answers of several routes have in common."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from assay.errors import NotFoundError
from assay.records.service import BenchmarkStatus, Page
from assay.server.etag import if_match, not_modified, revision_tag
from assay.server.models.parameters import IfMatch
from assay.server.state import Service

__all__ = [
    "CACHED",
    "OBJECT_ANSWER",
    "Revision",
    "created",
    "find_present",
    "json_answer",
    "listed",
    "tagged",
    "unless_known",
]

T = TypeVar("T")
CACHED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Nothing has changed since the ETag of If-None-Match"}
}
OBJECT_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What the command prints with --json",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


def _revision(request: Request, _header: IfMatch = None) -> int | None:
    return if_match(request)


Revision = Annotated[int | None, Depends(_revision)]
"""The revision that the caller saw, by the header If-Match; None if any will do."""


def find_present(service: Service, benchmark: str) -> BenchmarkStatus:
    """Return a benchmark that is not marked as deleted."""
    status = service.ledger.find(benchmark)
    if status.deleted:
        hint = "an editor can bring it back with undelete"
        raise NotFoundError("the benchmark was deleted", where=status.id, hint=hint)
    return status


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


def json_answer(value: object, *, headers: Mapping[str, str] | None = None) -> Response:
    """Write JSON at full precision, in ASCII: a text may hold half of a character."""
    content = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Response(content, media_type="application/json", headers=headers)
