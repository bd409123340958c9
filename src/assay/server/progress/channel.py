"""How processes of the service learn that progress was made: the publish/subscribe seam.

Whoever records progress publishes it with the commit (`Database.writing` in the ledger): SQLite
counts its commits, PostgreSQL notifies. A message broker would be told at the same place, and be
listened to by another channel here. A channel carries only the news that something has changed;
what has changed is read from the ledger. News may therefore be lost, repeated or out of order: the
hub also looks every two seconds without any.
"""

from typing import Protocol

from assay.workspace.changes import Changes, open_changes

__all__ = ["Channel", "StoreChannel"]


class Channel(Protocol):
    """Where each process of the service hears that the ledger has changed."""

    def subscribe(self) -> Changes:
        """Begin to listen; for one thread."""
        ...


class StoreChannel:
    """A channel that needs nothing but the database: each commit of a writer is news."""

    def __init__(self, database: str) -> None:
        self._database = database

    def subscribe(self) -> Changes:
        """Listen on a connection of its own."""
        return open_changes(self._database)
