"""What to know before reading the differences between two reports."""

from collections.abc import Iterator, Sequence

from assay.benchmarks.since.match import ReportSide, RunPairs, SharedQueries
from assay.benchmarks.since.pair import Pair, shows_unjudged
from assay.metrics import parse_all
from assay.records import Run
from assay.records.report import query_weights
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named, join_list
from assay.text.quote import quote

__all__ = ["changed_data", "is_scored", "left_out", "other_weights", "since_notes"]

NAMED = 5  # queries that a note names


def since_notes(
    before: ReportSide,
    after: ReportSide,
    *,
    matched: RunPairs,
    shared: SharedQueries,
    metrics: Sequence[str],
    pairs: Sequence[Pair],
    primary: str,
) -> Iterator[str]:
    """Note what differs, and what is unknown; ``primary`` is what a user asked for."""
    yield from changed_data(before, after)
    yield from left_out(before.name, after.name, shared)
    yield from other_weights(before, after, shared)
    yield from _deciding(before, after, metrics[0], primary)
    yield from _unjudged(metrics, pairs)
    for old, new in matched.pairs:
        if old.name != new.name and not (before.run or after.run):
            yield f"{quote(new.name)} was named {quote(old.name)} in {before.name}"
        yield from _unscored(old, before.name, metrics)
        yield from _unscored(new, after.name, metrics)
        if old.fingerprint != new.fingerprint and old.configuration == new.configuration:
            changed = "the settings are the same, but the index built from them differs"
            yield f"{quote(new.name)}: {changed}"


def changed_data(before: ReportSide, after: ReportSide) -> Iterator[str]:
    """Say that queries, judgments or documents are others than they were."""
    for part in ("dataset", "corpus"):
        prints = [getattr(one.report, part).get("fingerprint") for one in (before, after)]
        if prints[0] != prints[1]:
            yield f"the {part} differs between the reports, which may explain score differences"


def left_out(before: str, after: str, shared: SharedQueries) -> Iterator[str]:
    """Count the queries that cannot be compared, and name the first ones."""
    for queries, what in (
        (shared.only_before, f"only in {before}"),
        (shared.only_after, f"only in {after}"),
        (shared.rejudged, "with different judgments or text"),
    ):
        if queries:
            count = count_noun(len(queries), "query")
            yield f"not compared: {count} {what} ({first_named(queries, NAMED)})"


def other_weights(before: ReportSide, after: ReportSide, shared: SharedQueries) -> Iterator[str]:
    """Say that the reports weigh queries differently, and whose weights are used."""
    old, new = (query_weights(one.report, shared.queries) for one in (before, after))
    if (old is None) is not (new is None) or (
        old is not None and new is not None and (old / old.sum() != new / new.sum()).any()
    ):
        used = f"the weights of {after.name}" if new is not None else "no weights"
        yield f"the weights of queries differ between the reports: {used} are used for both"


def _unscored(run: Run, name: str, metrics: Sequence[str]) -> Iterator[str]:
    if run.status == "beaten":
        yield f"not compared: {quote(run.name)}, which was stopped early by a race in {name}"
    elif not is_scored(run, metrics):
        yield f"not compared: {quote(run.name)} has no scores in {name} ({run.error or run.status})"


def is_scored(run: Run, metrics: Sequence[str]) -> bool:
    """Tell whether a run has a score of each query; one that a race stopped has not."""
    if run.status == "beaten":
        return False
    return bool(run.per_query) and all(set(metrics) <= set(row) for row in run.per_query.values())


def _deciding(before: ReportSide, after: ReportSide, first: str, primary: str) -> Iterator[str]:
    wanted = str(after.report.benchmark["primary"])
    if not primary and first != wanted:
        why = f"{before.name} has no {wanted}, the primary metric of {after.name}"
        yield f"{first} is used as the primary metric: {why}"


def _unjudged(metrics: Sequence[str], pairs: Sequence[Pair]) -> Iterator[str]:
    """Name the metrics that depend on documents that may not be judged."""
    dim = [
        str(one)
        for one in parse_all(list(metrics))
        if any(shows_unjudged(pair, one) is None for pair in pairs)
    ]
    if dim:
        yield f"it is unknown whether all documents that count for {join_list(dim)} are judged"
