"""What a function prints must not stand between our own lines: it goes to the errors' stream."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

__all__ = ["out_of_the_way"]

_lock = threading.Lock()
_inside = 0
_outside: TextIO | None = None


@contextmanager
def out_of_the_way() -> Iterator[None]:
    """Send what is printed to stderr; the last of several threads puts the stream back."""
    global _inside, _outside
    with _lock:
        if _inside == 0:
            _outside, sys.stdout = sys.stdout, sys.stderr
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0 and _outside is not None:
                sys.stdout, _outside = _outside, None
