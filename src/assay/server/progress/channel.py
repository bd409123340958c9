"""How processes of the service learn that progress was made: the publish/subscribe seam.

A channel carries only the news that something changed; what changed is read from the ledger. News
may therefore be lost, repeated or out of order: the hub also looks every two seconds without any.
Another channel, such as one of a message broker, has the same two methods and nothing else changes.
"""

from collections.abc import Collection
from typing import Protocol

from assay.workspace.changes import Changes, open_changes

__all__ = ["Channel", "StoreChannel"]


class Channel(Protocol):
    """Where workers publish that they made progress, and each process of the service hears it."""

    def publish(self, ids: Collection[str]) -> None:
        """Tell all subscribers that these benchmarks changed; empty: it is not known which."""
        ...

    def subscribe(self) -> Changes:
        """Begin to listen; for one thread."""
        ...


class StoreChannel:
    """A channel that needs nothing but the database: each commit of a writer is news."""

    def __init__(self, database: str) -> None:
        self._database = database

    def publish(self, ids: Collection[str]) -> None:
        """Do nothing: whoever recorded progress has published it with the commit."""

    def subscribe(self) -> Changes:
        """Listen on a connection of its own."""
        return open_changes(self._database)
