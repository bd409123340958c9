"""Programs that write to a ledger for ever, and that copy one slowly."""

import sys
import time
from contextlib import closing
from pathlib import Path

from assay.records.service import NewEvent
from assay.records.work import RecordedAnswer, Unit
from assay.workspace.backups import backup
from assay.workspace.ledger.ledger import open_ledger, worker_name
from assay.workspace.store.store import open_service_store

BATCH = 20


def write(place, mark):
    """Record rows of units and as many events, one transaction each, until it is killed."""
    with closing(open_ledger(place)) as ledger, closing(open_service_store(place)) as service:
        begun = ledger.begin(identity="w", name="w", about={}, runs=["a"], resume=False).id
        for number in range(10**6):
            ledger.prepare(begun, [Unit(f"u{number}", "stage", "u", (), BATCH)])
            claim = ledger.claim(begun, worker_name())
            ledger.record(claim, [RecordedAnswer(f"q{n}", 0, b"x" * 99) for n in range(BATCH)])
            ledger.complete(claim)
            service.events.record([NewEvent("a", session=f"{number}")] * BATCH)
            if number == 5:
                Path(mark).touch()


def copy(place, file, mark, pause):
    """Copy a ledger in small parts, with a pause after each; a mark says that it began."""

    def track(items, doing, *, total=None, unit=""):
        for item in items:
            Path(mark).touch()
            time.sleep(float(pause))
            yield item

    backup.PAGES = 5
    backup.backup(place, file, force=True, track=track)


if __name__ == "__main__":
    {"write": write, "copy": copy}[sys.argv[1]](*sys.argv[2:])
