"""The hub: one thread per process that looks at the ledger for all who watch progress."""

import logging
import threading
import time
from asyncio import AbstractEventLoop
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing, suppress
from math import inf
from typing import NamedTuple
from weakref import WeakKeyDictionary

from assay.errors import UnavailableError
from assay.records.service import BenchmarkProgress
from assay.server.progress._throttle import Throttle
from assay.server.progress.channel import Channel, StoreChannel, Subscription
from assay.server.progress.messages import (
    Message,
    encode_ping,
    encode_progress,
    encode_snapshot,
)
from assay.server.progress.viewer import GOING_AWAY, Viewer
from assay.server.state import Service
from assay.workspace.changes import open_changes

__all__ = ["MOST_VIEWERS", "ProgressHub", "progress_hub"]

MOST_VIEWERS = 1_000
_GAPS_S = (0.1, 0.5)  # between two looks at the ledger
_MESSAGES_PER_S = 800  # to all viewers of one benchmark: the gap grows with their number
_TICK_S = 0.1  # within which a viewer that joins others is noticed
_SAFETY_S = 2.0  # a look without news: news may get lost
_RETRY_S = 1.0
_SILENCE_S = 20.0
_LOOK_BACK_S = 5.0  # beyond the last look: clocks and transactions overlap
_RECENT_S = 60.0  # in snapshots: what ended so long ago is shown
_MOST_RECENT_S = 3_600.0
_PING = "ping"  # no id of a benchmark is that short

_log = logging.getLogger("assay.server")
_hubs: "WeakKeyDictionary[Service, ProgressHub]" = WeakKeyDictionary()
_making = threading.Lock()


class _Letter(NamedTuple):
    viewer: Viewer
    benchmark: str
    message: Message


def progress_hub(service: Service) -> "ProgressHub":
    """Return the hub of a service, always the same; whoever ends the service stops it."""
    with _making:
        if service not in _hubs:
            database = service.place.database
            channel = StoreChannel(service.ledger, lambda: open_changes(database))
            _hubs[service] = ProgressHub(channel)
        return _hubs[service]


