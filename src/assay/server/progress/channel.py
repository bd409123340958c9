"""How processes of the service learn that progress was made.

A channel carries only the news that something changed; what changed is read from the ledger, so
that news may be lost, repeated or out of order and do no harm. `StoreChannel` takes the news from
the database itself. A channel of a message broker puts its own publish and subscription here, with
ids as messages, and nothing else changes.
"""

from collections.abc import Callable, Collection
from typing import Protocol

from assay.records.service import BenchmarkProgress
from assay.workspace.changes import Changes

__all__ = ["Channel", "ProgressSource", "StoreChannel", "Subscription"]


class ProgressSource(Protocol):
    """Where the state of benchmarks is read from; the ledger is one."""

    def progress(self, ids: Collection[str] | None) -> dict[str, BenchmarkProgress]:
        """Return the state of these benchmarks and jobs, or (None) of all that have not ended."""
        ...

    def ended_within(self, seconds: float) -> Collection[str]:
        """Return the ids of those that ended in the last seconds, by the clock of the ledger."""
        ...


class Subscription(Protocol):
    """The news of a channel since the last look; for one thread."""

    def wait(self, timeout_s: float) -> bool:
        """Wait for news; False if none came in time. News before the call counts."""
        ...

    def states(
        self, ids: Collection[str], *, ended_within_s: float
    ) -> dict[str, BenchmarkProgress]:
        """Return the state of all that run, of these ids, and of those that ended of late."""
        ...

    def close(self) -> None:
        """End the subscription."""
        ...


class Channel(Protocol):
    """Where workers publish that they made progress, and each process of the service hears it."""

    def publish(self, ids: Collection[str]) -> None:
        """Tell all subscriptions that these benchmarks changed; empty: it is not known which."""
        ...

    def subscribe(self) -> Subscription:
        """Begin to listen."""
        ...


class StoreChannel:
    """A channel that needs nothing but the database: each change of it is news."""

    def __init__(self, source: ProgressSource, listen: Callable[[], Changes]) -> None:
        self._source = source
        self._listen = listen

    def publish(self, ids: Collection[str]) -> None:
        """Do nothing: whoever records rows changes the database, and that is the news."""

    def subscribe(self) -> Subscription:
        """Listen on a connection of its own."""
        return _StoreSubscription(self._source, self._listen())


class _StoreSubscription:
    def __init__(self, source: ProgressSource, changes: Changes) -> None:
        self._source = source
        self._changes = changes

    def wait(self, timeout_s: float) -> bool:
        return self._changes.wait(timeout_s)

    def states(
        self, ids: Collection[str], *, ended_within_s: float
    ) -> dict[str, BenchmarkProgress]:
        ended = self._source.ended_within(ended_within_s)  # first: what ends after it still runs
        found = self._source.progress(None)
        if missing := {*ids, *ended} - found.keys():
            found |= self._source.progress(missing)
        return found

    def close(self) -> None:
        self._changes.close()
