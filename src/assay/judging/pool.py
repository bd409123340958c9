"""The first documents of every run of a report, as rankings again, and put together as a pool."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.records import Ints, Rankings, Report, Run, encode
from assay.records.judging import Pair

__all__ = ["Pool"]


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Every document that a run shows, with its rank in each run: 0 where it is not shown."""

    rankings: tuple[Rankings, ...]
    pairs: tuple[Pair, ...]
    number: dict[Pair, int]
    query: Ints
    ranks: Ints

    @classmethod
    def of(cls, report: Report, queries: Sequence[str], k: int | None) -> "Pool":
        """Take what the runs of a report show that answered; a metric looks no deeper than ``k``.

        A run that a race stopped was not asked everything, and is left out.
        """
        runs = [run for run in report.runs if run.status == "completed" and run.rankings]
        number: dict[Pair, int] = {}
        rows: list[tuple[int, int, int]] = []
        for column, run in enumerate(runs):
            for query in queries:
                for at, document in enumerate(run.rankings.get(query, ())[:k]):
                    row = number.setdefault((query, document), len(number))
                    rows.append((row, column, at + 1))
        ranks: Ints = np.zeros((len(number), len(runs)), np.int64)
        for row, column, rank in rows:
            ranks[row, column] = ranks[row, column] or rank
        place = {query: at for at, query in enumerate(queries)}
        owner: Ints = np.array([place[query] for query, _ in number], np.int64)
        return cls(tuple(map(_rankings, runs)), tuple(number), number, owner, ranks)

    @property
    def runs(self) -> list[str]:
        """The names of the runs, in the order of the columns."""
        return [run.name for run in self.rankings]


def _rankings(run: Run) -> Rankings:
    found = [(query, tuple(dict.fromkeys(shown))) for query, shown in run.rankings.items()]
    sizes = [len(shown) for _, shown in found]
    return Rankings(
        name=run.name,
        queries=tuple(query for query, _ in found),
        offsets=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        documents=encode(document for _, shown in found for document in shown),
        scores=np.concatenate([np.empty(0), *(-np.arange(size, dtype=float) for size in sizes)]),
        ties="order",
    )
