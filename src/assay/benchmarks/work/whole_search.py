"""What is to be known of a search that was asked as a whole, besides its answers."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from assay.benchmarks.work.ask import CPU, STUDIED, TOTAL, WAITS, Ask, Reply, ReplyTape
from assay.benchmarks.work.tapes import pack_answer, refuse_unscorable, unpack_answer
from assay.errors import InputError
from assay.records import Query, RecordedAnswer
from assay.records.clock import Clock
from assay.searches.build import BuiltIndex
from assay.searches.built_search import BuiltSearch

__all__ = ["asking_whole", "facts_of"]

TIMED = ("total", "waits")


def facts_of(
    built: BuiltSearch, queries: Sequence[Query], tape: ReplyTape, *, seconds: float, whole: bool
) -> dict[str, Any]:
    """Tell what a search is, and what is odd about its answers.

    It took ``seconds`` if this process asked the ``whole`` of it; else these are made up for from
    what each query took.
    """
    rows = [row for row in tape.rows() if row.round < STUDIED]
    judged = {query.key for query in queries if query.judgments}
    answers = {
        row.query: unpack_answer(row.value)[0]
        for row in rows
        if not row.round and row.value is not None and row.query in judged
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
        "seconds": seconds if whole else _taken(rows) / built.concurrency,
        "failure": checked.failure,
        "unknown": sorted(checked.unknown),
    }


def _taken(rows: Sequence[RecordedAnswer]) -> float:
    """Add up the seconds of all searches."""
    return sum(row.times.get(part, 0.0) for row in rows for part in TIMED) / 1e3


def _catch_up(built: BuiltSearch, queries: Sequence[Query]) -> None:
    """Show an approximate index also those queries that were asked before, to be measured by."""
    if isinstance(built, BuiltIndex):
        with suppress(InputError):  # a model that is gone by now takes nothing from the answers
            built.searcher.sample([query.text for query in queries])


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
