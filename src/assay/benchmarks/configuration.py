"""A mapping, as it stands in a file -> a configuration, all of whose settings take effect."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from assay import catalogue
from assay.benchmarks._settings import SETTINGS, near
from assay.errors import InputError, ProblemsError
from assay.records import Configuration

__all__ = ["configuration", "describe", "problems"]

CHUNKING = ("chunk_size", "overlap", "min_chunk", "merge_below", "greedy")
RRF_K = 60  # Cormack, Clarke and Büttcher (SIGIR 2009)
RERANK_DEPTH = 50
TOP_K = 100
# The settings of which each search has no use.
IDLE = {
    "lexical": ("dense", "model", "precision", "fusion", "weights", "rrf_k"),
    "dense": ("lexical", "fusion", "weights", "rrf_k"),
    "hybrid": (),
}
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Configuration)}
Problem = tuple[str, str, str]  # the setting, what is wrong, what to do


def configuration(
    given: Mapping[str, Any], *, where: str = "", cutoff: int | None = None
) -> Configuration:
    """Make a configuration; what is left out is the default, what has no effect is refused.

    ``cutoff`` is the largest k of the metrics, below which ``top_k`` cannot be.

    >>> configuration({"name": "bm25", "search": "lexical"}).model is None
    True
    """
    found = [
        InputError(f"{name} {problem}", where=where, hint=hint)
        for name, problem, hint in problems(given, cutoff=cutoff)
    ]
    if found:
        raise ProblemsError(found, where=where or "configuration")
    return _filled(given)


def problems(given: Mapping[str, Any], *, cutoff: int | None = None) -> list[Problem]:
    """Tell all that is wrong with a mapping: first names and values, then what cannot go on."""
    wrong = [*_wrong_name(given), *_wrong_values(given)]
    return wrong or [*_idle(given), *_conflicts(given, cutoff)]


def describe(chosen: Configuration) -> dict[str, Any]:
    """Return the settings that take effect, with a code chunk's budget in characters, too."""
    idle = {*IDLE[chosen.search], "name"} | {
        name for name in CHUNKING if name not in _takes("corpora.chunkers", chosen.chunker)
    }
    told = {
        field.name: getattr(chosen, field.name)
        for field in fields(chosen)
        if field.name not in idle and getattr(chosen, field.name) is not None
    }
    if chosen.weights is not None:
        told["weights"] = list(chosen.weights)
    rate = _takes("corpora.chunkers", chosen.chunker).get("characters_per_token")
    if rate is not None and "chunk_size" in told:
        told["chunk_characters"] = round(chosen.chunk_size * rate.default)
    return told


def _filled(given: Mapping[str, Any]) -> Configuration:
    """Add the defaults that depend on other settings."""
    chosen = {**DEFAULTS, **given}
    chosen |= dict.fromkeys(IDLE[chosen["search"]])
    if chosen["fusion"] == "rrf":
        chosen["rrf_k"] = chosen["rrf_k"] or RRF_K
    if chosen["weights"] is not None:
        chosen["weights"] = tuple(map(float, chosen["weights"]))
    if chosen["rerank"] is not None:
        chosen["rerank_depth"] = chosen["rerank_depth"] or min(RERANK_DEPTH, chosen["depth"])
    if "top_k" not in given:
        chosen["top_k"] = min(TOP_K, chosen["depth"])
    return Configuration(**chosen)


def _wrong_name(given: Mapping[str, Any]) -> Iterator[Problem]:
    name = given.get("name", "default")
    if not isinstance(name, str) or not name.strip():
        yield "name", f"cannot be {name!r}", "give a text"
    elif len(name) > 200 or not name.isprintable():
        yield "name", "cannot be shown in a table", "give a short text on one line"


def _wrong_values(given: Mapping[str, Any]) -> Iterator[Problem]:
    for key, value in given.items():
        if key == "name":
            continue
        setting = SETTINGS.get(key)
        if setting is None:
            yield str(key), "is no setting of a configuration", near(str(key), [*SETTINGS])
        elif isinstance(value, list) and setting.kind != "pair":
            hint = "write a configuration for each value"
            yield key, "is a list, which is not supported yet", hint
        elif refused := setting.refusal(value):
            yield key, *refused


def _idle(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the settings that would change nothing."""
    search = given.get("search", DEFAULTS["search"])
    for name in IDLE[search]:
        if given.get(name) is not None:
            yield name, f"has no effect with search: {search}", "leave it out, or change search"
    used = {"hybrid": ("lexical", "dense", "model", "precision", "fusion"), "lexical": ("lexical",)}
    for name in used.get(search, ("dense", "model", "precision")):
        if name in given and given[name] is None:
            hint = "leave it out, or choose search: lexical or dense"
            yield name, f"cannot be null with search: {search}", hint
    chunker = given.get("chunker", DEFAULTS["chunker"])
    known = _takes("corpora.chunkers", chunker)
    for name in (name for name in CHUNKING if name in given and name not in known):
        has = [one for one in CHUNKING if one in known]
        hint = f"it takes {', '.join(has)}" if has else "leave it out"
        yield name, f"has no effect with chunker: {chunker}", hint
    if given.get("rerank_depth") is not None and given.get("rerank") is None:
        yield "rerank_depth", "has no effect without rerank", "leave it out, or name a reranker"
    if search == "hybrid":
        yield from _idle_fusion(given)


def _idle_fusion(given: Mapping[str, Any]) -> Iterator[Problem]:
    fusion = given.get("fusion") or DEFAULTS["fusion"]
    if given.get("rrf_k") is not None and fusion != "rrf":
        yield "rrf_k", f"has no effect with fusion: {fusion}", "leave it out, or add fusion: rrf"
    if given.get("weights") is not None and "weights" not in _takes("engines.fusions", fusion):
        yield "weights", f"have no effect with fusion: {fusion}", "leave them out"


def _conflicts(given: Mapping[str, Any], cutoff: int | None) -> Iterator[Problem]:
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
        hint = f"raise it to {cutoff} or more, or drop that metric"
        yield name, f"is below the largest k of the metrics ({cutoff})", hint
    if chosen["rerank_depth"] and chosen["rerank_depth"] > parts * depth:
        yield "rerank_depth", f"is above all that is retrieved ({parts * depth})", "raise depth"


def _takes(room: str, name: str) -> Mapping[str, inspect.Parameter]:
    """Return the settings that a member of the catalogue has."""
    member: Any = catalogue.find(import_module(f"assay.{room}"), name)
    return inspect.signature(member).parameters
