"""Summary: by which key references found their documents, and how many did not."""

from collections import Counter

from assay.records import KEYS, Cell, Resolution, ResolvedReference, Table

__all__ = ["by_key", "summary"]


def summary(resolution: Resolution) -> Table:
    """Give each key that was of use a row; reasons for failing stand below, or alone."""
    found = [(key, number) for key, number in by_key(resolution).items() if number]
    states = list(_states(resolution).items())
    if not found:
        return Table(("key", "references"), states)
    met = [row for row in resolution.rows if row.documents]
    parts = _counts([row for row in met if row.partial])
    several = _counts([row for row in met if len(row.documents) > 1])
    more = {"partial matches": parts, "several documents": several}
    shown = {title: counts for title, counts in more.items() if counts}
    rows: list[list[Cell]] = [
        [key, number, *(counts[key] or None for counts in shown.values())] for key, number in found
    ]
    footer = [(name, str(number), *[""] * len(shown)) for name, number in states]
    return Table(("key", "references", *shown), rows, footer=footer)


def _counts(rows: list[ResolvedReference]) -> Counter[str]:
    return Counter(row.key for row in rows)


def _states(resolution: Resolution) -> Counter[str]:
    """Count what found nothing; one whose group was met all the same is spared."""
    lost = [row for row in resolution.rows if row.reason]
    return Counter("not needed" if row.spared else row.reason.replace("_", " ") for row in lost)


def by_key(resolution: Resolution) -> dict[str, int]:
    """Count the references that each key found documents for."""
    counts = Counter(row.key for row in resolution.rows if row.documents)
    return {key: counts[key] for key in (*KEYS, "symbol")}
