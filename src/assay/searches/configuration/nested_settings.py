"""Settings with nested settings: coherence, MMR and external systems."""

import inspect
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from importlib import import_module
from typing import Any, TypeVar

from assay import catalogue
from assay.records import CoherenceSettings, Configuration, MmrSettings
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.settings import Setting
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = [
    "BY_HTTP",
    "NESTED",
    "STAGES",
    "coherence_of",
    "is_asked",
    "is_store",
    "mmr_of",
    "passed_fields",
    "refused_parts",
    "spelled_out",
    "store_settings",
    "system_kinds",
    "system_settings",
]

R = TypeVar("R", CoherenceSettings, MmrSettings)

# What each setting may be, by the name that it has in a file.
STAGES: dict[str, dict[str, Setting]] = {
    "coherence": {
        "alpha": Setting("number", 0, 1),
        "gap_margin": Setting("number", 0),
        "min_drop": Setting("number", 0),
        "max_iterations": Setting("whole", 1, 1000),
        "tolerance": Setting("number", 1e-12, 1),
        "force_fallback": Setting("switch"),
        "use_mmr": Setting("switch"),
        "neighbours": Setting("whole", 1, 100),
        "ground": Setting("number", 1e-6, 1e6),
        "smoothing": Setting("number", 0, 1e6),
        "anchor": Setting("number", 0, 1e6),
        "graph": Setting(offers=("exact", "approximate")),
        "directions": Setting("whole", 1, 10_000),
        "min_overlap": Setting("number", 0, 1),
    },
    "mmr": {
        "lambda": Setting("number", 0, 1),
        "k": Setting("whole", 1, 1000),
        "pool": Setting("whole", 1, 100_000, optional=True),
        "min_k": Setting("whole", 0, 1000),
        "min_redundancy": Setting("number", -1, 1),
        "always": Setting("switch"),
    },
}
# What can be paid for: each hour of a machine or of a core, queries, and tokens that are embedded.
PRICES = dict.fromkeys(
    ("per_hour", "per_core_hour", "per_1000_queries", "per_million_tokens"), Setting("number", 0)
)
# Fields of a document, whose weights are numbers.
FIELDS = dict.fromkeys(("body", "names", "path", "title"), Setting("number", 0, 1e5))
SPELLED = {"lambda": "relevance"}  # a word that Python keeps for itself
# Servers that are asked over HTTP, each with a file in examples/systems.
BY_HTTP = ("elasticsearch", "meilisearch", "opensearch", "solr", "vespa")
# Settings that hold others, each with what it may be.
NESTED = {**STAGES, "price": PRICES, "fields": FIELDS}
ASKED, STORES = "assay.engines.systems", "assay.engines.stores"
# A field of a query in a request that is written as JSON; its name may be in quotes.
FIELD = re.compile(r'\{query\.?(?:\[\\"(.+?)\\"\]|([^.\[\]{}:]+))')
GIVEN_BY_US = ("folder", "home", "embed", "rankings", "run", "confined")  # what a user does not set


def coherence_of(chosen: Configuration) -> CoherenceSettings | None:
    """Return how coherence ranks, if it does."""
    given = chosen.coherence
    return None if given is None else _record(CoherenceSettings, given)


def mmr_of(chosen: Configuration) -> MmrSettings | None:
    """Return how results are diversified, if they are."""
    if chosen.mmr is not None:
        return _record(MmrSettings, chosen.mmr)
    asked = chosen.coherence is not None and chosen.coherence.get("use_mmr")
    return MmrSettings() if asked else None


