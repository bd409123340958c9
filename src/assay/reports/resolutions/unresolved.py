"""Unresolved: what each reference that leads nowhere lacks, in sentences, with what is near."""

from assay.records import Resolution, ResolvedReference
from assay.text import sanitize

__all__ = ["unresolved"]

KEPT = 10  # candidates that a resolution keeps: there may be more
NAMED = 3  # of them that a line names


def unresolved(resolution: Resolution, *, most: int | None = None) -> list[tuple[str, str]]:
    """Return a sentence for each unresolved reference, up to ``most``, and one on what is near."""
    rows = [row for row in resolution.rows if row.reason and not row.spared]
    lines = [(f'query "{row.query}": {_problem(row)}', _near(row)) for row in rows[:most]]
    return [(sanitize(problem), sanitize(near)) for problem, near in lines]


def _near(row: ResolvedReference) -> str:
    if not row.candidates:
        return ""
    what = "candidates" if row.reason == "ambiguous" else "similar"
    more = len(row.candidates) - NAMED
    names = [*row.candidates[:NAMED], *([f"{more} more"] if more > 0 else [])]
    return f"{what}: {', '.join(names)}"


def _problem(row: ResolvedReference) -> str:
    if row.reason == "ambiguous":
        number = len(row.candidates)
        return f"{row.reference} matches {number}{' or more' * (number >= KEPT)} documents"
    if row.reason == "not_found":
        return f"{row.reference} is not in the corpus"
    if row.reference.content_hash:
        return f"{row.reference} is not a SHA-256 hash (64 hexadecimal digits)"
    return "a reference is empty"
