"""Ask a whole search without a ledger, as the executor does with one."""

import time

from assay.benchmarks.runs.measure import measurements_of, under_load
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
    measured = measurements_of(queries, [by_query(tape.rows())], timed=built.timed)
    return under_load(measured, built.concurrency, seconds)
