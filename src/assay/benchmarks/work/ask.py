"""Run every query as often as needed, and record each reply as soon as it arrives."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NoReturn, Protocol, TypeVar

from assay.errors import AssayError
from assay.records import Query, RecordedAnswer, Track, untracked
from assay.text import conceal, sanitize

__all__ = [
    "CPU",
    "HOPELESS",
    "NOT_ASKED",
    "STUDIED",
    "TOTAL",
    "WAITS",
    "WARM_UP",
    "Ask",
    "Reply",
    "ReplyTape",
    "ask_all",
    "at_once",
]

WARM_UP = 3  # queries that are asked beforehand, so that no first use of anything is measured
HOPELESS = 5  # queries, the first of all: if all of them fail alike, so will the others
NOT_ASKED = f"not run: the first {HOPELESS} queries failed with the same error"
STUDIED = 1 << 20  # the round in which a whole search is studied, after all that are timed
BATCH = 25  # replies that are recorded at once, ...
SECONDS = 0.5  # ... or those of so long
LOOK_S = 1.0  # between two looks whether an interrupt has come
T = TypeVar("T")
R = TypeVar("R")
WAITS = "waits"  # the stage of attempts that failed, and of the pauses after them
TOTAL = "total"
CPU = "cpu"  # what all threads of this process worked, which is no stage


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, and the milliseconds of it all (``total``) and of each stage."""

    value: bytes
    times: Mapping[str, float] = field(default_factory=dict)


Ask = Callable[[Query], Reply]


class ReplyTape(Protocol):
    """Where replies are recorded, and what was recorded before."""

    def rows(self) -> Iterable[RecordedAnswer]:
        """Return what is on it."""

    def record(self, rows: Sequence[RecordedAnswer]) -> None:
        """Add to it: all of them, or none."""


def ask_all(  # noqa: PLR0913 - every option is a name of its own
    ask: Ask,
    queries: Sequence[Query],
    tape: ReplyTape,
    *,
    rounds: int = 3,
    warm_up: int = WARM_UP,
    several: int = 1,
    gives_up: bool = True,
    leaves_open: bool = False,
    failed: Mapping[str, str] | None = None,
    found: Mapping[str, bytes | None] | None = None,
    track: Track = untracked,
    doing: str = "searching",
) -> int:
    """Run what is not recorded yet, all queries once, then all of them again.

    Rows are recorded under the fingerprints of their queries. A query is repeated only after all
    others, so that it never profits from its own cache. One that fails is recorded as failed and
    not repeated, as are those that ``failed`` before they came here. Of what was ``found`` before
    only a different result is recorded. Where the first few queries all fail with the same error,
    no more are run, unless it never ``gives_up``; what was not run counts as failed, unless it
    ``leaves_open`` whether it will be. ``several`` are run concurrently. The warm-up uses only
    queries that are still to be run. Returns how many searches were not recorded.
    """
    foremost = queries[: HOPELESS + several - 1] if gives_up else ()  # those at once, in any order
    asking = _Asking(ask, tape, failed or {}, foremost, found or {})
    pending = asking.pending(queries, rounds)
    asking.warm_up(pending, warm_up)
    left = sum(len(some) for _, some in pending)
    done = rounds * len(queries) - left
    rows = asking.rows(pending, several)
    for row in track(_begun(rows, done), doing, total=rounds * len(queries), unit="queries"):
        if row is not None:
            asking.take(row)
    asking.flush()
    if asking.hopeless and not leaves_open:
        asking.give_up(asking.pending(queries, rounds))
    return left


def _begun(rows: Iterator[RecordedAnswer], done: int) -> Iterator[RecordedAnswer | None]:
    """Count what was recorded before as gone by."""
    for _ in range(done):
        yield None
    yield from rows


