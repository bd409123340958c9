"""Turns of computations: some run, some wait, and whoever comes after them is turned away."""

import threading

__all__ = ["Turns"]


class Turns:
    """Places for computations, and a queue of limited length in front of them.

    Whoever waits here blocks a thread of the service. Without a limit, requests that wait would
    take the threads that all other requests need.
    """

    def __init__(self, *, places: int, waiting: int) -> None:
        self._places = threading.Semaphore(places)
        self._entries = threading.Semaphore(places + waiting)

    def take(self, wait_s: float) -> bool:
        """Take a place; False if none becomes free in time, and at once if the queue is full."""
        if not self._entries.acquire(blocking=False):
            return False
        if self._places.acquire(timeout=wait_s):
            return True
        self._entries.release()
        return False

    def give_back(self) -> None:
        """Free a place that was taken."""
        self._places.release()
        self._entries.release()
