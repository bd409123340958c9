"""Live progress of benchmarks and jobs: a WebSocket, and a request that may wait."""

from time import time
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.requests import HTTPConnection
from starlette.responses import Response

from assay.errors import NotFoundError
from assay.server.etag import not_modified
from assay.server.models.parameters import Here
from assay.server.models.progress_items import PingMessage, ProgressMessage, ProgressSnapshot
from assay.server.progress.hub import ProgressHub
from assay.server.progress.subscribe import follow, look
from assay.server.security.access import Person, Viewer, person_of
from assay.server.state import Service

__all__ = ["router"]

MOST_WAIT_S = 25
router = APIRouter(prefix="/api/v1/progress", tags=["progress"])

_Id = Annotated[str, Query(min_length=1, max_length=64)]
_Ids = Annotated[
    list[_Id],
    Query(
        default_factory=list,
        max_length=100,
        description="Ids of benchmarks and jobs; none for all that run.",
    ),
]
_Wait = Annotated[
    float,
    Query(
        ge=0,
        le=MOST_WAIT_S,
        description="Seconds to wait for another state than the one of If-None-Match.",
    ),
]
_After = Annotated[
    int, Query(ge=0, le=2**53, description="The last version that was seen, to reconnect.")
]
_PLACE = "#/components/schemas/{model}"
_DESCRIPTION = """
Returns the state of the named benchmarks and jobs, or of all that run and those that ended in the
last minute. Send the ETag back as `If-None-Match`: the answer is 304 while nothing changes, and
comes only after `wait` seconds or with the next change.

The same path is a **WebSocket**, with the parameters `benchmark` and `after`. It first sends a
`ProgressSnapshot`, then a `ProgressMessage` for each change (at most one per benchmark in 500 ms
or 5 queries), and a `PingMessage` after 20 s of silence (`x-websocket-messages`). Each message
has the whole state of what it is about, so it replaces earlier ones. To reconnect without a gap,
pass the last `version` as `after`: the snapshot then also has what ended since (at most an hour).
The connection is closed with 4401 when the token is revoked or expires, 1001 when the service
stops, and 1013 when there are too many viewers or the database cannot be read.
"""
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": ProgressSnapshot},
    304: {"description": "Nothing has changed since the ETag of If-None-Match"},
}
_MESSAGES = [  # what they refer to is described with the snapshot
    {
        key: value
        for key, value in each.model_json_schema(ref_template=_PLACE).items()
        if key[0] != "$"
    }
    for each in (ProgressMessage, PingMessage)
]


@router.get(
    "",
    summary="Get the progress of benchmarks and jobs",
    description=_DESCRIPTION,
    responses=_RESPONSES,
    openapi_extra={"x-websocket-messages": _MESSAGES},
    response_class=Response,
)
async def get_progress(
    request: Request,
    person: Viewer,
    benchmark: _Ids,
    wait: _Wait = 0,
) -> Response:
    """Answer with a snapshot, or 304."""
    known = request.headers.get("if-none-match", "").strip()
    tag = known.removeprefix("W/").strip('"')
    message = await look(_hub(request), benchmark, tag=tag, wait_s=wait if tag else 0)
    etag = f'"{message.tag}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    found = Response(message.text, headers=headers, media_type="application/json")
    return not_modified(request, etag) or found


@router.websocket("")
async def follow_progress(
    websocket: WebSocket,
    service: Here,
    benchmark: _Ids,
    after: _After = 0,
) -> None:
    """Send progress as long as the token is valid."""
    person = person_of(websocket)
    await follow(
        websocket,
        _hub(websocket),
        benchmark,
        after=after,
        allowed=lambda: _is_still_valid(service, person),
    )


def _hub(connection: HTTPConnection) -> ProgressHub:
    return cast("ProgressHub", connection.app.state.progress)


def _is_still_valid(service: Service, person: Person) -> bool:
    """Ask the store for the token of a person; it takes a moment, so call it in a thread."""
    try:
        entry = service.store.tokens.get(person.token)
    except NotFoundError:
        return False
    return entry.revoked is None and (entry.expires is None or entry.expires > time())