class ProgressHub:
    """Looks at what changed when a channel has news, and hands it to the viewers.

    It looks at most ten times a second, less often the more viewers there are, and not at all
    without viewers. A viewer first gets a snapshot, and from then on each state in the order in
    which the hub saw it.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        most: int = MOST_VIEWERS,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._channel = channel
        self._most = most
        self._clock = clock
        self._wall = wall
        self._viewers: list[Viewer] = []
        self._lock = threading.Lock()
        self._joined = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._throttle = Throttle()
        self._looked = -inf
        self._version = 0

    def join(self, ids: Collection[str] = (), *, after: int = 0) -> Viewer:
        """Add a viewer of some benchmarks, or of all; UnavailableError if there are too many.

        Its snapshot shows also what ended in the last minute, and since version ``after`` (at most
        an hour). Call it, and take from the viewer, in the event loop.
        """
        viewer = Viewer(ids, self._ended_within(after))
        with self._lock:
            if self._stopped.is_set() or len(self._viewers) >= self._most:
                hint = "try again in a few seconds, or ask for GET /api/v1/progress now and then"
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

    def _ended_within(self, after: int) -> float:
        """Tell how far back a snapshot goes; in steps, so that many viewers share one."""
        missed = self._wall() - after / 1000 + _RECENT_S if after else _RECENT_S
        back = _RECENT_S
        while back < min(missed, _MOST_RECENT_S):
            back *= 2
        return min(back, _MOST_RECENT_S)

    def _work(self) -> None:
        while self._await_viewers():
            try:
                with closing(self._channel.subscribe()) as news:
                    self._watch(news)
            except Exception as error:  # noqa: BLE001 - the database may come back
                _log.warning("progress cannot be read, trying again: %s", error)
                self._stopped.wait(_RETRY_S)

    def _await_viewers(self) -> bool:
        """Wait until there are viewers; False at the end."""
        while not self._stopped.is_set():
            self._joined.clear()
            if self._viewers:
                return True
            self._throttle, self._looked = Throttle(), -inf  # nobody was told anything
            self._joined.wait()
        return False

    def _watch(self, news: Subscription) -> None:
        """Look whenever there is news, as long as there are viewers."""
        changed = True
        while self._viewers and not self._stopped.is_set():
            left = self._looked + self._gap() - self._clock()
            if not changed:
                changed = news.wait(max(min(_TICK_S, self._throttle.next_at - self._clock()), 0))
                changed = changed or self._is_time()
            elif left > 0:
                self._stopped.wait(left)
            else:
                changed = False
                self._look(news)

    def _gap(self) -> float:
        least, most = _GAPS_S
        return min(max(least, len(self._viewers) / _MESSAGES_PER_S), most)

    def _is_time(self) -> bool:
        now = self._clock()
        if now >= self._throttle.next_at or now - self._looked >= _SAFETY_S:
            return True
        return any(not viewer.greeted for viewer in self._viewers)

    def _look(self, news: Subscription) -> None:
        now = self._clock()
        with self._lock:
            viewers = tuple(self._viewers)
        ids = self._throttle.open_ids.union(*(viewer.ids for viewer in viewers))
        back = _LOOK_BACK_S + (now - self._looked if self._looked > -inf else 0)
        found = news.states(ids, ended_within_s=back)
        at = self._wall()
        self._version = max(self._version + 1, int(at * 1000))
        told = [viewer for viewer in viewers if viewer.greeted]
        letters = self._news(told, self._throttle.due(found, now), at)
        letters += self._snapshots([each for each in viewers if not each.greeted], found, news, at)
        silent = {each.viewer for each in letters}
        letters += self._pings([each for each in told if each not in silent], now, at)
        _deliver(letters, now)
        self._looked = now

    def _news(
        self, viewers: Sequence[Viewer], changed: Iterable[BenchmarkProgress], at: float
    ) -> list[_Letter]:
        letters = []
        for benchmark in changed:
            message = encode_progress(self._version, at, benchmark)
            id_ = benchmark.id
            letters += [_Letter(each, id_, message) for each in viewers if each.wants(id_)]
        return letters

    def _snapshots(
        self,
        viewers: Sequence[Viewer],
        found: dict[str, BenchmarkProgress],
        news: Subscription,
        at: float,
    ) -> list[_Letter]:
        """Make the first message of new viewers; those who want the same share it."""
        alike: defaultdict[tuple[frozenset[str], float], list[Viewer]] = defaultdict(list)
        for viewer in viewers:
            alike[viewer.ids, 0 if viewer.ids else viewer.ended_within_s].append(viewer)
        letters = []
        for (ids, back), some in alike.items():
            wanted = [found[id_] for id_ in ids if id_ in found]
            states = wanted if ids else news.states((), ended_within_s=back).values()
            message = encode_snapshot(self._version, at, states)
            letters += [_Letter(viewer, "", message) for viewer in some]
        return letters

    def _pings(self, viewers: Sequence[Viewer], now: float, at: float) -> list[_Letter]:
        silent = [viewer for viewer in viewers if now - viewer.told_at >= _SILENCE_S]
        if not silent:
            return []
        message = encode_ping(self._version, at)
        return [_Letter(viewer, _PING, message) for viewer in silent]


def _deliver(letters: Sequence[_Letter], now: float) -> None:
    by_loop: defaultdict[AbstractEventLoop, list[_Letter]] = defaultdict(list)
    for letter in letters:
        letter.viewer.greeted = True
        letter.viewer.told_at = now
        by_loop[letter.viewer.loop].append(letter)
    for loop, some in by_loop.items():
        with suppress(RuntimeError):  # the event loop has ended, and its viewers with it
            loop.call_soon_threadsafe(_put_all, some)


def _put_all(letters: Iterable[_Letter]) -> None:
    for viewer, benchmark, message in letters:
        viewer.put(message, benchmark)
