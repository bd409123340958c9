"""One way to search: what is built, and how it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Configuration"]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A complete set of choices; what is left out is the default search.

    ``search`` is hybrid, lexical or dense. ``chunk_size`` and ``overlap`` are in tokens. ``depth``
    is how many each part retrieves, ``top_k`` how many documents come out. ``lexical_unit`` says
    whether words are counted in whole documents or in chunks; auto: in whole files of code, and in
    chunks of prose. ``coherence`` and ``mmr`` hold the settings of those stages, none of them if
    empty. ``system`` describes what searches instead: its ``kind``, and settings of that kind.
    Where a choice has no effect (``model`` of a lexical search) it is None.
    """

    name: str = "default"
    search: str = "hybrid"
    chunker: str = "auto"
    chunk_size: int = 256
    overlap: int = 0
    min_chunk: int = 0
    merge_below: float = 1.0
    greedy: bool = True
    lexical: str | None = "tantivy"
    lexical_unit: str | None = "auto"
    dense: str | None = "exact"
    model: str | None = "minilm"
    precision: str | None = "int8"
    fusion: str | None = "blend"
    weights: tuple[float, float] | None = None
    rrf_k: int | None = None
    depth: int = 200
    rerank: str | None = None
    rerank_depth: int | None = None
    threshold: float | None = None
    collapse: str = "max"
    top_k: int = 100
    coherence: Mapping[str, Any] | None = None
    mmr: Mapping[str, Any] | None = None
    system: Mapping[str, Any] | None = None
