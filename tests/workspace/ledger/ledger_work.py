"""A program that works on a ledger as a worker does: some units, and some rows in each."""

import os
import sys
import time
from pathlib import Path

from assay.errors import CancelledError, FencedError
from assay.records.work import RecordedAnswer
from assay.workspace.ledger.ledger import open_ledger, worker_name


def answer(key, query, nth):
    return f"{key} answers {query} for the {nth}th time".encode() if nth == 0 else None


def work(place, benchmark, *, batch=5, pause=0.0, log=None):
    """Do all units of a benchmark that can be had; note in a file every query that is asked."""
    book = open_ledger(place)
    while (claim := book.claim(benchmark, worker_name())) is not None:
        key, rows = claim.unit.key, []
        asked = book.asked(key)
        try:
            for at in range(claim.unit.total):
                query, nth = f"q{at // 2}", at % 2
                if (query, nth) in asked:
                    continue
                if log is not None:
                    os.write(log, f"{key} {query} {nth} {claim.fence}\n".encode())
                time.sleep(pause)
                rows.append(RecordedAnswer(query, nth, answer(key, query, nth), {"total": 1.5}))
                if len(rows) == batch:
                    book.record(claim, rows)
                    rows = []
            book.record(claim, rows)
            book.complete(claim, {"by": worker_name()})
        except FencedError:
            continue
        except CancelledError:
            book.release(claim)
            break
    book.close()


def gather(log, workers):
    """Wait until as many workers are there, so that none has done all before the next starts."""
    log.with_name(f"{log.name}.{os.getpid()}").touch()
    deadline = time.monotonic() + 60
    while len(list(log.parent.glob(f"{log.name}.*"))) < workers and time.monotonic() < deadline:
        time.sleep(0.002)


def begin(place, identity):
    """Open a ledger that may not be there, and begin or resume; print the id."""
    book = open_ledger(place)
    begun = book.begin(identity=identity, name="n", about={}, runs=["a", "b"], resume=True)
    print(begun.id)  # noqa: T201
    book.close()


if __name__ == "__main__":
    act, where, *rest = sys.argv[1:]
    if act == "begin":
        begin(where, *rest)
    else:
        gather(Path(rest[1]), int(rest[3]) if rest[3:] else 1)
        noted = os.open(rest[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        work(where, rest[0], pause=float(rest[2]), log=noted)
