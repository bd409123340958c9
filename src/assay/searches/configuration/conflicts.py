"""Settings that would have no effect, or do not go together: both are refused."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from assay import catalogue
from assay.errors import InputError
from assay.models.model_hint import with_example
from assay.records import Configuration, MmrSettings
from assay.records.configuration import GIVEN
from assay.searches.configuration.lexical_settings import LEXICAL, idle_in_engine
from assay.searches.configuration.member_settings import takes
from assay.searches.configuration.nested_settings import (
    is_asked,
    is_store,
    store_settings,
    system_settings,
)
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.running import idle_device, idle_price

__all__ = [
    "CHUNKING",
    "DEFAULTS",
    "GRAPH",
    "IDLE",
    "OWN",
    "TOP_K",
    "WHOLE",
    "conflicts",
    "depth_of",
    "idle",
    "unseen",
]

WHOLE = "whole"  # the chunker of vectors that are given, one for each document
CHUNKING = ("chunk_size", "overlap", "min_chunk", "merge_below", "greedy")
GRAPH = ("m", "ef_construction", "ef_search", "lists", "probes")  # of approximate indexes
TOP_K = 100
CANDIDATES = 400  # of coherence, as ConsciousDB has it: with fewer it has less to go by
# The settings of which each search has no use, and those that it cannot do without.
IDLE = {
    "lexical": ("dense", *GRAPH, "model", "precision", "fusion", "weights", "rrf_k"),
    "dense": ("lexical", "lexical_unit", *LEXICAL, "fusion", "weights", "rrf_k"),
    "hybrid": (),
}
USED = {
    "lexical": ("lexical", "lexical_unit"),
    "dense": ("dense", "model", "precision"),
    "hybrid": ("lexical", "lexical_unit", "dense", "model", "precision", "fusion"),
}
OWN = ("lexical", "lexical_unit", *LEXICAL, "dense", *GRAPH, "precision")  # of our own indexes
_unused = partial(Problem, idle=True)
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Configuration)}


def idle(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the settings that would change nothing, or that nothing could be made of."""
    if is_asked(given.get("system")):
        yield from _idle_beside(given)
        yield from idle_price(given, search="")
        return
    search = given.get("search", DEFAULTS["search"])
    yield from _idle_parts(given, search)
    if is_store(given.get("system")):
        yield from _idle_in_store(given, search)
    else:
        yield from idle_in_engine(given) if search != "dense" else ()
        yield from _idle_graph(given, search)
    yield from _idle_structure(given, search)
    if given.get("model") == GIVEN and search != "lexical":
        yield from _idle_beside_given(given)
    else:
        yield from _idle_chunking(given, given.get("chunker", DEFAULTS["chunker"]))
    yield from _idle_rerank(given, search)
    yield from idle_device(given, search)
    yield from _idle_in_unit(given)
    yield from idle_price(given, search)
    unit = given.get("lexical_unit") or DEFAULTS["lexical_unit"]
    if "collapse" in given and (search, unit) == ("lexical", "document"):
        hint = "remove it, or add lexical_unit: chunk"
        yield _unused("collapse", "has no effect: lexical search scores whole documents", hint)
    if search == "hybrid":
        yield from _idle_fusion(given)


