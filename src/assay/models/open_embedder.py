"""The name of an embedding model -> the model."""

from pathlib import Path
from typing import cast

from assay.models import embedders
from assay.models._open_model import open_model
from assay.records import Track, untracked
from assay.records.model import Embedder

__all__ = ["open_embedder"]


def open_embedder(model: object, *, folder: Path, track: Track = untracked) -> Embedder:
    """Open an embedding model by its name, by a folder, or by a mapping with settings.

    Names are ``minilm``, ``static``, ``openai:text-embedding-3-small``,
    ``ollama:nomic-embed-text``, ``sentence-transformers:BAAI/bge-small-en``; a folder contains
    model.onnx and tokenizer.json; a mapping is e.g. {"model": "minilm", "precision": "float32"}. A
    model object is returned unchanged. ``folder`` stores quantized weights, and ``track`` shows
    the preparation of a model, which takes some seconds on first use.
    """
    if hasattr(model, "embed"):
        return cast("Embedder", model)
    return cast("Embedder", open_model(embedders, model, folder=folder, track=track))
