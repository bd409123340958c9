"""Handlers that compute take turns, so that all others stay quick."""

from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import UnavailableError
from assay.server.state import Service

__all__ = ["computing"]

WAIT_S = 20.0


@contextmanager
def computing(service: Service) -> Iterator[None]:
    """Hold a place among those that compute; UnavailableError if there is none.

    It is raised at once if too many wait already, else when no place has become free in time.
    """
    if not service.heavy.take(WAIT_S):
        raise UnavailableError("the service is busy with other requests", hint="try again")
    try:
        yield
    finally:
        service.heavy.give_back()
