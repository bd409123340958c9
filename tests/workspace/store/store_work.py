"""A program that changes a dataset over and over, beside others that do, each by its revision."""

import sys
from contextlib import closing

from assay.errors import StaleError
from assay.records import Judgment, Query, Reference
from assay.records.service import NewEvent, NewJudgment
from assay.workspace.store.store import open_service_store


def add(service, dataset, name, times):
    """Add queries, each on top of what the others did: again where they were faster."""
    refused = 0
    for number in range(times):
        query = Query(f"{name}-{number}", "t", (Judgment(Reference.named("a"), 1),))
        while True:
            seen = service.datasets.get(dataset)
            try:
                service.datasets.edit(dataset, put=[query], revision=seen.revision, author=name)
                break
            except StaleError:
                refused += 1
        service.judgments.record(dataset, [NewJudgment(query.key, "a", 1)], author=name)
        service.events.record([NewEvent("added", id=query.key, session=name)])
    return refused


if __name__ == "__main__":
    place, dataset, name, times = sys.argv[1:]
    with closing(open_service_store(place)) as opened:
        print(add(opened, dataset, name, int(times)))  # noqa: T201
