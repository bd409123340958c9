"""A clock that tells nanoseconds: passed in, so that a test can bring its own."""

from collections.abc import Callable

__all__ = ["Clock"]

Clock = Callable[[], int]
