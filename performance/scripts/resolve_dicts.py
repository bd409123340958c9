"""The plain way: index the whole corpus in dicts, then look up. Same arguments as resolve_assay."""

import json
import sys
import time

from _resolving import dataset, documents

_, case, queries, references, corpus = sys.argv
asked = dataset(case, int(queries), int(references), int(corpus))
start = time.process_time()
paths: dict[str, list[str]] = {}
names: dict[str, list[str]] = {}
for document in documents(int(corpus)):
    paths.setdefault(document.path, []).append(document.id)
    names.setdefault(document.file_name, []).append(document.id)
sizes = []
for query in asked.queries:
    for judgment in query.judgments:
        reference = judgment.reference
        if reference.match == "substring":  # the loop that people write
            found = [id_ for path in paths if reference.path in path for id_ in paths[path]]
        else:
            found = paths.get(reference.path) or names.get(reference.file_name) or []
        sizes.append(len(found))
taken = time.process_time() - start
many = sum(size > 1 for size in sizes) if case != "substring" else 0
counts = {"ambiguous": many, "missing": sizes.count(0)}
print(json.dumps({"cpu_s": taken, "resolved": len(sizes) - sum(counts.values()), **counts}))
