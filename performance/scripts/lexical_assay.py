"""Search words with one of Assay's engines: python lexical_assay.py ENGINE FOLDER CHUNKS."""

import sys
import time
from pathlib import Path

from _lexical import chunks, queries, report

from assay import catalogue
from assay.engines import lexical

_, engine, folder, count = sys.argv
fresh = not Path(folder).exists()
index = catalogue.find(lexical, engine)(Path(folder))  # type: ignore[operator]
taken = None
if fresh:
    texts = list(chunks(int(count)))
    start = time.process_time()
    index.add(range(len(texts)), texts)
    index.commit()
    taken = time.process_time() - start
asked = [" ".join(words) for words in queries()]
report(
    lambda number, depth: index.search(asked[number], depth).rows.tolist(),
    build_s=taken,
    size_bytes=index.size_bytes,
)
