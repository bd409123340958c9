"""Whole searches: asked as one, and what is to be known of them besides their answers."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from assay.benchmarks.work.ask import CPU, TOTAL, WAITS, Ask, Reply
from assay.benchmarks.work.tapes import Rows, pack_answer, refuse_unscorable, unpack_answer
from assay.errors import InputError
from assay.records import Query
from assay.records.clock import Clock
from assay.searches.build import BuiltIndex
from assay.searches.built_search import BuiltSearch

__all__ = ["asking_whole", "facts_of", "seconds_of"]

TIMED = ("total", "waits")


def facts_of(
    built: BuiltSearch, queries: Sequence[Query], rows: Rows, *, whole: bool
) -> dict[str, Any]:
    """Tell what a search is, and what is odd about its answers.

    If this process did not ask the ``whole`` of it, an approximate index is shown the other
    queries, too.
    """
    judged = {query.key for query in queries if query.judgments}
    answers = {
        key: unpack_answer(some[0].value)[0]
        for key, some in rows.items()
        if key in judged and some[0].value is not None
    }
    checked = built.checked(answers)
    if not whole:
        _catch_up(built, queries)
    return {
        "fingerprint": built.fingerprint,
        "indexing": dict(built.indexing),
        "storage": dict(built.storage),
        "notes": list(built.notes),
        "concurrency": built.concurrency,
        "timed": built.timed,
        "failure": checked.failure,
        "unknown": sorted(checked.unknown),
    }


def seconds_of(rows: Rows, concurrency: int) -> float:
    """Add up the seconds of all searches, of which several were asked at once."""
    each = (row.times.get(part, 0.0) for some in rows.values() for row in some for part in TIMED)
    return sum(each) / 1e3 / concurrency


def _catch_up(built: BuiltSearch, queries: Sequence[Query]) -> None:
    """Show an approximate index also those queries that were asked before, to be measured by."""
    if isinstance(built, BuiltIndex):
        with suppress(InputError):  # a model that is gone by now takes nothing from the answers
            built.searcher.sample(queries)


def asking_whole(
    built: BuiltSearch, clock: Clock = time.perf_counter_ns, *, cpu: Clock | None = None
) -> Ask:
    """Make what asks a whole search once, and takes the time; by ``cpu`` also that of all cores."""

    def ask(query: Query) -> Reply:
        exclude = query.excluded
        worked, start = cpu() if cpu else 0, clock()
        documents, scores, stages = built.found(query, exclude=exclude)
        taken = (clock() - start) / 1e6
        busy = {CPU: (cpu() - worked) / 1e6} if cpu else {}
        refuse_unscorable(documents, scores)
        total = max(taken - stages.get(WAITS, 0.0), 0.0)
        times = {**stages, **busy, TOTAL: total}
        return Reply(pack_answer(documents, np.asarray(scores)), times)

    return ask
