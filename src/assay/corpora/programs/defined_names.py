"""Document -> the qualified names of what it defines."""

from collections.abc import Iterable

from assay.corpora.programs.definitions import definitions
from assay.records import Document

__all__ = ["defined_names"]


def defined_names(document: Document) -> Iterable[str]:
    """Name what a document defines, each once, in order; nothing for prose."""
    found = definitions(document.text, document.language)
    return dict.fromkeys(definition.name for definition in found)
