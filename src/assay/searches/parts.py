"""A configuration -> the parts that it is made of: chunker, lexical index, model, reranker."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from assay.catalogue import find
from assay.records import (
    Chunk,
    Chunker,
    Configuration,
    Embedder,
    LexicalIndex,
    PairScorer,
    TokenEmbedder,
    Track,
    untracked,
)
from assay.searches.configuration.lexical_settings import LEXICAL
from assay.searches.configuration.running import has_device
from assay.searches.configuration.word_lists import LISTS, content_of
from assay.workspace.blobs import Blobs

__all__ = [
    "chunker_of",
    "embedder_of",
    "graph_settings",
    "index_settings",
    "is_approximate",
    "lexical_at",
    "lexical_settings",
    "reranker_of",
    "text_of",
    "whole",
]

VERSION = 1  # of what an index holds: raised when an older one cannot be searched any more


def chunker_of(configuration: Configuration, embedder: Embedder | None = None) -> Chunker:
    """Make the chunker with the settings that it knows.

    A document whose vector was given to the ``embedder`` is a chunk, even without a word.
    """
    from assay.corpora import chunkers

    make = cast("Callable[..., Chunker]", find(chunkers, configuration.chunker))
    known = inspect.signature(make).parameters
    settings = _chunking(configuration) | {"keep": getattr(embedder, "has", None)}
    return make(**{key: value for key, value in settings.items() if key in known})


def _chunking(configuration: Configuration) -> dict[str, Any]:
    names = ("chunk_size", "overlap", "min_chunk", "merge_below", "greedy")
    return {name: getattr(configuration, name) for name in names}


def embedder_of(
    configuration: Configuration, *, folder: Path, track: Track = untracked
) -> Embedder | None:
    """Open the model of a configuration; ``folder`` keeps what is made of its weights."""
    if configuration.model is None:
        return None
    from assay.models.open_embedder import open_embedder

    return open_embedder(_on_device(configuration, "embedders"), folder=folder, track=track)


def reranker_of(
    configuration: Configuration, embedder: Embedder | None, memory: Blobs | None
) -> PairScorer:
    """Open the reranker; ``memory`` keeps the token vectors of documents."""
    from assay.models.open_reranker import open_reranker

    tokens = cast("TokenEmbedder | None", embedder if hasattr(embedder, "embed_tokens") else None)
    chosen = _on_device(configuration, "rerankers")
    return open_reranker(chosen, embedder=tokens, blobs=memory)


def _on_device(configuration: Configuration, package: str) -> object:
    """Return the model with the device that it is to compute on, if it has such a setting."""
    model = configuration.model if package == "embedders" else configuration.rerank
    if configuration.device is None or not has_device(f"models.{package}", str(model)):
        return model
    return {"model": model, "device": configuration.device}


def graph_settings(configuration: Configuration) -> dict[str, int]:
    """Name the settings with which an approximate index is built; searches share it."""
    given = {name: getattr(configuration, name) for name in ("m", "ef_construction", "lists")}
    return {name: value for name, value in given.items() if value is not None}


def is_approximate(configuration: Configuration) -> bool:
    """Tell whether an approximate index is asked for, however small the collection is."""
    return configuration.dense not in (None, "exact")


def lexical_at(configuration: Configuration, folder: Path) -> LexicalIndex:
    """Open or create the lexical index of a configuration in a folder."""
    from assay.engines import lexical

    make = cast("Callable[..., LexicalIndex]", find(lexical, str(configuration.lexical)))
    return make(folder, **lexical_settings(configuration))


def lexical_settings(configuration: Configuration) -> dict[str, Any]:
    """Return how a lexical index is asked, as its engine takes it."""
    given = {name: getattr(configuration, name) for name in LEXICAL}
    settings = {name: value for name, value in given.items() if value is not None}
    settings |= {name: content_of(name, settings[name]) for name in LISTS if name in settings}
    return settings | ({"code_fields": settings["fields"]} if "fields" in settings else {})


def text_of(chunk: Chunk) -> str:
    """Give the text that a model sees of a chunk: what stands above it, and itself."""
    return f"{chunk.title}\n{chunk.text}" if chunk.title else chunk.text


def whole(chunks: Sequence[Chunk]) -> Chunk:
    """Join a document's chunks again, with all that they define; overlaps are left out."""
    first, last = chunks[0], chunks[-1]
    ends = [0, *(chunk.end for chunk in chunks)]
    texts = [
        chunk.text.encode()[max(0, end - chunk.start) :].decode("utf-8", "replace")
        if end > chunk.start
        else chunk.text
        for chunk, end in zip(chunks, ends, strict=False)
    ]
    return Chunk(
        document=first.document,
        start=first.start,
        end=last.end,
        lines=(first.lines[0], last.lines[1]),
        text="".join(texts),
        path=first.path,
        title=first.title,
        symbols=tuple(dict.fromkeys(name for chunk in chunks for name in chunk.symbols)),
        kind="document",
        page=first.page,
    )


def index_settings(configuration: Configuration, embedder: Embedder | None) -> dict[str, object]:
    """Name all that decides what an index holds; searches that differ in the rest share it."""
    built = {"version": VERSION, "chunker": configuration.chunker, **_chunking(configuration)}
    if configuration.lexical is not None:
        from assay.engines.lexical import TOKENS

        unit = configuration.lexical_unit
        built |= {"lexical": configuration.lexical, "lexical_unit": unit, "tokens": TOKENS}
        built |= {"language": configuration.language} if configuration.language else {}
    if embedder is not None:
        built |= {"model": embedder.fingerprint, "precision": configuration.precision}
    return built
