"""How many tokens the results of a search have: whole documents, chunks, or definitions."""

from collections.abc import Iterable

from assay.corpora.programs.definitions import definitions
from assay.corpora.text.count_tokens import count_tokens
from assay.records import Document
from assay.records.chunk import chunk_span, symbol_id

__all__ = ["unit_tokens"]


def unit_tokens(document: Document, names: Iterable[str], unit: str = "document") -> dict[str, int]:
    """Count the tokens of units of a document, by the rule that measures chunks.

    Of a name that a document defines several times the first definition counts.

    >>> unit_tokens(Document("a", "one two three"), ["a#0-7"], "chunk")
    {'a#0-7': 2}
    """
    if unit == "document":
        return dict.fromkeys(names, count_tokens(document.text))
    data = document.text.encode("utf-8", "replace")
    if unit == "symbol":
        spans = _definition_spans(document)
    else:
        spans = {name: chunk_span(name)[1:] for name in names}
    known = [(name, slice(*spans[name])) for name in names if name in spans]
    return {name: count_tokens(data[span].decode("utf-8", "replace")) for name, span in known}


def _definition_spans(document: Document) -> dict[str, tuple[int, int]]:
    spans: dict[str, tuple[int, int]] = {}
    for one in definitions(document.text, document.language):
        spans.setdefault(symbol_id(document.id, one.name), (one.start_byte, one.end_byte))
    return spans
