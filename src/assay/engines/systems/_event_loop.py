"""One event loop for all async functions of this process: clients and pools belong to a loop."""

import asyncio
import atexit
import threading
import time
from collections.abc import Awaitable
from concurrent.futures import Future, wait
from typing import Any

__all__ = ["EventLoop", "NotInTimeError", "event_loop", "result_of"]

LOOK_S = 1.0  # between two looks whether an interrupt has come
END_S = 5.0  # for which tasks may clean up at the end of the process
Outcome = tuple[Any, BaseException | None]


class EventLoop:
    """A loop that runs in a thread of its own, from its first use to the end of the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def submit(self, awaitable: Awaitable[Any]) -> "Future[Outcome]":
        """Begin to await; what is raised is part of the outcome, so that nothing ends the loop."""
        return asyncio.run_coroutine_threadsafe(_outcome(awaitable), self._started())

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                began: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
                thread = threading.Thread(target=asyncio.run, args=(_main(began),), daemon=True)
                thread.start()
                self._loop, ended = began.result()
                atexit.register(_end, self._loop, ended, thread)
            return self._loop


def result_of(future: "Future[Outcome]", timeout_s: float | None) -> Any:  # noqa: ANN401
    """Wait for an outcome, and return or raise it; a wait that ends early cancels the task.

    Raises ``NotInTimeError`` after ``timeout_s``, which no function can raise itself.
    """
    ends = None if timeout_s is None else time.monotonic() + timeout_s
    try:
        while not future.done():
            left = LOOK_S if ends is None else min(LOOK_S, ends - time.monotonic())
            if left <= 0:
                raise NotInTimeError
            wait([future], timeout=left)
    finally:
        future.cancel()
    value, error = future.result()
    if error is not None:
        raise error
    return value


class NotInTimeError(Exception):
    """An async function did not return in time."""


async def _main(began: "Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]") -> None:
    ended = asyncio.Event()
    began.set_result((asyncio.get_running_loop(), ended))
    await ended.wait()


async def _outcome(awaitable: Awaitable[Any]) -> Outcome:
    try:
        return await awaitable, None
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - also SystemExit, which would end the loop
        return None, error


def _end(loop: asyncio.AbstractEventLoop, ended: asyncio.Event, thread: threading.Thread) -> None:
    """Let ``asyncio.run`` cancel what is left and close the loop."""
    loop.call_soon_threadsafe(ended.set)
    thread.join(END_S)


event_loop = EventLoop()