def _idle_in_unit(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Report what does not go together with chunks or symbols as results."""
    unit = given.get("unit") or DEFAULTS["unit"]
    if unit == "document":
        return
    if given.get("collapse") is not None:
        what = f"has no effect with unit: {unit}, which ranks chunks, not documents"
        yield _unused("collapse", what, "remove it")
    if given.get("lexical_unit") not in (None, "chunk"):
        what = f"must be chunk with unit: {unit}"
        yield Problem("lexical_unit", what, "remove it, or use lexical_unit: chunk")
    if unit == "symbol" and given.get("chunker", "auto") not in ("auto", "code"):
        what = "must be auto or code with unit: symbol: other chunkers know no symbols"
        yield Problem("chunker", what, "use chunker: code, or unit: chunk")


def _idle_beside(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Report settings that have no effect on a system that runs its own search."""
    kind, unit = given["system"]["kind"], given.get("unit") or DEFAULTS["unit"]
    if unit != "document":
        hint = "use unit: document; the ids that it returns may be those of chunks"
        what = f"must not be {kind} with unit: {unit}: it returns ids, not chunks of the corpus"
        yield Problem("system", what, hint)
    own = ("name", "system", "top_k", "unit", "price")
    for name in (name for name in given if name not in own):
        if given[name] is not None:
            what = f"has no effect with system: {kind}, which runs its own search"
            yield _unused(name, what, "remove it")


def _idle_parts(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    stored = is_store(given.get("system"))
    for name in IDLE[search]:
        if given.get(name) is not None:
            yield _unused(
                name, f"has no effect with search: {search}", "remove it, or change search"
            )
    for name in (name for name in OWN if stored and given.get(name) is not None):
        if name not in IDLE[search]:
            kind = given["system"]["kind"]
            what = f"has no effect with system: {kind}, which has its own indexes"
            own = name in system_settings(kind)
            yield _unused(name, what, f"use system.{name}" if own else "remove it")
    for name in () if stored else USED[search]:
        if name in given and given[name] is None:
            hint = "remove it, or change search"
            yield Problem(name, f"must not be null with search: {search}", hint)


def _idle_in_store(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    """Name what a store is told and has no use for, or cannot do."""
    system, words = given["system"], given["system"].get("words", search != "dense")
    unused = {"lexical": "vectors", "dense": "" if words else "words"}.get(search)
    for name in store_settings(system["kind"], unused) if unused else ():
        if name in system:
            hint = "remove it, or change search"
            yield _unused(f"system.{name}", f"has no effect with search: {search}", hint)
    if search != "dense" and system.get("words") is False:
        hint = "remove it, or use search: dense"
        what = f"must not be false with search: {search}, which needs a lexical index"
        yield Problem("system.words", what, hint)
    if search == "lexical" and given.get("threshold") is not None:
        what = f"is not supported: lexical scores of {system['kind']} have no known scale"
        yield _unused("threshold", what, "use search: dense, or search: hybrid with fusion: rrf")


def unseen(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the settings that no ranking shows: where words are counted in whole documents.

    They still decide the place in a document that a search shows.
    """
    chosen = {**DEFAULTS, **given}
    whole = chosen["search"] == "lexical" and chosen["lexical_unit"] == "document"
    for name in (name for name in CHUNKING if name in given and whole and not chosen["rerank"]):
        what = "does not change the ranking: lexical search scores whole documents"
        yield _unused(name, what, "remove it, or add lexical_unit: chunk")


def _idle_chunking(given: Mapping[str, Any], chunker: str) -> Iterator[Problem]:
    known = takes("corpora.chunkers", chunker)
    has = [name for name in CHUNKING if name in known]
    for name in (name for name in CHUNKING if name in given and name not in known):
        hint = f"{chunker} supports {', '.join(has)}" if has else "remove it"
        yield _unused(name, f"has no effect with chunker: {chunker}", hint)


def _idle_graph(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    kind = given.get("dense") or DEFAULTS["dense"]
    known = takes("engines.dense", kind) if search != "lexical" else GRAPH
    has = [name for name in GRAPH if name in known]
    for name in (name for name in GRAPH if given.get(name) is not None and name not in known):
        other = "ivf" if name in ("lists", "probes") else "hnsw"
        also = f"; {kind} supports {', '.join(has)}" if has else ""
        hint = f"remove it, or use dense: {other}{also}"
        yield _unused(name, f"has no effect with dense: {kind}", hint)


def _idle_beside_given(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the settings of chunks: a document whose vector is given is one chunk."""
    for name in ("chunker", *CHUNKING, "collapse"):
        if name in given and (name, given[name]) != ("chunker", WHOLE):
            what = "has no effect with model: given, which has one vector per document"
            yield _unused(name, what, "remove it")


def _idle_rerank(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    if given.get("rerank_depth") is not None and given.get("rerank") is None:
        yield _unused(
            "rerank_depth", "has no effect without rerank", "remove it, or add rerank: maxsim"
        )
    if given.get("rerank") == "maxsim" and search == "lexical":
        hint = f"use search: hybrid or dense, or rerank: {with_example('cross-encoder')}"
        what = f"must not be maxsim with search: {search}, which uses no model"
        yield _unused("rerank", what, hint)


def _idle_structure(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    """Name what structure cannot be used with, and what it makes useless."""
    coherence, mmr = given.get("coherence"), given.get("mmr")
    if coherence not in (None, False):
        yield from _beside_coherence(given, search)
    if mmr not in (None, False) and search == "lexical":
        yield _unused("mmr", "is not supported with search: lexical", "use search: dense or hybrid")
    settings = mmr if isinstance(mmr, Mapping) else {}
    if settings.get("always"):
        for name in (name for name in ("min_k", "min_redundancy") if name in settings):
            yield _unused(f"mmr.{name}", "has no effect with always: true", "remove one of them")


def _beside_coherence(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    settings = given["coherence"] if isinstance(given["coherence"], Mapping) else {}
    if search != "dense":
        hint = "add search: dense; coherence ranks by vectors"
        yield _unused("coherence", f"is not supported with search: {search}", hint)
    if given.get("rerank") is not None:
        yield _unused(
            "rerank", "has no effect with coherence, which ranks by vectors", "remove one of them"
        )
    if given.get("collapse", "max") != "max":
        yield Problem(
            "collapse",
            "must be max with coherence, which uses one vector per document",
            "use collapse: max",
        )
    if settings.get("graph", "exact") == "exact":
        for name in (name for name in ("directions", "min_overlap") if name in settings):
            hint = "remove it, or add graph: approximate"
            yield _unused(f"coherence.{name}", "has no effect with graph: exact", hint)
    if settings.get("use_mmr") is False and given.get("mmr") not in (None, False):
        yield Problem("coherence.use_mmr", "is false, but mmr is set", "remove one of them")
    if settings.get("use_mmr") and given.get("mmr") is False:
        yield Problem("coherence.use_mmr", "is true, but mmr is false", "remove one of them")


def _idle_fusion(given: Mapping[str, Any]) -> Iterator[Problem]:
    stored = is_store(given.get("system"))
    fusion = given.get("fusion") or ("rrf" if stored else DEFAULTS["fusion"])
    if fusion == "blend" and stored:
        hint = "use fusion: rrf, min_max or z_score"
        what = 'invalid value "blend": a store does not provide the scores of all documents'
        yield Problem("fusion", what, hint)
    if given.get("rrf_k") is not None and fusion != "rrf":
        yield _unused(
            "rrf_k", f"has no effect with fusion: {fusion}", "remove it, or add fusion: rrf"
        )
    if given.get("weights") is not None and "weights" not in takes("engines.fusions", fusion):
        yield _unused("weights", f"have no effect with fusion: {fusion}", "remove them")
    if given.get("threshold") is not None:
        yield from _senseless_threshold(fusion)


def _senseless_threshold(fusion: str) -> Iterator[Problem]:
    """Refuse a threshold on scores that are rescaled for each query."""
    from assay.engines import fusions
    from assay.engines.stages.threshold import threshold

    make: Any = catalogue.find(fusions, fusion)
    try:
        threshold(0.5, kind=make().kind)
    except InputError as error:
        yield _unused("threshold", f"is not supported with fusion: {fusion}", error.hint)


def depth_of(given: Mapping[str, Any]) -> int:
    """Return how many each part retrieves: more than usual where coherence ranks them."""
    ranked = given.get("coherence") not in (None, False)
    depth = given.get("depth")
    return int(depth if depth is not None else CANDIDATES if ranked else DEFAULTS["depth"])


def conflicts(given: Mapping[str, Any], cutoff: int | None) -> Iterator[Problem]:
    """Name the numbers that do not go together."""
    chosen = {**DEFAULTS, **{key: value for key, value in given.items() if value is not None}}
    depth, size = depth_of(given), chosen["chunk_size"]
    top_k = given.get("top_k", min(TOP_K, depth))
    parts = 2 if chosen["search"] == "hybrid" else 1
    if "overlap" in given and given["overlap"] >= size:
        yield Problem(
            "overlap", f"must be smaller than chunk_size ({size})", f"use e.g. {size // 8}"
        )
    asked = is_asked(given.get("system"))  # how deep it looks is its own affair
    if top_k > depth and not asked:
        hint = f"lower it, or raise depth to at least {top_k}"
        yield Problem("top_k", f"must not exceed depth ({depth})", hint)
    if cutoff is not None and top_k < cutoff:
        name = "top_k" if "top_k" in given or "depth" not in given else "depth"
        deep = "" if asked else f" and depth: {max(depth, cutoff)} or more"
        hint = f"use top_k: {cutoff}{deep}, or remove that metric"
        yield Problem(name, f"is less than the largest k of the metrics ({cutoff})", hint)
    yield from _graph_conflicts(given, chosen["search"], cutoff)
    mmr = chosen["mmr"] if isinstance(chosen["mmr"], Mapping) else {}
    if mmr.get("k", 0) > top_k:
        yield Problem("mmr.k", f"exceeds top_k ({top_k})", "lower it, or raise top_k")
    if mmr.get("pool") and mmr["pool"] < mmr.get("k", MmrSettings().k):
        yield Problem("mmr.pool", "is smaller than mmr.k", "raise it to at least mmr.k")
    if chosen["rerank_depth"] and chosen["rerank_depth"] > parts * depth:
        yield Problem(
            "rerank_depth",
            f"exceeds the number of retrieved results ({parts * depth})",
            "lower it, or raise depth",
        )


def _graph_conflicts(
    given: Mapping[str, Any], search: str, cutoff: int | None
) -> Iterator[Problem]:
    """Name sizes of an approximate index that leave less to search than is asked of it."""
    ef_search, lists, probes = (given.get(name) for name in ("ef_search", "lists", "probes"))
    if cutoff is not None and search == "dense" and ef_search is not None and ef_search < cutoff:
        what = f"is less than the largest k of the metrics ({cutoff})"
        hint = f"use ef_search: {cutoff} or more, or remove that metric: hnsw returns no more"
        yield Problem("ef_search", what, hint)
    if lists is not None and probes is not None and probes > lists:
        yield Problem("probes", f"exceeds lists ({lists})", "lower it, or raise lists")
