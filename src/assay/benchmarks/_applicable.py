"""Settings that would have no effect, or do not go together: both are refused."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from assay import catalogue
from assay.errors import InputError
from assay.records import Configuration

__all__ = [
    "CHUNKING",
    "DEFAULTS",
    "IDLE",
    "TOP_K",
    "Problem",
    "conflicts",
    "idle",
    "takes",
    "unseen",
]

CHUNKING = ("chunk_size", "overlap", "min_chunk", "merge_below", "greedy")
TOP_K = 100
# The settings of which each search has no use, and those that it cannot do without.
IDLE = {
    "lexical": ("dense", "model", "precision", "fusion", "weights", "rrf_k"),
    "dense": ("lexical", "lexical_unit", "fusion", "weights", "rrf_k"),
    "hybrid": (),
}
USED = {
    "lexical": ("lexical", "lexical_unit"),
    "dense": ("dense", "model", "precision"),
    "hybrid": ("lexical", "lexical_unit", "dense", "model", "precision", "fusion"),
}
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Configuration)}
Problem = tuple[str, str, str]  # the setting, what is wrong, what to do


def idle(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the settings that would change nothing, or that nothing could be made of."""
    search = given.get("search", DEFAULTS["search"])
    yield from _idle_parts(given, search)
    yield from _idle_chunking(given, given.get("chunker", DEFAULTS["chunker"]))
    yield from _idle_rerank(given, search)
    unit = given.get("lexical_unit") or DEFAULTS["lexical_unit"]
    if "collapse" in given and (search, unit) == ("lexical", "document"):
        hint = "leave it out, or add lexical_unit: chunk"
        yield "collapse", "has no effect: words are counted in whole documents", hint
    if search == "hybrid":
        yield from _idle_fusion(given)


def _idle_parts(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    for name in IDLE[search]:
        if given.get(name) is not None:
            yield name, f"has no effect with search: {search}", "leave it out, or change search"
    for name in USED[search]:
        if name in given and given[name] is None:
            hint = "leave it out, or choose search: lexical or dense"
            yield name, f"cannot be null with search: {search}", hint


def unseen(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the settings that no ranking shows: where words are counted in whole documents.

    They still decide the place in a document that a search shows.
    """
    chosen = {**DEFAULTS, **given}
    whole = chosen["search"] == "lexical" and chosen["lexical_unit"] == "document"
    for name in (name for name in CHUNKING if name in given and whole and not chosen["rerank"]):
        what = "changes no ranking: words are counted in whole documents"
        yield name, what, "leave it out, or add lexical_unit: chunk"


def _idle_chunking(given: Mapping[str, Any], chunker: str) -> Iterator[Problem]:
    known = takes("corpora.chunkers", chunker)
    has = [name for name in CHUNKING if name in known]
    for name in (name for name in CHUNKING if name in given and name not in known):
        hint = f"it takes {', '.join(has)}" if has else "leave it out"
        yield name, f"has no effect with chunker: {chunker}", hint


def _idle_rerank(given: Mapping[str, Any], search: str) -> Iterator[Problem]:
    if given.get("rerank_depth") is not None and given.get("rerank") is None:
        yield "rerank_depth", "has no effect without rerank", "leave it out, or name a reranker"
    if given.get("rerank") == "maxsim" and search == "lexical":
        hint = "search with a model (hybrid, dense), or rerank: cross-encoder:FOLDER"
        yield "rerank", "maxsim needs the token vectors of a model", hint


def _idle_fusion(given: Mapping[str, Any]) -> Iterator[Problem]:
    fusion = given.get("fusion") or DEFAULTS["fusion"]
    if given.get("rrf_k") is not None and fusion != "rrf":
        yield "rrf_k", f"has no effect with fusion: {fusion}", "leave it out, or add fusion: rrf"
    if given.get("weights") is not None and "weights" not in takes("engines.fusions", fusion):
        yield "weights", f"have no effect with fusion: {fusion}", "leave them out"
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
        yield "threshold", f"has no meaning with fusion: {fusion}", error.hint


def conflicts(given: Mapping[str, Any], cutoff: int | None) -> Iterator[Problem]:
    """Name the numbers that do not go together."""
    chosen = {**DEFAULTS, **{key: value for key, value in given.items() if value is not None}}
    depth, size = chosen["depth"], chosen["chunk_size"]
    top_k = given.get("top_k", min(TOP_K, depth))
    parts = 2 if chosen["search"] == "hybrid" else 1
    if "overlap" in given and given["overlap"] >= size:
        yield "overlap", f"must be smaller than chunk_size ({size})", f"e.g. {size // 8}"
    if top_k > depth:
        hint = f"raise depth to {top_k} or more: chunks become documents"
        yield "top_k", f"cannot be above depth ({depth})", hint
    if cutoff is not None and top_k < cutoff:
        name = "top_k" if "top_k" in given or "depth" not in given else "depth"
        hint = f"write top_k: {cutoff}, depth: {max(depth, cutoff)} (or more), or drop that metric"
        yield name, f"is below the largest k of the metrics ({cutoff})", hint
    if chosen["rerank_depth"] and chosen["rerank_depth"] > parts * depth:
        yield "rerank_depth", f"is above all that is retrieved ({parts * depth})", "raise depth"


def takes(room: str, name: str) -> Mapping[str, inspect.Parameter]:
    """Return the settings that a member of the catalogue has."""
    member: Any = catalogue.find(import_module(f"assay.{room}"), name)
    return inspect.signature(member).parameters
