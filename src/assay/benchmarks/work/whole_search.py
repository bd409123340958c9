"""What is to be known of a search that was asked as a whole, besides its answers."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from assay.benchmarks.work.ask import STUDIED, Tape
from assay.benchmarks.work.tapes import unpack_answer
from assay.errors import InputError
from assay.records import Query, Recorded
from assay.searches.build import Indexed
from assay.searches.built_search import Built

__all__ = ["facts_of"]

TIMED = ("total", "waits")


def facts_of(
    built: Built, queries: Sequence[Query], tape: Tape, *, seconds: float, whole: bool
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


def _taken(rows: Sequence[Recorded]) -> float:
    """Add up the seconds of all searches."""
    return sum(row.times.get(part, 0.0) for row in rows for part in TIMED) / 1e3


def _catch_up(built: Built, queries: Sequence[Query]) -> None:
    """Show an approximate index also those queries that were asked before, to be measured by."""
    if isinstance(built, Indexed):
        with suppress(InputError):  # a model that is gone by now takes nothing from the answers
            built.searcher.sample([query.text for query in queries])
