"""A transformer in a folder of this machine: model.onnx and tokenizer.json."""

from pathlib import Path

from assay.errors import InputError
from assay.models.inference.encoder import Encoder
from assay.models.inference.open_folder import open_folder
from assay.models.inference.windows import Windows
from assay.records.model import Embedder

__all__ = ["onnx"]

LARGEST = 1 << 20  # no bound of ours: the model says what it can read


def onnx(
    path: str,
    *,
    pooling: str = "mean",
    window: int = 256,
    long: str = "split",
    threads: int | None = None,
) -> Embedder:
    """Open the model as it is; ``pooling`` is mean or cls, as the model was trained."""
    if pooling not in ("mean", "cls"):
        hint = "it is mean or cls"
        raise InputError(f"pooling cannot be {pooling!r}", where="model", hint=hint)
    session, tokenizer, origin = open_folder(path)
    windows = Windows(tokenizer, window, largest=LARGEST, long=long)
    name = Path(path).expanduser().resolve().name
    return Encoder(name, session, windows, origin=origin, pooling=pooling, threads=threads)
