"""The store of a service, in the database of the ledger."""

import time
from collections.abc import Callable
from pathlib import Path

from assay.workspace.ledger.open_database import open_database
from assay.workspace.store._access import Access
from assay.workspace.store._purge import purge_deleted
from assay.workspace.store.audit import AuditLog
from assay.workspace.store.corpora import Corpora
from assay.workspace.store.datasets import Datasets
from assay.workspace.store.events import EventLog
from assay.workspace.store.judgments import JudgmentLog
from assay.workspace.store.mappings import Mappings
from assay.workspace.store.tokens import Tokens

__all__ = ["ServiceStore", "open_service_store"]


class ServiceStore:
    """What a service keeps; threads share one, and processes open one each.

    Each call is one transaction, with its entry in the audit log. Events are a log of their own,
    and have no entries there.
    """

    def __init__(self, place: str, *, clock: Callable[[], float] = time.time) -> None:
        self._database = open_database(place)
        self._access = Access(self._database, clock)
        self.datasets = Datasets(self._access)
        self.corpora = Corpora(self._access)
        self.mappings = Mappings(self._access)
        self.judgments = JudgmentLog(self._access)
        self.events = EventLog(self._access)
        self.tokens = Tokens(self._access)
        self.audit = AuditLog(self._access)

    def purge(self, before: float, *, author: str) -> int:
        """Remove for good what was deleted before a time; call it until nothing is left (0)."""
        removed = purge_deleted(self._access, before, author=author)
        if removed:
            self._database.give_back()
        return removed

    def close(self) -> None:
        """Let go of the database; it is opened again when it is needed."""
        self._database.close()


def open_service_store(
    place: str | Path, *, clock: Callable[[], float] = time.time
) -> ServiceStore:
    """Open the store in a file, or in PostgreSQL by its URL, and make it if need be.

    ``clock`` tells the time in seconds since 1970 where it is a file; PostgreSQL has its own.
    """
    return ServiceStore(str(place), clock=clock)
