"""A program's text -> what it defines, with qualified names and lines."""

from assay.corpora.programs.outline import outline
from assay.corpora.programs.parse import find_all
from assay.records import Definition

__all__ = ["definitions"]


def definitions(text: str, language: str) -> list[Definition]:
    """List the definitions in a text in order; none for a language without grammar.

    A text that does not parse gives what can be made out; none raises.
    """
    data = text.encode("utf-8", "replace")
    found = outline(find_all(data, language), data)
    return [
        Definition(part.name, part.kind, *part.lines, part.start, part.end, part.named)
        for part in found
    ]
