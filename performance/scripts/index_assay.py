"""Index a folder, again and again: python index_assay.py CORPUS WORKSPACE SEARCH TURNS.

The same call in one process. Before each turn but the first, one file gets another line.
"""

import json
import sys
import time
from pathlib import Path

from assay.records import untracked
from assay.searches.configuration.configuration import configuration
from assay.searches.current_index import IndexRequest, current_index

_, corpus, workspace, search, turns = sys.argv
wanted = IndexRequest(corpus, configuration({"name": "index", "search": search}), workspace)
file = min(Path(corpus).rglob("*.py"))
seconds = []
for turn in range(int(turns)):
    if turn:
        with file.open("a", encoding="utf-8") as opened:
            opened.write(f"\n# turn {turn}\n")
    start = time.process_time()
    index = current_index(wanted, track=untracked)
    seconds.append(time.process_time() - start)
done = {"cpu_s": seconds, "documents": index.indexed.documents, "chunks": index.indexed.chunks}
print(json.dumps({**done, "sizes": index.store.sizes()}))
