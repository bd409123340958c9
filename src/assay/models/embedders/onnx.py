"""Transformer in a local folder with model.onnx and tokenizer.json, e.g. onnx:models/bge-small."""

from pathlib import Path

from assay.errors import InputError
from assay.models.inference.encoder import Encoder
from assay.models.inference.open_folder import open_folder
from assay.models.inference.windows import Windows
from assay.records.model import Embedder
from assay.text.quote import quote_value

__all__ = ["onnx"]

LARGEST = 1 << 20  # no bound of ours: the model says what it can read


def onnx(
    path: str,
    *,
    pooling: str = "mean",
    window: int = 256,
    long: str = "split",
    threads: int | None = None,
    device: str = "cpu",
) -> Embedder:
    """Open the model; ``pooling`` is mean or cls, as the model was trained.

    ``device`` is cpu, cuda, or auto: cuda where it is available.
    """
    if pooling not in ("mean", "cls"):
        hint = "expected mean or cls"
        raise InputError(f"unknown pooling {quote_value(pooling)}", where="model", hint=hint)
    session, tokenizer, origin = open_folder(path, device=device)
    windows = Windows(tokenizer, window, largest=LARGEST, long=long)
    name = Path(path).expanduser().resolve().name
    return Encoder(name, session, windows, origin=origin, pooling=pooling, threads=threads)
