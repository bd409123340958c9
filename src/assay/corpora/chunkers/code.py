"""Programs are cut along their syntax: whole functions and classes where they fit."""

from functools import partial
from typing import NamedTuple

from assay.corpora.chunkers._broken import is_broken
from assay.corpora.chunkers._make_chunks import as_chunks, bare, encoded
from assay.corpora.chunkers._merge_spans import merged, without_small
from assay.corpora.chunkers._settings import positive, ratio, switch, tokens
from assay.corpora.chunkers._symbols import described
from assay.corpora.chunkers._syntax_spans import Budget, spans_of
from assay.corpora.chunkers.text import text
from assay.corpora.programs.outline import outline
from assay.corpora.programs.parse import find_in, parse
from assay.corpora.text.ruler import Ruler, Span, by_characters
from assay.records import Chunked, Chunker, Document

__all__ = ["code"]


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
    """Cut programs between their parts (cAST); what does not parse is cut as text.

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


def _chunked(document: Document, *, settings: _Settings, otherwise: Chunker) -> Chunked:
    if (empty := bare(document)) is not None:
        return empty
    data = encoded(document)
    tree = parse(data, document.language)
    ruler = by_characters(data)
    if tree is None or is_broken(tree, ruler):
        return Chunked(otherwise(document).chunks, fallback=True)
    spans = _spans(spans_of(tree, ruler, settings.budget), ruler, settings)
    parts = outline(find_in(tree, document.language), data)
    pieces = described(spans, parts, ruler, document.title)
    return Chunked(tuple(as_chunks(document, data, pieces)))


def _spans(spans: list[Span], ruler: Ruler, settings: _Settings) -> list[Span]:
    most, up_to = settings.budget
    if settings.greedy:
        spans = merged(spans, ruler, up_to)
    return without_small(spans, ruler, settings.least, most + settings.least)
