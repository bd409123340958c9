"""DOCX: headings, paragraphs, lists, tables and notes, in the order in which they are written.

It has no pages: where they end is decided by whoever prints it.
"""

from collections.abc import Iterator
from typing import Any

from assay.corpora.converters._office import blocks, is_office, opened, rendered
from assay.corpora.converters._shape import ConvertedFile, Converter

__all__ = ["docx"]


def _convert(data: bytes) -> ConvertedFile:
    tree = opened(data, "docx")
    return rendered(tree, _pages(tree), paged=False)


def _pages(tree: dict[str, Any]) -> Iterator[str]:
    written = (text for section in tree["sections"] for text in blocks(section["elements"]))
    yield "\n\n".join(text for text in written if text.strip())


docx = Converter(
    summary="Word: headings, paragraphs, lists, tables and notes.",
    endings=("docx", "docm"),
    convert=_convert,
    recognises=is_office,
    version=2,
    package="office-oxide",
    module="office_oxide",
    paged=False,
)
