"""Programs are split as code, everything else as text."""

from functools import partial

from assay.corpora.chunkers.code import code
from assay.corpora.chunkers.text import text
from assay.corpora.programs.parsable_languages import parsable_languages
from assay.records import ChunkedDocument, Chunker, Document

__all__ = ["auto"]


def auto(
    *,
    chunk_size: int = 256,
    overlap: int = 0,
    min_chunk: int = 0,
    merge_below: float = 1.0,
    greedy: bool = True,
    characters_per_token: float = 2.6,
) -> Chunker:
    """Split documents in a supported programming language as code, others as text.

    ``overlap`` applies to text only, the settings after it to code only.
    """
    programs = code(
        chunk_size=chunk_size,
        min_chunk=min_chunk,
        merge_below=merge_below,
        greedy=greedy,
        characters_per_token=characters_per_token,
    )
    return partial(_chunked, programs=programs, prose=text(chunk_size=chunk_size, overlap=overlap))


def _chunked(document: Document, *, programs: Chunker, prose: Chunker) -> ChunkedDocument:
    return programs(document) if document.language in parsable_languages() else prose(document)
