"""Progress for one viewer: over a WebSocket, or as the answer to a request that may wait."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

from anyio import create_task_group
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from assay.errors import AssayError, UnavailableError
from assay.server.progress.hub import ProgressHub
from assay.server.progress.messages import Message
from assay.server.progress.viewer import OVERLOADED, Viewer

__all__ = ["REVOKED", "follow", "look"]

REVOKED = 4401
NOT_FOR_IT = 1008
RECHECK_S = 30.0
FIRST_S = 5.0  # in which the snapshot comes, unless the database cannot be read
_STUCK_S = 60.0  # a viewer that takes nothing for so long is gone
_MOST_RECEIVED = 1_000  # whatever a viewer sends is ignored, but not for ever


async def follow(
    websocket: WebSocket,
    hub: ProgressHub,
    ids: Collection[str],
    *,
    after: int = 0,
    allowed: Callable[[], bool] = lambda: True,
) -> None:
    """Accept a WebSocket and send progress until one side ends it.

    ``allowed`` is asked now and then, in a thread: False closes the connection with 4401.
    """
    await websocket.accept()
    try:
        viewer = hub.join(ids, after=after)
    except UnavailableError as error:
        await websocket.close(OVERLOADED, str(error.problem))
        return
    try:
        code = await _first_of(
            lambda: _send(websocket, viewer),
            lambda: _listen(websocket),
            lambda: _recheck(allowed),
        )
    finally:
        hub.leave(viewer)
    if code:
        with suppress(WebSocketDisconnect, RuntimeError):  # it was gone before it could be told
            await websocket.close(code)


async def look(
    hub: ProgressHub, ids: Collection[str], *, tag: str = "", wait_s: float = 0.0
) -> Message:
    """Return a snapshot; while it is still the one of ``tag``, wait for another one.

    UnavailableError if there is none, since progress cannot be read or the service stops.
    """
    until = asyncio.get_running_loop().time() + wait_s
    while True:
        viewer = hub.join(ids)
        try:
            messages = await _first(viewer)
            if not messages:
                raise UnavailableError("the service is stopping", hint="try again")
            if messages[0].tag != tag or not await _changes(viewer, until):
                return messages[0]
        finally:
            hub.leave(viewer)


async def _first(viewer: Viewer) -> list[Message]:
    """Wait for the snapshot; UnavailableError if it does not come."""
    try:
        async with asyncio.timeout(FIRST_S):
            return await viewer.take()
    except TimeoutError:
        problem = "the progress cannot be read at the moment"
        raise UnavailableError(problem, hint="try again") from None


async def _changes(viewer: Viewer, until: float) -> bool:
    """Wait for anything new; False if nothing came in time, or the service stops."""
    try:
        async with asyncio.timeout_at(until):
            return bool(await viewer.take())
    except TimeoutError:
        return False


async def _first_of(*parts: Callable[[], Awaitable[int]]) -> int:
    """Return what the first one returns, and end the others."""
    codes = []

    async def run(part: Callable[[], Awaitable[int]]) -> None:
        codes.append(await part())
        group.cancel_scope.cancel()

    async with create_task_group() as group:
        for part in parts:
            group.start_soon(run, part)
    return max(codes)


async def _send(websocket: WebSocket, viewer: Viewer) -> int:
    """Send messages until the viewer is closed or gone, and return the code to close with."""
    try:
        messages = await _first(viewer)
    except UnavailableError:
        return OVERLOADED
    while messages:
        try:
            async with asyncio.timeout(_STUCK_S):
                for message in messages:
                    await websocket.send_text(message.text)
        except (TimeoutError, WebSocketDisconnect):
            return 0  # it has gone, or takes nothing
        messages = await viewer.take()
    return viewer.code


async def _listen(websocket: WebSocket) -> int:
    """Return when the viewer has gone."""
    for _ in range(_MOST_RECEIVED):
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return 0
    return NOT_FOR_IT


async def _recheck(allowed: Callable[[], bool]) -> int:
    while True:
        await asyncio.sleep(RECHECK_S)
        with suppress(AssayError):  # the database cannot be read: there is no progress either
            if not await run_in_threadpool(allowed):
                return REVOKED
