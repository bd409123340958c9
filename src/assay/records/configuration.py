"""One way to search: what is built, and how it is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

__all__ = ["GIVEN", "UNSAID", "Configuration", "comparable"]

GIVEN = "given"  # the model whose vectors the corpus and the dataset bring

# What a lexical search does that its configuration does not say; the weights are those for prose.
UNSAID: Mapping[str, Any] = MappingProxyType(
    {
        **{"k1": 1.2, "b": 0.75, "language": "english", "stop_words": "english"},
        **{"fields.body": 1.0, "fields.names": 0.3, "fields.path": 0.5, "fields.title": 0.25},
        "synonyms": "none",
    }
)


def comparable(told: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Add to the settings of lexical searches what only others of them say.

    >>> comparable([{"lexical": "tantivy"}, {"lexical": "tantivy", "language": "german"}])[0]
    {'lexical': 'tantivy', 'language': 'english'}
    """
    said = {name: value for name, value in UNSAID.items() if any(name in one for one in told)}
    return [{**one, **said, **one} if one.get("lexical") else dict(one) for one in told]


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of a search; those that are omitted have their defaults.

    ``search`` is hybrid, lexical or dense. ``chunk_size`` and ``overlap`` are in tokens. ``depth``
    is the number of results that lexical and dense search retrieve, ``top_k`` the number of
    documents returned. ``lexical_unit`` selects whether lexical search scores documents or chunks;
    auto: whole files of code, and chunks of prose. ``k1`` and ``b`` are those of BM25, in an engine
    that lets them be chosen. ``m``, ``ef_construction`` and ``ef_search`` are settings of hnsw,
    ``lists`` and ``probes`` of ivf. ``device`` is what models compute on: cpu (the default), cuda
    or auto. ``coherence`` and ``mmr`` are the settings of these stages, which are off if empty.
    ``system`` describes an external search instead: its ``kind``, and the settings of that kind.
    ``unit`` is what is ranked: documents, chunks, or the symbols that chunks define; it is the same
    for all configurations of a benchmark. ``price`` is what it costs to run it, which changes no
    result. A setting without effect (such as the ``model`` of a lexical search) is None.
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
    k1: float | None = None
    b: float | None = None
    fields: Mapping[str, float] | None = None
    language: str | None = None
    stop_words: str | tuple[str, ...] | Mapping[str, str] | None = None
    synonyms: tuple[str, ...] | Mapping[str, str] | None = None
    dense: str | None = "exact"
    m: int | None = None
    ef_construction: int | None = None
    ef_search: int | None = None
    lists: int | None = None
    probes: int | None = None
    model: str | None = "minilm"
    precision: str | None = "int8"
    device: str | None = None
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
    price: Mapping[str, float] | None = None
    unit: str = "document"

    @property
    def has_given_vectors(self) -> bool:
        """Whether its vectors were brought, or those that a system is asked with."""
        return GIVEN in (self.model, (self.system or {}).get("model"))
