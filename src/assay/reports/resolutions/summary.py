"""Summary: by which key references found their documents, and how many did not."""

from collections import Counter

from assay.records import KEYS, Resolution, Table

__all__ = ["by_key", "summary"]


def summary(resolution: Resolution) -> Table:
    """Give each key that was of use a row; reasons for failing stand below, or alone."""
    rows = resolution.rows
    found = [(key, number) for key, number in by_key(resolution).items() if number]
    parts = Counter(row.key for row in rows if row.documents and row.partial)
    footer = [(name, str(number), "") for name, number in _states(resolution).items()]
    if not found:
        return Table(("key", "references"), list(_states(resolution).items()))
    if any(parts.values()):
        titles = ("key", "references", "by a part")
        return Table(titles, [(key, n, parts[key] or None) for key, n in found], footer=footer)
    return Table(("key", "references"), found, footer=[line[:2] for line in footer])


def _states(resolution: Resolution) -> Counter[str]:
    """Count what found nothing; one whose group was met all the same is spared."""
    lost = [row for row in resolution.rows if row.reason]
    return Counter("spared" if row.spared else row.reason.replace("_", " ") for row in lost)


def by_key(resolution: Resolution) -> dict[str, int]:
    """Count the references that each key found documents for."""
    counts = Counter(row.key for row in resolution.rows if row.documents)
    return {key: counts[key] for key in (*KEYS, "symbol")}
