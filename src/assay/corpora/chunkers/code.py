"""Programs are split along their syntax: whole functions and classes where they fit."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from assay.corpora.chunkers._make_chunks import empty_chunks, encode, make_chunks
from assay.corpora.chunkers._merge_spans import join_small, merge_spans
from assay.corpora.chunkers._settings import positive, ratio, switch, tokens
from assay.corpora.chunkers._syntax_spans import Budget, syntax_spans
from assay.corpora.chunkers.text import text
from assay.corpora.programs.outline import outline
from assay.corpora.programs.parse import broken, find_in, parse
from assay.corpora.text.ruler import Ruler, Span, by_characters
from assay.records import ChunkedDocument, Chunker, Document

if TYPE_CHECKING:
    import tree_sitter
from collections.abc import Iterator

from assay.corpora.chunkers._make_chunks import ChunkSpan
from assay.corpora.programs.outline import OutlineEntry

__all__ = ["code"]

MOST = 0.3  # of what is not white space; real programs, also broken ones, lose a few percent
MINOR = {"variable", "constant"}  # stand beside other things without being what a chunk is


class _Settings(NamedTuple):
    """The settings, sizes in characters that are not white space."""

    budget: Budget
    least: int
    greedy: bool


def code(
    *,
    chunk_size: int = 256,
    min_chunk: int = 0,
    merge_below: float = 1.0,
    greedy: bool = True,
    characters_per_token: float = 2.6,
) -> Chunker:
    """Split programs between functions and classes (cAST); what does not parse is split as text.

    A chunk has at most ``chunk_size`` x ``characters_per_token`` characters that are not white.
    Neighbours are merged up to ``merge_below`` of that, in the end also across the parts that they
    are in if ``greedy``. One of less than ``min_chunk`` tokens joins a neighbour, even if that
    makes it larger than the budget by as much.
    """
    tokens("code", chunk_size)
    positive("code", "min_chunk", min_chunk, chunk_size)
    ratio("code", "merge_below", merge_below, 0, 1)
    switch("code", "greedy", greedy)
    ratio("code", "characters_per_token", characters_per_token, 0.1, 100)
    most = max(1, round(chunk_size * characters_per_token))
    budget = Budget(most, int(most * merge_below))
    settings = _Settings(budget, round(min_chunk * characters_per_token), greedy)
    return partial(_chunked, settings=settings, otherwise=text(chunk_size=chunk_size))


def _chunked(document: Document, *, settings: _Settings, otherwise: Chunker) -> ChunkedDocument:
    if (empty := empty_chunks(document)) is not None:
        return empty
    data = encode(document)
    tree = parse(data, document.language)
    ruler = by_characters(data)
    if tree is None or _is_broken(tree, ruler):
        return ChunkedDocument(otherwise(document).chunks, fallback=True)
    spans = _spans(syntax_spans(tree, ruler, settings.budget), ruler, settings)
    parts = outline(find_in(tree, document.language), data)
    pieces = _described(spans, parts, ruler, document.title)
    return ChunkedDocument(tuple(make_chunks(document, data, pieces)))


def _spans(spans: list[Span], ruler: Ruler, settings: _Settings) -> list[Span]:
    most, up_to = settings.budget
    if settings.greedy:
        spans = merge_spans(spans, ruler, up_to)
    return join_small(spans, ruler, settings.least, most + settings.least)


def _is_broken(tree: "tree_sitter.Tree", ruler: Ruler) -> bool:
    """Say whether a text was given up, or much of it stands in errors.

    Of an error the parts that are in order do not count.
    """
    root, end = tree.root_node, len(ruler.data)
    if ruler.size(min(root.end_byte, end), end):
        return True
    if not root.has_error:
        return False
    lost = sum(_lost(node, ruler) for node in broken(root) if node.is_error)
    return lost > MOST * ruler.size(0, end)


def _lost(node: "tree_sitter.Node", ruler: Ruler) -> int:
    """Count what is directly in an error."""
    inside = (part for part in node.named_children if part.child_count)
    kept = sum(ruler.size(part.start_byte, part.end_byte) for part in inside)
    return ruler.size(node.start_byte, node.end_byte) - kept


def _described(
    spans: list[Span], parts: list[OutlineEntry], ruler: Ruler, title: str
) -> Iterator[ChunkSpan]:
    """Say of each span what it defines, what it is, and what it is a part of.

    A definition belongs to the span where its name stands.
    """
    named = sorted(parts, key=lambda part: part.named, reverse=True)
    rest = parts[::-1]
    around: list[OutlineEntry] = []
    for start, end in spans:
        here = []
        while named and named[-1].named < end:
            here.append(named.pop())
        first = ruler.first(start)
        while rest and rest[-1].start <= first:
            around.append(rest.pop())
        around = [part for part in around if part.end > first]
        whole = (part for part in reversed(around) if part.named < start)
        outer = next((part for part in whole if not ruler.size(min(part.end, end), end)), None)
        above = f"{outer.kind} {outer.name}" if outer else title
        yield ChunkSpan((start, end), _kind(here, outer), above, _names(here))


def _names(parts: list[OutlineEntry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.name for part in parts))


def _kind(here: list[OutlineEntry], outer: OutlineEntry | None) -> str:
    """Name the one thing that a span defines, else what it is a part of."""
    major = [part for part in here if part.kind not in MINOR]
    reached, top = -1, []
    for part in sorted(major, key=lambda part: (part.start, -part.end)):
        if part.end > reached:
            reached = part.end
            top.append(part)
    if len(top) == 1:
        return top[0].kind
    return outer.kind if outer else "module"
