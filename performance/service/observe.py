"""python -m performance.service.observe WORKSPACE BENCHMARK: what the ledger says, as it changes.

Prints each state of a benchmark, until it has ended: a time that is before its commit, the finished
queries of all runs, and the state.
"""

import json
import sys
import time
from contextlib import closing

from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import locate

__all__ = ["observe"]

LOOK_S = 0.02
ENDED = {"completed", "failed", "cancelled"}
PATIENCE_S = 600.0


def observe(database: str, benchmark: str) -> list[tuple[float, int, str]]:
    """Read the state again and again; its time is that of the look before."""
    found: list[tuple[float, int, str]] = []
    until = time.monotonic() + PATIENCE_S
    with closing(open_ledger(database)) as ledger:
        before = time.time()
        while time.monotonic() < until:
            now = time.time()
            one = ledger.progress([benchmark])[benchmark]
            done = sum(run.done for run in one.runs)
            if not found or (done, one.state) != found[-1][1:]:
                found.append((before, done, one.state))
            if one.state in ENDED:
                return found
            before = now
            time.sleep(LOOK_S)
    raise SystemExit(f"the benchmark has not ended after {PATIENCE_S:.0f} s")


def _main() -> None:
    workspace, benchmark = sys.argv[1:]
    print(json.dumps(observe(locate(given=workspace).database, benchmark)), flush=True)


if __name__ == "__main__":
    _main()
