"""Do several things at a time, and be able to leave at once."""

from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NoReturn, TypeVar

__all__ = ["at_once"]

T = TypeVar("T")
R = TypeVar("R")


def at_once(do: Callable[[T], R], items: Sequence[T], *, most: int) -> Iterator[R]:
    """Yield what ``do`` makes of each item, in the order in which they are ready.

    Whoever stops in the middle, as an interrupt does, waits for none of those under way: the
    threads are daemons, for a pool of Python would be waited for at the end of the process.
    """
    waiting: SimpleQueue[T] = SimpleQueue()
    ready: SimpleQueue[Callable[[], R]] = SimpleQueue()
    for item in items:
        waiting.put(item)
    stopped = Event()
    for _ in range(min(most, len(items))):
        Thread(target=_work, args=(do, waiting, ready, stopped), daemon=True).start()
    try:
        for _ in items:
            yield ready.get()()
    finally:
        stopped.set()


def _work(
    do: Callable[[T], R],
    waiting: "SimpleQueue[T]",
    ready: "SimpleQueue[Callable[[], R]]",
    stopped: Event,
) -> None:
    """Do one after the other; what is raised is raised again where it is waited for."""
    while not stopped.is_set():
        try:
            item = waiting.get_nowait()
        except Empty:
            return
        try:
            done = do(item)
        except BaseException as error:  # noqa: BLE001 - see above
            stopped.set()  # nothing else is begun
            ready.put(_raising(error))
        else:
            ready.put(lambda done=done: done)  # type: ignore[misc]


def _raising(error: BaseException) -> Callable[[], NoReturn]:
    def again() -> NoReturn:
        raise error

    return again
