"""Hold interrupts back while a lock is taken: it would stay locked for ever."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["hold_interrupts", "is_put_off"]


@dataclass(slots=True)
class _Interrupts:
    """How many have to wait for what, in the main thread, and whether one came since."""

    depth: int = 0
    came: bool = False


_interrupts = _Interrupts()


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Let an interrupt wait until this is over: whoever handles one asks ``is_put_off`` first.

    An interrupt is raised between any two steps of the main thread, also between taking a lock and
    what would release it; who then puts things in order waits for that lock without end. It is for
    short work only.
    """
    if threading.current_thread() is not threading.main_thread():  # no other is interrupted
        yield
        return
    _interrupts.depth += 1
    try:
        yield
    finally:
        _interrupts.depth -= 1
        if _interrupts.came and not _interrupts.depth:
            _interrupts.came = False
            raise KeyboardInterrupt


def is_put_off() -> bool:
    """Tell a handler whether the interrupt has to wait; it is raised as soon as it may."""
    _interrupts.came = _interrupts.depth > 0
    return _interrupts.came
