"""Names in a sentence: the first few of them, and how many more there are."""

from collections.abc import Iterable, Sequence

from assay.records.quoted import quoted

__all__ = ["listed", "listed_runs"]

MOST = 5


def listed(names: Sequence[str], *, most: int = MOST) -> str:
    """Join names by commas; what goes beyond ``most`` is only counted.

    >>> listed(["words", "both", "dense"])
    'words, both and dense'
    >>> listed(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    parts = [*names]
    if len(parts) > most:
        parts = [*parts[:most], f"{len(parts) - most:,} more"]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def listed_runs(names: Iterable[str], *, most: int = MOST) -> str:
    """Join the names of runs, each marked as one.

    >>> listed_runs(["words", "both"])
    '"words" and "both"'
    """
    return listed([quoted(name) for name in names], most=most)
