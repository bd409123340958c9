"""A mapping, as in a benchmark file -> a configuration, all of whose settings take effect."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain, islice
from typing import Any

from assay.errors import InputError, ProblemsError
from assay.records import Configuration
from assay.records.configuration import GIVEN
from assay.searches.configuration.conflicts import (
    CHUNKING,
    DEFAULTS,
    GRAPH,
    IDLE,
    OWN,
    TOP_K,
    WHOLE,
    conflicts,
    depth_of,
    idle,
)
from assay.searches.configuration.lexical_settings import engine_of, lexical_of
from assay.searches.configuration.member_settings import takes
from assay.searches.configuration.nested_settings import (
    STAGES,
    is_asked,
    is_store,
    refused_parts,
    spelled_out,
)
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.running import uses_device
from assay.searches.configuration.settings import SETTINGS, UNITS, in_own_words
from assay.searches.configuration.word_lists import LISTS, is_one_list, told_list, unread
from assay.text import sanitize
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["configuration", "describe", "effective", "problems", "wrong_values"]

RRF_K = 60  # Cormack, Clarke and Büttcher (SIGIR 2009)
RERANK_DEPTH = 50
# What other programs call a setting, where near misses would not find it.
ELSEWHERE = {"stemmer": "language", "stemming": "language", "boosts": "fields", "boost": "fields"}
ENOUGH = 1_000  # problems after which nothing more is looked for
ANY_UNIT = f"{', '.join(UNITS[:-1])} or {UNITS[-1]}"
NOMINAL = ("invalid ", "unknown ")  # messages without a verb, which need no subject


def configuration(
    given: Mapping[str, Any], *, where: str = "", cutoff: int | None = None
) -> Configuration:
    """Make a configuration; what is left out is the default, what has no effect is refused.

    ``cutoff`` is the largest k of the metrics, below which ``top_k`` cannot be.

    >>> configuration({"name": "bm25", "search": "lexical"}).model is None
    True
    """
    given = in_own_words(given)
    _refuse(problems(given, cutoff=cutoff), where=where)
    return _filled(given)


def effective(chosen: Configuration | Mapping[str, Any] | None) -> Configuration:
    """Take a configuration, or a mapping of settings, and leave out what has no effect in it.

    >>> effective(Configuration(search="lexical")).model is None
    True
    """
    if isinstance(chosen, Configuration):
        given = in_own_words({field.name: getattr(chosen, field.name) for field in fields(chosen)})
        if given["lexical"] == DEFAULTS["lexical"]:  # which nobody may have said
            del given["lexical"]
        _refuse(wrong_values(given))
        return _filled(given)
    if chosen is not None and not isinstance(chosen, Mapping):
        hint = "pass settings, e.g. {'search': 'lexical'}"
        raise InputError(
            f"expected a mapping, got {type(chosen).__name__}", where="configuration", hint=hint
        )
    return configuration(chosen or {})


def problems(given: Mapping[str, Any], *, cutoff: int | None = None) -> list[Problem]:
    """Tell all that is wrong with a mapping: first names and values, then what cannot go on."""
    given = in_own_words(given)
    return wrong_values(given) or [*idle(given), *conflicts(given, cutoff)] or [*unread(given)]


def wrong_values(given: Mapping[str, Any]) -> list[Problem]:
    """Return what is wrong with single names and values: the first of very many."""
    found = chain(_wrong_name(given), _wrong_values(given), refused_parts(given))
    return [*islice(found, ENOUGH)]


def describe(chosen: Configuration) -> dict[str, Any]:
    """Return the settings that take effect on results, with a code chunk's characters, too."""
    if is_asked(chosen.system):
        return {"system": dict(chosen.system or {}), "top_k": chosen.top_k}
    known = takes("corpora.chunkers", chosen.chunker)
    unused = {*IDLE[chosen.search], "name", "price"}
    unused |= {name for name in CHUNKING if name not in known}
    if (chosen.search, chosen.lexical_unit) == ("lexical", "document") or chosen.unit != "document":
        unused |= {"collapse"}
    if chosen.unit == "document":
        unused |= {"unit"}
    told = {
        field.name: getattr(chosen, field.name)
        for field in fields(chosen)
        if field.name not in unused and getattr(chosen, field.name) is not None
    }
    for name in STAGES:
        if name in told:
            told[name] = spelled_out(name, told[name])
    told |= {name: told_list(told[name]) for name in LISTS if name in told}
    if weights := chosen.weights or _own_weights(chosen):
        told["weights"] = list(weights)
    rate = known.get("characters_per_token")
    if rate is not None and "chunk_size" in told:
        told["chunk_characters"] = round(chosen.chunk_size * rate.default)
    return told


def _refuse(wrong: Sequence[Problem], *, where: str = "") -> None:
    found = [_error(one, where) for one in wrong]
    if found:
        raise ProblemsError(found, where=where or "configuration")


