"""What the settings of families mean, and what they may be."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from assay.errors import InputError

__all__ = [
    "MOST_DOCUMENTS",
    "Documents",
    "Exclude",
    "Include",
    "Queries",
    "Seed",
    "at_least",
    "at_most",
    "check_sizes",
    "globs",
    "listed",
]

Seed = Annotated[int, "Random seed; the same seed generates the same data."]
Queries = Annotated[int, "Number of queries."]
Include = Annotated[
    tuple[str, ...], "Include only files that match this pattern (.gitignore syntax)."
]
Exclude = Annotated[tuple[str, ...], "Exclude files that match this pattern (.gitignore syntax)."]
Documents = Annotated[int, "Number of documents."]


MOST_QUERIES = 100_000
MOST_DOCUMENTS = 1_000_000


def at_least(low: float, **settings: float) -> None:
    """Refuse settings below a bound."""
    for name, value in settings.items():
        _refuse_nan(name, value)
        if value < low:
            raise InputError(
                f"{name}={_shown(value)} is too small", hint=f"expected at least {low}"
            )


def at_most(high: float, why: str, **settings: float) -> None:
    """Refuse settings above a bound, and say what sets it."""
    for name, value in settings.items():
        _refuse_nan(name, value)
        if value > high:
            problem = f"{name}={_shown(value)} is too large: {why}"
            raise InputError(problem, hint=f"expected at most {high:,}")


def check_sizes(*, queries: int, documents: int = 1) -> None:
    """Refuse numbers of queries and documents that make no dataset, or none that ends."""
    at_least(1, queries=queries)
    at_most(MOST_QUERIES, "more than an evaluation needs", queries=queries)
    at_most(MOST_DOCUMENTS, "documents are kept in memory", documents=documents)


def _refuse_nan(name: str, value: float) -> None:
    if value != value:  # noqa: PLR0124 (true of NaN alone)
        raise InputError(f"{name} is not a number (nan)", hint="expected a finite number")


def _shown(value: float) -> str:
    """Write a number; Python refuses to write whole numbers of thousands of digits."""
    return str(value) if abs(value) < 10**30 or isinstance(value, float) else "..."


def globs(include: Sequence[str], exclude: Sequence[str]) -> dict[str, list[str]]:
    """Name the patterns that are given, as a corpus takes them."""
    given = {"include": list(include), "exclude": list(exclude)}
    return {key: patterns for key, patterns in given.items() if patterns}


def listed(left_out: Mapping[str, int]) -> str:
    """Write what was left out, with the numbers."""
    counts = (f"{reason} ({count:,})" for reason, count in left_out.items() if count)
    return "; ".join(counts) or "nothing"
