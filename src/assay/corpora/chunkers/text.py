"""Prose is split between its sections, paragraphs and sentences."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from assay.corpora.chunkers._make_chunks import ChunkSpan, empty_chunks, encode, make_chunks
from assay.corpora.chunkers._merge_spans import join_small, merge_spans
from assay.corpora.chunkers._settings import tokens
from assay.corpora.text.ruler import Ruler, Span, by_tokens
from assay.corpora.text.sections import (
    Section,
    TextBlock,
    blocks_of,
    ends_of,
    fences_of,
    sections_of,
)
from assay.records import ChunkedDocument, Chunker, Document

__all__ = ["text"]

HEADING = "heading"
SMALL = 0.25  # of a chunk: a section below that joins the next one beside it
# After a full stop with its quotes and brackets, or at an item of a list.
SENTENCE = re.compile(rb"[.!?][\"')\]]*+\s++|\xe3\x80\x82|\n(?=[ \t]*+(?:[-*+]|\d++[.)])[ \t])")


def text(*, chunk_size: int = 256, overlap: int = 0) -> Chunker:
    """Split text between sections, then paragraphs, lists, tables and code, then sentences.

    Tokens are estimated: one is up to eight letters, three digits, or a mark. Each chunk but the
    first begins with the last ``overlap`` tokens before it, which count as its own.
    """
    tokens("text", chunk_size, overlap)
    return partial(_chunked, most=chunk_size - overlap, overlap=overlap)


class _Cut(NamedTuple):
    """A span with the headings above it; ``whole`` if it is a section with all that is under it."""

    span: Span
    kind: str
    trail: tuple[str, ...]
    whole: bool = False


def _chunked(document: Document, *, most: int, overlap: int) -> ChunkedDocument:
    if (empty := empty_chunks(document)) is not None:
        return empty
    data = encode(document)
    ruler = by_tokens(data)
    cuts = _joined(_cuts(ruler, document.language, most), ruler, most)
    pieces = (_piece(cut, document.title, ruler, overlap) for cut in cuts)
    return ChunkedDocument(tuple(make_chunks(document, data, pieces)))


def _piece(cut: _Cut, title: str, ruler: Ruler, overlap: int) -> ChunkSpan:
    start, end = cut.span
    above = " > ".join(dict.fromkeys(name for name in (title, *cut.trail) if name))
    return ChunkSpan((ruler.back(start, overlap), end), cut.kind, above)


def _joined(cuts: Iterator[_Cut], ruler: Ruler, most: int) -> Iterator[_Cut]:
    """Join what says little alone to what follows it, where both fit."""
    held = next(cuts)
    for cut in cuts:
        fits = ruler.size(held.span[0], cut.span[1]) <= most
        small = fits and ruler.size(*held.span) < most * SMALL
        if held.kind == HEADING and fits:
            held = cut._replace(span=(held.span[0], cut.span[1]), kind="section")
        elif small and held.whole and cut.whole and held.trail[:-1] == cut.trail[:-1]:
            # The last heading of the trail stays in the text; above both are those before it.
            held = held._replace(span=(held.span[0], cut.span[1]), trail=(*held.trail[:-1], ""))
        else:
            yield held
            held = cut
    yield held


def _cuts(ruler: Ruler, language: str, most: int) -> Iterator[_Cut]:
    """Yield each section that fits with all that is under it; of others, what they are made of."""
    data, done = ruler.data, 0
    fences = fences_of(data, language)
    sections = sections_of(data, language, fences)
    for section, (own, whole) in zip(sections, ends_of(sections, len(data)), strict=True):
        if section.start < done:
            continue
        if section.level and ruler.size(section.start, whole) <= most:
            done = whole
            yield _Cut((section.start, whole), "section", section.trail, whole=True)
        else:
            blocks = blocks_of(data, section.start, own, fences)
            yield from _of_blocks(section, own, blocks, ruler, most)


def _of_blocks(
    section: Section, own: int, blocks: list[TextBlock], ruler: Ruler, most: int
) -> Iterator[_Cut]:
    """Yield what a section itself is made of, of which the first has the heading."""
    spans = _packed(blocks, ruler, most)
    first = "section" if ruler.size(section.body, own) else HEADING
    for span, kind in zip(spans, _kinds(spans, blocks), strict=True):
        headed = section.level > 0 and span is spans[0]
        yield _Cut(span, first if headed else kind, section.trail)


def _packed(blocks: list[TextBlock], ruler: Ruler, most: int) -> list[Span]:
    """Merge neighbours that fit together, from the first to the last."""
    spans = [span for block in blocks for span in _apart(block, ruler, most)]
    return join_small(merge_spans(spans, ruler, most), ruler, 0, most)


def _apart(block: TextBlock, ruler: Ruler, most: int) -> Iterator[Span]:
    """Leave a block whole if it fits; else yield its sentences, or lines."""
    start, end, kind = block
    if ruler.size(start, end) <= most:
        yield start, end
        return
    found = SENTENCE.finditer(ruler.data, start, end) if kind == "paragraph" else ()
    places = [each.end() for each in found]
    for one, two in zip([start, *places], [*places, end], strict=True):
        yield from ruler.cut(one, two, most)


def _kinds(spans: list[Span], blocks: list[TextBlock]) -> Iterator[str]:
    """Name what each span is made of: one kind of block, or a section of several."""
    rest = blocks[::-1]
    for start, end in spans:
        while rest and rest[-1].end <= start:
            rest.pop()
        inside = takewhile(lambda block: block.start < end, reversed(rest))  # noqa: B023 - used here
        kinds = {block.kind for block in inside}
        yield kinds.pop() if len(kinds) == 1 else "section"
