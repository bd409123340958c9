"""Prose is cut between its sections, paragraphs and sentences."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import takewhile

from assay.corpora._as_chunks import Piece, as_chunks, bare, encoded
from assay.corpora._merged import merged, without_small
from assay.corpora._ruler import Ruler, Span, by_tokens
from assay.corpora._sections import Block, Section, blocks_of, ends_of, fences_of, sections_of
from assay.corpora._settings import tokens
from assay.records import Chunked, Chunker, Document

__all__ = ["text"]

HEADING = "heading"
# After a full stop with its quotes and brackets, or at an item of a list.
SENTENCE = re.compile(rb"[.!?][\"')\]]*\s+(?=\S)|\xe3\x80\x82|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t])")


def text(*, chunk_size: int = 256, overlap: int = 0) -> Chunker:
    """Keep sections whole where they fit, then paragraphs, lists, tables and code, then sentences.

    Tokens are estimated: one is up to eight letters, three digits, or a mark. Each chunk but the
    first begins with the last ``overlap`` tokens before it, which count as its own.
    """
    tokens("text", chunk_size, overlap)
    return partial(_chunked, most=chunk_size - overlap, overlap=overlap)


def _chunked(document: Document, *, most: int, overlap: int) -> Chunked:
    if (empty := bare(document)) is not None:
        return empty
    data = encoded(document)
    ruler = by_tokens(data)
    pieces: Iterable[Piece] = _with_headings(_pieces(document, ruler, most), ruler, most)
    if overlap:
        pieces = (_from_further_back(piece, ruler, overlap) for piece in pieces)
    return Chunked(tuple(as_chunks(document, data, pieces)))


def _from_further_back(piece: Piece, ruler: Ruler, overlap: int) -> Piece:
    start, end = piece.span
    return piece._replace(span=(ruler.back(start, overlap) if start else 0, end))


def _with_headings(pieces: Iterator[Piece], ruler: Ruler, most: int) -> Iterator[Piece]:
    """Join a heading that stands alone to what follows it, where both fit."""
    held = next(pieces)
    for piece in pieces:
        if held.kind == HEADING and ruler.size(held.span[0], piece.span[1]) <= most:
            held = piece._replace(span=(held.span[0], piece.span[1]), kind="section")
        else:
            yield held
            held = piece
    yield held


def _pieces(document: Document, ruler: Ruler, most: int) -> Iterator[Piece]:
    """Yield each section that fits with all that is under it; of others, what they are made of."""
    data, language = ruler.data, document.language
    fences = fences_of(data, language)
    sections = sections_of(data, language, fences)
    done = 0
    for section, (own, whole) in zip(sections, ends_of(sections, len(data)), strict=True):
        if section.start < done:
            continue
        fits = ruler.size(section.start, whole) <= most
        done = whole if fits else own
        blocks = blocks_of(data, section.start, own, fences)
        spans = [(section.start, done)] if fits else _packed(blocks, ruler, most)
        headed = done > own or section.level > 0
        first = "section" if fits or ruler.size(section.body, own) else HEADING
        title = _title(document.title, section)
        for number, (span, kind) in enumerate(zip(spans, _kinds(spans, blocks), strict=True)):
            yield Piece(span, first if headed and number == 0 else kind, title)


def _title(title: str, section: Section) -> str:
    """Return the headings above a section, below the document's title."""
    return " > ".join(dict.fromkeys(name for name in (title, *section.trail) if name))


def _packed(blocks: list[Block], ruler: Ruler, most: int) -> list[Span]:
    """Merge neighbours that fit together, from the first to the last."""
    spans = [span for block in blocks for span in _apart(block, ruler, most)]
    return without_small(merged(spans, ruler, most), ruler, 0, most)


def _apart(block: Block, ruler: Ruler, most: int) -> Iterator[Span]:
    """Leave a block whole if it fits; else yield its sentences, or lines."""
    start, end, kind = block
    if ruler.size(start, end) <= most:
        yield start, end
        return
    found = SENTENCE.finditer(ruler.data, start, end) if kind == "paragraph" else ()
    places = [each.end() for each in found]
    for one, two in zip([start, *places], [*places, end], strict=True):
        yield from ruler.cut(one, two, most)


def _kinds(spans: list[Span], blocks: list[Block]) -> Iterator[str]:
    """Name what each span is made of: one kind of block, or a section of several."""
    rest = blocks[::-1]
    for start, end in spans:
        while rest and rest[-1].end <= start:
            rest.pop()
        inside = takewhile(lambda block: block.start < end, reversed(rest))  # noqa: B023 - used here
        kinds = {block.kind for block in inside}
        yield kinds.pop() if len(kinds) == 1 else "section"