def _error(problem: Problem, where: str) -> InputError:
    """Name the setting once: in the place, or as the subject of the sentence."""
    if problem.message.startswith(NOMINAL):
        place = ", ".join(filter(None, (where, problem.setting)))
        return InputError(problem.message, where=place, hint=problem.hint)
    return InputError(f"{problem.setting} {problem.message}", where=where, hint=problem.hint)


def _filled(given: Mapping[str, Any]) -> Configuration:
    """Add the defaults that depend on other settings."""
    chosen = {**DEFAULTS, **given, "lexical": engine_of(given)}
    chosen |= {name: _switched(chosen[name]) for name in STAGES}
    chosen |= dict.fromkeys(IDLE[chosen["search"]])
    chosen |= {"chunker": WHOLE} if chosen["model"] == GIVEN else {}
    if is_store(chosen["system"]):
        chosen |= _in_store(chosen, given)
    if is_asked(chosen["system"]):
        chosen |= dict.fromkeys({*IDLE["lexical"], *IDLE["dense"], "rerank", *STAGES})
    chosen |= lexical_of(chosen) | _graph_of(chosen) | _device_of(chosen) | _in_unit(chosen)
    if chosen["fusion"] == "rrf":
        chosen["rrf_k"] = chosen["rrf_k"] or RRF_K
    for name in ("merge_below", "threshold"):  # 1 is the same as 1.0
        chosen[name] = None if chosen[name] is None else float(chosen[name])
    if chosen["weights"] is not None:
        chosen["weights"] = tuple(map(float, chosen["weights"]))
    if chosen["rerank"] is not None:
        chosen["rerank_depth"] = chosen["rerank_depth"] or min(RERANK_DEPTH, chosen["depth"])
    chosen["depth"] = depth_of(given)
    if "top_k" not in given:
        chosen["top_k"] = min(TOP_K, chosen["depth"])
    return Configuration(**chosen)


def _graph_of(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in what an approximate index has of its own, whatever it is built over."""
    kind = chosen["dense"]
    known = takes("engines.dense", kind) if kind else {}
    own = {name: known[name].default for name in GRAPH if name in known}
    given = {name: chosen[name] for name in own if chosen[name] is not None}
    return dict.fromkeys(GRAPH) | own | given


def _device_of(chosen: Mapping[str, Any]) -> dict[str, str | None]:
    """Leave out a device on which no model computes."""
    device = chosen["device"]
    used = device and uses_device(chosen["model"], chosen["rerank"])
    return {"device": device if used else None}


def _in_unit(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Let lexical search rank chunks where chunks or symbols are returned."""
    joined = chosen["unit"] == "document" or chosen["lexical_unit"] is None
    return {} if joined else {"lexical_unit": "chunk"}


def _switched(value: object) -> object:
    """Take a stage that is only switched on for one whose settings are all the default."""
    return {} if value is True else None if value is False else value


def _in_store(chosen: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out our own indexes; vectors go to a store as they are."""
    own: dict[str, Any] = dict.fromkeys(OWN)
    if chosen["search"] != "lexical":
        own["precision"] = "float32"
    if chosen["search"] == "hybrid":
        fusion = given.get("fusion")
        own["fusion"] = "rrf" if fusion in (None, "blend") else fusion
    return own


def _wrong_name(given: Mapping[str, Any]) -> Iterator[Problem]:
    name = given.get("name", "default")
    if not isinstance(name, str) or not name.strip():
        yield Problem("name", f"invalid value {quote_value(name)}", "expected a text")
    elif len(name) > 200 or sanitize(name) != name:
        hint = "use at most 200 printable characters on one line"
        yield Problem("name", "is too long or contains control characters", hint)


def _wrong_values(given: Mapping[str, Any]) -> Iterator[Problem]:
    for key, value in given.items():
        if key == "name":
            continue
        if key == "unit":  # the benchmark's
            if value not in UNITS:
                yield Problem(key, f"invalid value {quote_value(value)}", f"expected {ANY_UNIT}")
            continue
        setting = SETTINGS.get(key)
        if setting is None:
            meant = ELSEWHERE.get(str(key))
            hint = f"use {meant}" if meant else did_you_mean(str(key), [*SETTINGS])
            yield Problem(str(key), "unknown setting", hint)
        elif isinstance(value, list) and not (setting.kind == "pair" or is_one_list(key, value)):
            yield Problem(key, "must be one value, not a list", f"expected {setting.expected}")
        elif refused := setting.refusal(value):
            yield Problem(key, *refused)


def _own_weights(chosen: Configuration) -> Sequence[float]:
    """Return the default weights of a fusion, if it has any."""
    if chosen.fusion is None:
        return ()
    own = takes("engines.fusions", chosen.fusion).get("weights")
    return own.default if own and isinstance(own.default, tuple) else ()
