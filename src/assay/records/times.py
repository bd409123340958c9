"""Times: which runs were timed, and whether their times can be compared."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.records.busy import is_busy
from assay.text.join_list import first_few
from assay.text.quote import quote

if TYPE_CHECKING:
    from assay.records.report import Run

__all__ = ["has_given_queries", "incomparable", "timed_runs", "unlike_loads"]

NAMED = 3  # runs that a reason names


def timed_runs(runs: Iterable["Run"], *, silent: Collection[str] = ()) -> list["Run"]:
    """Return the runs whose times are known.

    The time of failed queries, of no answers (``silent``), and of the few queries that a race asked
    says nothing about a search.
    """
    return [
        run
        for run in runs
        if "p50" in run.latency_ms
        and run.status == "completed"
        and not run.errors
        and run.name not in silent
    ]


def incomparable(runs: Sequence["Run"]) -> str:
    """Say why the times of runs cannot be compared; nothing where they can.

    Every statement about speed asks this: times of a busy machine decide nothing, nor do times that
    were measured with different numbers of queries at once, or of which only some include the
    embedding of queries.
    """
    if told := unlike_loads(runs):
        return told
    busy = [quote(run.name) for run in runs if is_busy(run.latency_ms)]
    if not busy:
        return ""
    which = "" if len(busy) == len(runs) else f" ({first_few(busy, NAMED)})"
    return f"measured on a busy machine{which}"


def unlike_loads(runs: Sequence["Run"]) -> str:
    """Say what each run was measured with, where that differs: queries at once, their vectors."""
    asked = [(run.name, int(run.latency_ms.get("concurrency", 1))) for run in runs]
    if len({queries for _, queries in asked}) > 1:
        each = ", ".join(f"{quote(name)} {queries}" for name, queries in asked)
        return f"measured with different numbers of concurrent queries ({each})"
    given = [quote(run.name) for run in runs if has_given_queries(run.latency_ms)]
    if given and len(given) < len(runs):
        return f"measured without embedding queries in some runs ({first_few(given, NAMED)})"
    return ""


def has_given_queries(latency_ms: Mapping[str, Any]) -> bool:
    """Tell whether times leave the embedding of queries out, because their vectors were given.

    >>> has_given_queries({"query_vectors": "given"}), has_given_queries({"p50": 2.0})
    (True, False)
    """
    return latency_ms.get("query_vectors") == "given"
