"""References as a format with plain names can hold them, one judgment for each document."""

from collections.abc import Callable, Sequence

from assay.records import Judgment, Reference

__all__ = ["by_id", "by_name", "by_path", "plain"]

Rename = Callable[[Reference], Reference | None]


def by_name(reference: Reference) -> Reference | None:
    """Name the document by whatever names it best; a hash or a symbol does not count."""
    name = _first(reference, "document_id", "uri", "path", "file_name")
    return Reference.named(name) if name else None


def by_id(reference: Reference) -> Reference | None:
    """Take what names the document for its id."""
    name = _first(reference, "document_id", "uri", "path", "file_name")
    return Reference(document_id=name) if name else None


def by_path(reference: Reference) -> Reference | None:
    """Take what names the document for its path."""
    name = _first(reference, "path", "file_name", "document_id", "uri")
    return Reference(path=name) if name else None


def plain(judgments: Sequence[Judgment], rename: Rename) -> tuple[Judgment, ...]:
    """Keep a name and a grade of each judgment; of two with the same name, the higher grade."""
    grades: dict[Reference, int] = {}
    for judgment in judgments:
        reference = rename(judgment.reference)
        if reference is not None:
            grades[reference] = max(judgment.grade, grades.get(reference, judgment.grade))
    return tuple(Judgment(reference, grade) for reference, grade in grades.items())


def _first(reference: Reference, *keys: str) -> str:
    return next((name for key in keys if (name := getattr(reference, key))), "")
