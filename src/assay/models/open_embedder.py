"""Whatever names an embedding model -> the model."""

from pathlib import Path
from typing import cast

from assay.models import embedders
from assay.models._open_model import open_model
from assay.records import Track, untracked
from assay.records.model import Embedder

__all__ = ["open_embedder"]


def open_embedder(model: object, *, folder: Path, track: Track = untracked) -> Embedder:
    """Open a model by a word, a folder or a mapping; ``folder`` keeps what is made of weights.

    ``minilm``, ``static``, ``openai:text-embedding-3-small``, ``ollama:nomic-embed-text``,
    ``sentence-transformers:NAME``, a folder with model.onnx and tokenizer.json, or a mapping with
    settings such as {"model": "minilm", "precision": "float32"}. A model is returned as it is.
    ``track`` shows the preparation of a model, which takes some seconds once.
    """
    if hasattr(model, "embed"):
        return cast("Embedder", model)
    return cast("Embedder", open_model(embedders, model, folder=folder, track=track))
