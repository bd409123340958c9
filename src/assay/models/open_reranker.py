"""The name of a reranker -> the model that scores pairs."""

from typing import cast

from assay.models import rerankers
from assay.models._open_model import open_model
from assay.records.model import PairScorer, TokenEmbedder

__all__ = ["open_reranker"]


def open_reranker(
    model: object, *, embedder: TokenEmbedder | None = None, blobs: object = None
) -> PairScorer:
    """Open a reranker by its name or by a mapping: ``maxsim``, ``cross-encoder:FOLDER``.

    ``embedder`` is the model whose token vectors maxsim compares, and ``blobs`` caches them. A
    reranker object is returned unchanged.
    """
    if hasattr(model, "score"):
        return cast("PairScorer", model)
    return cast("PairScorer", open_model(rerankers, model, embedder=embedder, blobs=blobs))