class _Asking:
    """What is recorded, and what waits to be."""

    def __init__(
        self,
        ask: Ask,
        tape: ReplyTape,
        failed: Mapping[str, str],
        foremost: Sequence[Query],
        found: Mapping[str, bytes | None],
    ) -> None:
        self._ask, self._tape, self._given, self._found = ask, tape, failed, found
        self._foremost = [query.fingerprint for query in foremost]
        self._first: dict[str, bytes | None] = dict(found)
        self._failed: dict[str, str] = {}
        self._known: set[tuple[str, int]] = set()
        self._batch: list[RecordedAnswer] = []
        self._last = time.monotonic()
        for row in tape.rows():
            if row.round < STUDIED:
                self._know(row)

    def _know(self, row: RecordedAnswer) -> None:
        self._known.add((row.query, row.round))
        if row.error:
            self._failed.setdefault(row.query, row.error)
        elif row.round == 0 and row.query not in self._found:
            self._first[row.query] = row.value

    def pending(self, queries: Sequence[Query], rounds: int) -> list[tuple[int, list[Query]]]:
        """List what is still to be asked, round by round."""
        left = [
            (number, [query for query in queries if (query.fingerprint, number) not in self._known])
            for number in range(rounds)
        ]
        return [(number, some) for number, some in left if some]

    def warm_up(self, pending: Sequence[tuple[int, list[Query]]], count: int) -> None:
        """Ask the first few of those that will be asked next, for nothing."""
        rounds = (
            (at, [one for one in some if one.fingerprint not in self._failed])
            for at, some in pending
        )
        number, left = next(((at, some) for at, some in rounds if some), (0, []))
        for query in left[:count]:
            if self.row(query, number).error:
                break

    def rows(
        self, pending: Sequence[tuple[int, list[Query]]], several: int
    ) -> Iterator[RecordedAnswer]:
        """Ask round after round, one at a time or as many as may be asked at once."""
        for number, queries in pending:
            names = [query.fingerprint for query in queries]
            failed = [name for name in names if name in self._failed]
            yield from (RecordedAnswer(name, number, error=self._failed[name]) for name in failed)
            left = [query for query in queries if query.fingerprint not in self._failed]

            def one(query: Query, number: int = number) -> RecordedAnswer:
                return self.row(query, number)

            for row in at_once(one, left, most=several) if several > 1 else map(one, left):
                yield row
                if self.hopeless:
                    return

    def row(self, query: Query, number: int) -> RecordedAnswer:
        """Ask once; whatever goes wrong belongs to this query, and not to the others."""
        name = query.fingerprint
        if why := self._given.get(name):
            return RecordedAnswer(name, number, error=why)
        try:
            reply = self._ask(query)
        except AssayError as error:
            return RecordedAnswer(name, number, error=sanitize(error.problem or str(error)))
        except Exception as error:  # noqa: BLE001 - a search may raise anything, the rest goes on
            problem = f"{type(error).__name__}: {error}"
            return RecordedAnswer(name, number, error=sanitize(conceal(problem)))
        again = number > 0 or name in self._found
        same = again and reply.value == self._first.get(name)
        return RecordedAnswer(name, number, None if same else reply.value, reply.times)

    def take(self, row: RecordedAnswer) -> None:
        """Keep a reply until there are enough of them, or enough time has gone by."""
        self._know(row)
        self._batch.append(row)
        if len(self._batch) >= BATCH or time.monotonic() - self._last > SECONDS:
            self.flush()

    def flush(self) -> None:
        """Record what waits for it."""
        batch, self._batch = self._batch, []
        if batch:
            self._tape.record(batch)
        self._last = time.monotonic()

    @property
    def hopeless(self) -> bool:
        """Tell whether there are only failures, and of one kind: the text before the details.

        The first queries of all decide, whatever else is recorded already.
        """
        whys = [self._failed[key] for key in self._foremost if key in self._failed]
        if self._first or len(whys) < HOPELESS or self._given:
            return False
        return len({re.split("[:(]", why)[0] for why in whys}) == 1

    def give_up(self, pending: Sequence[tuple[int, list[Query]]]) -> None:
        """Count what was not asked any more as failed, too."""
        for number, queries in pending:
            names = [query.fingerprint for query in queries]
            whys = [(name, self._failed.get(name, NOT_ASKED)) for name in names]
            self._tape.record([RecordedAnswer(name, number, error=why) for name, why in whys])


def at_once(do: Callable[[T], R], items: Sequence[T], *, most: int) -> Iterator[R]:
    """Yield what ``do`` makes of each item, in the order in which they are ready.

    Whoever stops in the middle, as an interrupt does, waits for none of those under way: the
    threads are daemons, for a pool of Python would be waited for at the end of the process.
    """
    waiting: SimpleQueue[T] = SimpleQueue()
    ready: SimpleQueue[Callable[[], R]] = SimpleQueue()
    for item in items:
        waiting.put(item)
    stopped = Event()
    for _ in range(min(most, len(items))):
        Thread(target=_work, args=(do, waiting, ready, stopped), daemon=True).start()
    try:
        for _ in items:
            yield _waited_for(ready)()
    finally:
        stopped.set()


def _waited_for(ready: "SimpleQueue[R]") -> R:
    """Wait for the next; an interrupt that comes just before the wait would not end it."""
    while True:
        with suppress(Empty):
            return ready.get(timeout=LOOK_S)


def _work(
    do: Callable[[T], R],
    waiting: "SimpleQueue[T]",
    ready: "SimpleQueue[Callable[[], R]]",
    stopped: Event,
) -> None:
    """Do one after the other; what is raised is raised again where it is waited for."""
    while not stopped.is_set():
        try:
            item = waiting.get_nowait()
        except Empty:
            return
        try:
            done = do(item)
        except BaseException as error:  # noqa: BLE001 - see above
            stopped.set()  # nothing else is begun
            ready.put(_raising(error))
        else:
            ready.put(lambda done=done: done)  # type: ignore[misc]


def _raising(error: BaseException) -> Callable[[], NoReturn]:
    def again() -> NoReturn:
        raise error

    return again
