"""The state of benchmarks -> messages for viewers, without a thread or a clock of its own."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple, Protocol

from assay.records.service import BenchmarkProgress
from assay.server.progress._throttle import Throttle
from assay.server.progress.messages import (
    Message,
    encode_ping,
    encode_progress,
    encode_snapshot,
)
from assay.server.progress.viewer import Viewer

__all__ = ["ProgressSource", "Update", "UpdateWriter"]

SILENCE_S = 20.0  # after which a connection gets a sign of life
LOOK_BACK_S = 5.0  # beyond the last look: clocks and transactions overlap
_PING = "ping"  # no id of a benchmark is that short


class ProgressSource(Protocol):
    """Where the state of benchmarks is read from; the ledger is one."""

    def progress(self, ids: Collection[str] | None) -> dict[str, BenchmarkProgress]:
        """Return the state of these benchmarks and jobs, or (None) of all that have not ended."""
        ...

    def ended_within(self, seconds: float) -> Collection[str]:
        """Return the ids of those that ended in the last seconds, by the clock of the ledger."""
        ...


class Update(NamedTuple):
    """A message for a viewer; it replaces one of the same benchmark that was not taken yet."""

    viewer: Viewer
    benchmark: str
    message: Message


class UpdateWriter:
    """Reads the ledger, and makes the messages with what is new to each viewer.

    ``read_at`` is when it did last, ``changed_at`` when there was something new.
    """

    def __init__(self, source: ProgressSource) -> None:
        self._source = source
        self._throttle = Throttle()
        self._version = 0
        self.read_at = self.changed_at = -inf

    @property
    def next_at(self) -> float:
        """When a change is due that was held back."""
        return self._throttle.next_at

    def look(self, viewers: Sequence[Viewer], now: float, at: float) -> list[Update]:
        """Read the state once for all viewers; ``at`` is the time of day."""
        back = LOOK_BACK_S + (now - self.read_at if self.read_at > -inf else 0)
        found = self._read(self._throttle.open_ids.union(*(each.ids for each in viewers)), back)
        version = max(self._version + 1, int(at * 1000))
        served = [each for each in viewers if each.has_snapshot]
        updates = list(self._snapshots(viewers, found, version, at))  # before due: it may fail
        due = self._throttle.due(found, now)
        for benchmark in due:
            message = encode_progress(version, at, benchmark)
            wanted = [each for each in served if each.wants(benchmark.id)]
            updates += [Update(each, benchmark.id, message) for each in wanted]
        addressed = {update.viewer for update in updates}
        for viewer in addressed:
            viewer.has_snapshot, viewer.sent_at = True, now
        updates += _pings(served, version, now, at)
        self.read_at, self._version = now, version
        self.changed_at = now if due else self.changed_at
        return updates

    def _read(self, ids: Collection[str], back_s: float) -> dict[str, BenchmarkProgress]:
        """Return the state of all that run, of these ids, and of those that ended of late."""
        ended = self._source.ended_within(back_s)  # first: what ends after it is still open below
        found = self._source.progress(None)
        missing = {*ids, *ended} - found.keys()
        return found | self._source.progress(missing) if missing else found

    def _snapshots(
        self,
        viewers: Iterable[Viewer],
        found: dict[str, BenchmarkProgress],
        version: int,
        at: float,
    ) -> Iterator[Update]:
        """Write the first message of new viewers; those who want the same share it."""
        alike: defaultdict[tuple[frozenset[str], float], list[Viewer]] = defaultdict(list)
        for viewer in viewers:
            if not viewer.has_snapshot:
                alike[viewer.ids, 0 if viewer.ids else viewer.ended_within_s].append(viewer)
        for (ids, back_s), some in alike.items():
            known = [found[id_] for id_ in ids if id_ in found]
            states = known if ids else self._read((), back_s).values()
            message = encode_snapshot(version, at, states)
            yield from (Update(viewer, "", message) for viewer in some)


def _pings(viewers: Iterable[Viewer], version: int, now: float, at: float) -> list[Update]:
    silent = [each for each in viewers if now - each.sent_at >= SILENCE_S]
    message = encode_ping(version, at)
    for viewer in silent:
        viewer.sent_at = now
    return [Update(viewer, _PING, message) for viewer in silent]
