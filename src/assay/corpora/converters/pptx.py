"""PPTX: the slides in their order, with their titles as headings, tables and speaker notes."""

from collections.abc import Iterator
from typing import Any

from assay.corpora.converters._office import blocks, is_office, opened, rendered
from assay.corpora.converters._shape import ConvertedFile, Converter

__all__ = ["pptx"]


def _convert(data: bytes) -> ConvertedFile:
    tree = opened(data, "pptx")
    return rendered(tree, _slides(tree), paged=True)


def _slides(tree: dict[str, Any]) -> Iterator[str]:
    for section in tree["sections"]:
        notes = section.get("speaker_notes") or []
        written = (*blocks(section["elements"]), *blocks(notes))
        yield "\n\n".join(text for text in written if text.strip())


pptx = Converter(
    summary="PowerPoint: slides in their order, with tables and speaker notes.",
    endings=("pptx", "pptm"),
    convert=_convert,
    recognises=is_office,
    version=2,
    package="office-oxide",
    module="office_oxide",
)
