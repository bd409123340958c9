"""The hub: one thread per process that looks at the ledger for all who watch progress."""

import logging
import threading
import time
from asyncio import AbstractEventLoop
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing, suppress

from assay.errors import UnavailableError
from assay.server.progress._updates import ProgressSource, Update, UpdateWriter
from assay.server.progress.channel import Channel, StoreChannel
from assay.server.progress.viewer import GOING_AWAY, Viewer
from assay.server.state import Service
from assay.workspace.changes import Changes

__all__ = ["MOST_VIEWERS", "ProgressHub", "make_hub"]

MOST_VIEWERS = 1_000
_LEAST_GAP_S, _MOST_GAP_S = 0.1, 0.5  # between two looks at the ledger
_MESSAGES_PER_S = 500  # to all viewers of one benchmark: the gap grows with their number
_TICK_S = 0.1  # within which a viewer that joins others is noticed
_SAFETY_S = 2.0  # a look without news: news may get lost
_RETRY_S = 1.0
_RECENT_S = 60.0  # in snapshots: what ended so long ago is shown
_MOST_RECENT_S = 3_600.0
_log = logging.getLogger("assay.server")


def make_hub(service: Service) -> "ProgressHub":
    """Make the hub of a service, which takes its news from the database."""
    return ProgressHub(service.ledger, StoreChannel(service.place.database))


class ProgressHub:
    """Looks at what changed when a channel has news, and hands it to the viewers.

    It looks at most ten times a second, less often the more viewers there are, and not at all
    without viewers. A viewer first gets a snapshot, and from then on each state in the order in
    which the hub saw it.
    """

    def __init__(
        self, source: ProgressSource, channel: Channel, *, most: int = MOST_VIEWERS
    ) -> None:
        self._source = source
        self._channel = channel
        self._most = most
        self._viewers: list[Viewer] = []
        self._lock = threading.Lock()
        self._joined = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def join(self, ids: Collection[str] = (), *, after: int = 0) -> Viewer:
        """Add a viewer of some benchmarks, or of all; UnavailableError if there are too many.

        Its snapshot shows also what ended in the last minute, and since version ``after`` (at most
        an hour). Call it, and take from the viewer, in the event loop.
        """
        viewer = Viewer(ids, _ended_within(after))
        with self._lock:
            if self._stopped.is_set():
                raise UnavailableError("the service is stopping", hint="try again later")
            if len(self._viewers) >= self._most:
                hint = "try again in a few seconds"
                raise UnavailableError("too many viewers of progress", hint=hint)
            self._viewers.append(viewer)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="progress", daemon=True)
                self._thread.start()
        self._joined.set()
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        with self._lock, suppress(ValueError):
            self._viewers.remove(viewer)

    def stop(self) -> None:
        """Close all viewers (1001) and end the thread; the hub takes no others."""
        with self._lock:
            self._stopped.set()
            viewers, self._viewers = self._viewers, []
        self._joined.set()
        for viewer in viewers:
            with suppress(RuntimeError):  # its event loop has ended before
                viewer.loop.call_soon_threadsafe(viewer.close, GOING_AWAY)
        if self._thread is not None:
            self._thread.join(timeout=_RETRY_S)

    def _work(self) -> None:
        while self._await_viewers():
            writer = UpdateWriter(self._source)  # nobody has a snapshot
            while self._viewers and not self._stopped.is_set():
                try:
                    with closing(self._channel.subscribe()) as news:
                        self._watch(news, writer)
                except Exception as error:  # noqa: BLE001 - the database may come back
                    _log.warning("progress cannot be read, trying again: %s", error)
                    self._stopped.wait(_RETRY_S)

    def _await_viewers(self) -> bool:
        """Wait until there are viewers; False at the end."""
        while True:
            self._joined.clear()
            if self._stopped.is_set():
                return False
            if self._viewers:
                return True
            self._joined.wait()

    def _watch(self, news: Changes, writer: UpdateWriter) -> None:
        """Look whenever there is news, as long as there are viewers."""
        changed = True
        while self._viewers and not self._stopped.is_set():
            now = time.monotonic()
            if not changed:
                changed = news.wait(max(min(_TICK_S, writer.next_at - now), 0))
                changed = changed or self._is_time(writer)
            elif (left := self._next_look(writer) - now) > 0:
                self._stopped.wait(left)
            else:
                changed = False
                with self._lock:
                    viewers = tuple(self._viewers)
                _deliver(writer.look(viewers, now, time.time()))

    def _next_look(self, writer: UpdateWriter) -> float:
        """Tell when to look again at the earliest; one that found nothing new was cheap."""
        gap = min(len(self._viewers) / _MESSAGES_PER_S, _MOST_GAP_S)
        return max(writer.read_at + _LEAST_GAP_S, writer.changed_at + gap)

    def _is_time(self, writer: UpdateWriter) -> bool:
        now = time.monotonic()
        if now >= writer.next_at or now - writer.read_at >= _SAFETY_S:
            return True
        with self._lock:
            return any(not viewer.has_snapshot for viewer in self._viewers)


def _ended_within(after: int) -> float:
    """Tell how far back a snapshot goes; in steps, so that many viewers share one."""
    missed = time.time() - after / 1000 + _RECENT_S if after else _RECENT_S
    back = _RECENT_S
    while back < min(missed, _MOST_RECENT_S):
        back *= 2
    return min(back, _MOST_RECENT_S)


def _deliver(updates: Iterable[Update]) -> None:
    by_loop: defaultdict[AbstractEventLoop, list[Update]] = defaultdict(list)
    for update in updates:
        by_loop[update.viewer.loop].append(update)
    for loop, some in by_loop.items():
        with suppress(RuntimeError):  # the event loop has ended, and its viewers with it
            loop.call_soon_threadsafe(_put_all, some)


def _put_all(updates: Iterable[Update]) -> None:
    for viewer, benchmark, message in updates:
        viewer.put(message, benchmark)
