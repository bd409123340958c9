"""Search with tantivy alone, given the same terms: python lexical_tantivy.py FOLDER CHUNKS.

The terms of every query, and those of every chunk, are made before the clock starts.
"""

import sys
import time
from pathlib import Path

from _lexical import chunks, queries, report
from tantivy import Document, Index, Occur, Query, SchemaBuilder

from assay.engines.lexical._fields import CODE_WEIGHTS, WEIGHTS, written
from assay.engines.lexical._settings import LexicalSettings
from assay.engines.lexical._terms import QueryReader
from assay.engines.words.tokens import tokens_of

_, folder, count = sys.argv
fresh = not Path(folder).exists()
Path(folder).mkdir(exist_ok=True)
builder = SchemaBuilder()
for field in WEIGHTS:
    builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
builder.add_integer_field("row", fast=True)
schema = builder.build()
index = Index(schema, path=folder)
tokens = tokens_of()
taken = None
if fresh:
    texts = [written(chunk, tokens) for chunk in chunks(int(count))]
    start = time.process_time()
    writer = index.writer(400_000_000, 1)
    for row, values in enumerate(texts):
        writer.add_document(Document.from_dict({**values, "row": row}, schema))
    writer.commit()
    writer.wait_merging_threads()
    taken = time.process_time() - start
index.reload()
searcher = index.searcher()
settings = LexicalSettings(
    engine="tantivy",
    fields=WEIGHTS,
    code_fields=CODE_WEIGHTS,
    query_counts=True,
    max_terms=512,
    code_terms=64,
)
read = QueryReader(settings)
asked = [read(" ".join(words)).words for words in queries()]


def search(number: int, depth: int) -> list[int]:
    """Ask for every term in every field, and read the row of each hit."""
    terms = [
        (Occur.Should, Query.boost_query(Query.term_query(schema, field, term, "freq"), weight * n))
        for term, n in asked[number].items()
        for field, weight in WEIGHTS.items()
    ]
    hits = searcher.search(Query.boolean_query(terms), depth, count=False).hits
    return searcher.fast_field_values("row", [address for _, address in hits])  # type: ignore[return-value]


size = sum(path.stat().st_size for path in Path(folder).iterdir())
report(search, build_s=taken, size_bytes=size)