def spelled_out(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Write the settings of a stage that take effect, by the names that they have in a file."""
    if name == "coherence":
        return _record(CoherenceSettings, value).in_effect()
    typed = {field: word for word, field in SPELLED.items()}
    full = asdict(_record(MmrSettings, value))
    return {typed.get(key, key): one for key, one in full.items()}


def refused_parts(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name what is wrong within the settings that have settings of their own."""
    for name, known in NESTED.items():
        value = given.get(name)
        if isinstance(value, Mapping):
            yield from _refused(name, value, known)
    if given.get("price") == {}:
        yield Problem("price", "is empty", "remove it, or add a price, e.g. {per_hour: 0.5}")
    if isinstance(given.get("system"), Mapping):
        yield from _refused_system(given["system"])


def is_asked(system: Mapping[str, Any] | None) -> bool:
    """Tell whether a system is asked as it is, with documents of its own."""
    return system is not None and _home_of(system.get("kind")) == ASKED


def is_store(system: Mapping[str, Any] | None) -> bool:
    """Tell whether a system is a store that we fill."""
    return system is not None and _home_of(system.get("kind")) == STORES


def passed_fields(systems: Iterable[Mapping[str, Any] | None]) -> Callable[[str], bool]:
    """Tell which fields of a query are passed to systems: those that a request names.

    A function may take any of them, as a parameter of that name.
    """
    asked = [one for one in systems if one is not None and is_asked(one)]
    every = any(one.get("kind") == "callable" for one in asked)
    found = [field for one in asked for field in FIELD.findall(json.dumps(one, default=str))]
    named = {quoted or plain for quoted, plain in found}
    return lambda name: every or json.dumps(name)[1:-1] in named


def system_kinds() -> list[str]:
    """List all kinds of outside systems."""
    return sorted([*_names(ASKED), *_names(STORES)])


def system_settings(kind: str) -> dict[str, inspect.Parameter]:
    """Return the settings that a kind of system takes from a user."""
    member: Any = catalogue.find(import_module(_home_of(kind) or STORES), kind)
    parameters = inspect.signature(member).parameters
    return {name: one for name, one in parameters.items() if name not in GIVEN_BY_US}


def store_settings(kind: str, part: str) -> tuple[str, ...]:
    """Return the settings of a store that are for its words, or for its vectors, alone."""
    module = import_module(f"{STORES}.{kind}")
    return tuple(getattr(module, f"FOR_{part.upper()}"))


def _home_of(kind: object) -> str:
    """Find where a kind of system is: among our own first, since to ask for plugins takes long."""
    for listed in (lambda home: catalogue.files(import_module(home)), _names):
        for home in (ASKED, STORES):
            if kind in listed(home):
                return home
    return ""


def _names(home: str) -> list[str]:
    return catalogue.names(import_module(home))


def _record(kind: type[R], value: Mapping[str, Any]) -> R:
    numbers = {field.name for field in fields(kind) if field.type is float}
    given = {SPELLED.get(name, name): one for name, one in value.items()}
    return kind(**{name: _number(one) if name in numbers else one for name, one in given.items()})


def _number(value: Any) -> Any:  # noqa: ANN401 - what was given, which may not be checked yet
    """Make 1 the same setting as 1.0."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _refused(
    stage: str, value: Mapping[str, Any], known: Mapping[str, Setting]
) -> Iterator[Problem]:
    for key, one in value.items():
        name = f"{stage}.{key}"
        if key not in known:
            yield Problem(name, "unknown setting", did_you_mean(str(key), [*known]))
        elif isinstance(one, float) and not math.isfinite(one):
            yield Problem(name, f"invalid value {one}", f"expected {known[key].expected}")
        elif refusal := known[key].refusal(one):
            yield Problem(name, *refusal)


def _refused_system(system: Mapping[str, Any]) -> Iterator[Problem]:
    kind = system.get("kind")
    if not isinstance(kind, str) or not _home_of(kind):
        what = "is missing" if kind is None else f"unknown kind {quote_value(kind)}"
        own = f"use kind: http; see examples/systems/{kind}.yaml"
        hint = own if kind in BY_HTTP else did_you_mean(str(kind), system_kinds())
        yield Problem("system.kind", what, hint)
        return
    takes = system_settings(kind)
    for key in system:
        if key != "kind" and key not in takes:
            what = f"unknown setting of {kind}"
            yield Problem(f"system.{key}", what, did_you_mean(str(key), [*takes]))
    for name, one in takes.items():
        if one.default is one.empty and name not in system:
            yield Problem(f"system.{name}", "is missing", f"add {name}, which {kind} requires")
