"""Ask a whole search without a ledger, as the executor does with one."""

import time
from dataclasses import replace

from assay.benchmarks.runs.measure import Recorded, measurements_of, under_load
from assay.benchmarks.work.ask import WARM_UP, ask_all
from assay.benchmarks.work.tapes import by_query
from assay.benchmarks.work.whole_search import asking_whole


class Memory:
    """A tape that lasts as long as this process."""

    def __init__(self):
        self._rows = []

    def rows(self):
        return self._rows

    def record(self, rows):
        self._rows += rows


def stage(rows, *, timed=True):
    """Take rows under the keys of their queries for what a stage found, and its times."""
    found = {}
    for row in sorted(rows, key=lambda row: row.round):
        found.setdefault(row.query, []).append(row)
    return Recorded(found, _times(found) if timed else {})


def _times(rows):
    """Leave the first answers out, as on the tape of times."""
    return {
        key: [one if one.round else replace(one, value=None) for one in some]
        for key, some in rows.items()
    }


def measure(built, queries, *, repeats=3, warm_up=WARM_UP, clock=time.perf_counter_ns):
    rounds, tape, began = repeats if built.timed else 1, Memory(), clock()
    ask_all(
        asking_whole(built, clock),
        queries,
        tape,
        rounds=rounds,
        warm_up=warm_up if built.timed else 0,
        several=built.concurrency,
    )
    seconds = (clock() - began) / 1e9
    rows = by_query(tape.rows(), queries)
    measured = measurements_of(queries, [Recorded(rows, _times(rows) if built.timed else {})])
    return under_load(measured, built.concurrency, seconds)
