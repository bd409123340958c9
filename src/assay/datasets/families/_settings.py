"""What the settings of families mean, and what they may be."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from assay.errors import InputError

__all__ = [
    "Documents",
    "Exclude",
    "Include",
    "Queries",
    "Seed",
    "at_least",
    "at_most",
    "globs",
    "listed",
]

Seed = Annotated[int, "Start of the random numbers; one seed makes the same bytes again."]
Queries = Annotated[int, "How many queries."]
Include = Annotated[tuple[str, ...], "Only files that match this pattern, as in .gitignore."]
Exclude = Annotated[tuple[str, ...], "No files that match this pattern, as in .gitignore."]
Documents = Annotated[int, "How many documents."]


def at_least(low: float, **settings: float) -> None:
    """Refuse settings below a bound."""
    for name, value in settings.items():
        if not value >= low:  # also refuses NaN
            raise InputError(f"{name}={value} is too small", hint=f"give at least {low}")


def at_most(high: float, why: str, **settings: float) -> None:
    """Refuse settings above a bound, and say what sets it."""
    for name, value in settings.items():
        if not value <= high:
            problem = f"{name}={value} is too large: {why}"
            raise InputError(problem, hint=f"give at most {high:,}")


def globs(include: Sequence[str], exclude: Sequence[str]) -> dict[str, list[str]]:
    """Name the patterns that are given, as a corpus takes them."""
    given = {"include": list(include), "exclude": list(exclude)}
    return {key: patterns for key, patterns in given.items() if patterns}


def listed(left_out: Mapping[str, int]) -> str:
    """Write what was left out, with the numbers."""
    counts = (f"{reason} ({count:,})" for reason, count in left_out.items() if count)
    return "; ".join(counts) or "nothing"
