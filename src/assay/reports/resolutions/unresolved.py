"""Unresolved: what each reference that leads nowhere lacks, in sentences, with what is near."""

from assay.records import Resolution, ResolvedReference
from assay.records.skipped_files import SkippedFiles
from assay.text import sanitize

__all__ = ["unresolved"]

KEPT = 10  # candidates that a resolution keeps: there may be more
NAMED = 3  # of them that a line names


def unresolved(resolution: Resolution, *, most: int | None = None) -> list[tuple[str, str]]:
    """Return a sentence for each unresolved reference, up to ``most``, and one on what is near."""
    rows = [row for row in resolution.rows if row.reason and not row.spared]
    unread = _unread(resolution)
    lines = [(f'query "{row.query}": {_problem(row, unread)}', _near(row)) for row in rows[:most]]
    return [(sanitize(problem), sanitize(near)) for problem, near in lines]


def _near(row: ResolvedReference) -> str:
    if not row.candidates:
        return ""
    what = "candidates" if row.reason == "ambiguous" else "similar"
    more = len(row.candidates) - NAMED
    names = [*row.candidates[:NAMED], *([f"{more} more"] if more > 0 else [])]
    return f"{what}: {', '.join(names)}"


def _unread(resolution: Resolution) -> dict[str, str]:
    """Return why files could not be read, by path."""
    found = resolution.skipped
    if not isinstance(found, SkippedFiles):
        return {}
    return {path: found.reason_text(why) for path, why in found.unread.items()}


def _problem(row: ResolvedReference, unread: dict[str, str]) -> str:
    if row.reason == "ambiguous":
        number = len(row.candidates)
        return f"{row.reference} matches {number}{' or more' * (number >= KEPT)} documents"
    if row.reason == "not_found" and (why := unread.get(row.reference.path)):
        return f"{row.reference} could not be read ({why})"
    if row.reason == "not_found":
        return f"{row.reference} is not in the corpus"
    if row.reference.content_hash:
        return f"{row.reference} is not a SHA-256 hash (64 hexadecimal digits)"
    return "a reference is empty"
