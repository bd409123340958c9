"""Embed texts with Assay: python embed_assay.py TEXTS VECTORS FOLDER split|cut."""

import json
import sys
import time
from pathlib import Path

import numpy as np

from assay.models.embedders.minilm import minilm

_, source, target, folder, long = sys.argv
texts = json.loads(Path(source).read_text(encoding="utf-8"))
# sentence-transformers reads 256 tokens with the two that frame a text; Assay counts without.
settings = {"window": 254, "long": "cut"} if long == "cut" else {}
model = minilm(folder=Path(folder), **settings)
model.embed(texts[:32])
cpu, wall = time.process_time(), time.perf_counter()
vectors = model.embed(texts)
taken = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall}
np.save(target, vectors)
print(json.dumps(taken))
