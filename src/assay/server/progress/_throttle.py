"""Which changes of progress are due to be sent, so that nobody gets more than they can use."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from assay.records.service import BenchmarkProgress
from assay.server.progress.messages import count_finished, is_over

__all__ = ["INTERVAL_S", "QUERIES", "Throttle"]

INTERVAL_S = 0.5
QUERIES = 5
_REMEMBERED_S = 120.0  # longer than a look back for benchmarks that ended


@dataclass(slots=True)
class _Sent:
    benchmark: BenchmarkProgress
    at: float


class Throttle:
    """Compares each state with the one that was sent last.

    A change is due when the state of the benchmark itself is another one (at once), 500 ms after
    the message before it, or when 5 queries have finished since then.
    """

    def __init__(self) -> None:
        self._sent: dict[str, _Sent] = {}
        self.next_at = inf

    @property
    def open_ids(self) -> set[str]:
        """Those whose end was not sent yet."""
        return {id_ for id_, sent in self._sent.items() if not is_over(sent.benchmark)}

    def due(self, found: Mapping[str, BenchmarkProgress], now: float) -> list[BenchmarkProgress]:
        """Return what is to be sent now; ``next_at`` is when a change that is held back is due."""
        self._forget(found, now)
        self.next_at = inf
        return list(self._choose(found, now))

    def _choose(
        self, found: Mapping[str, BenchmarkProgress], now: float
    ) -> Iterator[BenchmarkProgress]:
        for id_, benchmark in found.items():
            sent = self._sent.get(id_)
            if sent is not None and sent.benchmark == benchmark:
                continue
            if sent is None or _is_due(sent, benchmark, now):
                self._sent[id_] = _Sent(benchmark, now)
                yield benchmark
            else:
                self.next_at = min(self.next_at, sent.at + INTERVAL_S)

    def _forget(self, found: Mapping[str, BenchmarkProgress], now: float) -> None:
        """Forget what ended long ago, and what is not in the ledger any more."""
        for id_ in self._sent.keys() - found.keys():
            sent = self._sent[id_]
            if not is_over(sent.benchmark) or now - sent.at > _REMEMBERED_S:
                del self._sent[id_]


def _is_due(sent: _Sent, benchmark: BenchmarkProgress, now: float) -> bool:
    if benchmark.state != sent.benchmark.state or now >= sent.at + INTERVAL_S:
        return True
    return count_finished(benchmark) - count_finished(sent.benchmark) >= QUERIES
