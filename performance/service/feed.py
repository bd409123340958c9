"""python -m performance.service.feed DATABASE SECONDS EACH PAUSE: record rows as a worker does.

Prints the id of the benchmark when it is started, waits for a line on stdin, and prints at the end
when each batch was committed: pairs of the time of day and the finished queries.
"""

import json
import sys
import time
from contextlib import closing

from assay.records.work import RecordedAnswer, Unit
from assay.workspace.ledger.ledger import Ledger, open_ledger

__all__ = ["feed"]

RUNS = 16


def feed(ledger: Ledger, benchmark: str, seconds: float, each: int, pause_s: float) -> None:
    """Record batches for some seconds, then complete the benchmark."""
    committed: list[tuple[float, int]] = []
    total = max(1, int(seconds / pause_s / RUNS)) * each
    units = [
        Unit(f"{benchmark}-{run}", "stage", f"stage {run}", total=total) for run in range(RUNS)
    ]
    uses = {f"run {run}": [f"{benchmark}-{run}"] for run in range(RUNS)}
    ledger.prepare(benchmark, units, uses=uses)
    done = 0
    while (claim := ledger.claim(benchmark, "feeder")) is not None:
        for start in range(0, total, each):
            rows = [RecordedAnswer(f"q{start + n}", value=b"found" * 40) for n in range(each)]
            ledger.record(claim, rows)
            done += each
            committed.append((time.time(), done))
            time.sleep(pause_s)
        ledger.complete(claim)
    ledger.finish(benchmark, "completed", report=b"{}")
    ended = time.time()
    print(json.dumps({"committed": committed, "ended": ended, "total": done}), flush=True)


def _main() -> None:
    database, seconds, each, pause_s = sys.argv[1:]
    names = [f"run {run}" for run in range(RUNS)]
    with closing(open_ledger(database)) as ledger:
        id_, _ = ledger.create(
            name="fed", about={}, runs=names, job={}, author="feeder", parallel=64
        )
        ledger.start(id_)
        print(id_, flush=True)
        sys.stdin.readline()
        feed(ledger, id_, float(seconds), int(each), float(pause_s))


if __name__ == "__main__":
    _main()
