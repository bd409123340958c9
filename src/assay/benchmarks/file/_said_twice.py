"""Two words of a file for one setting: neither gives way to the other, so both are refused."""

from collections.abc import Sequence

from assay.benchmarks.file.problems import Problems

__all__ = ["refuse_both"]


def refuse_both(first: Sequence[str | int], second: Sequence[str | int], found: Problems) -> None:
    """Name two places that say one thing, each with its line."""
    for place, other in ((first, second), (second, first)):
        what = f"{place[-1]} and {other[-1]} are two words for one thing"
        found.add(place, what, "keep one of them")
