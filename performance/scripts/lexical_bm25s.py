"""Search with bm25s, given the same terms, in one field: python lexical_bm25s.py FOLDER CHUNKS."""

import sys
import time
from pathlib import Path

import bm25s
from _lexical import chunks, queries, report

from assay.engines.lexical._fields import CODE_WEIGHTS, WEIGHTS, written
from assay.engines.lexical._settings import LexicalSettings
from assay.engines.lexical._terms import wanted
from assay.engines.words.tokens import tokens_of

_, folder, count = sys.argv
fresh = not Path(folder).exists()
tokens = tokens_of()
taken = None
if fresh:
    texts = [" ".join(written(chunk, tokens).values()).split() for chunk in chunks(int(count))]
    start = time.process_time()
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(texts, show_progress=False)
    taken = time.process_time() - start
    index.save(folder)
index = bm25s.BM25.load(folder)
settings = LexicalSettings(
    engine="tantivy",
    stem=True,
    fields=WEIGHTS,
    code_fields=CODE_WEIGHTS,
    query_counts=True,
    max_terms=512,
    code_terms=64,
)
asked = [[list(wanted(" ".join(words), tokens, settings).words)] for words in queries()]


def search(number: int, depth: int) -> list[int]:
    """Ask for all terms of a query."""
    rows, _ = index.retrieve(asked[number], k=depth, show_progress=False, n_threads=0)
    return [int(row) for row in rows[0]]


size = sum(path.stat().st_size for path in Path(folder).iterdir())
report(search, build_s=taken, size_bytes=size)
