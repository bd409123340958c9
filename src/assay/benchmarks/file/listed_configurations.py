"""The configurations of a benchmark file: its own, a suite's, a matrix's, or another program's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay import catalogue
from assay.benchmarks import suites as shipped
from assay.benchmarks.file.akashic import DEFAULTS, from_akashic, is_akashic, is_suites, words_of
from assay.benchmarks.file.akashic import KEYS as THEIRS
from assay.benchmarks.file.cells import GivenConfiguration
from assay.benchmarks.file.problems import (
    MOST_LISTED,
    BenchmarkProblems,
    KeyPath,
    about_setting,
    refuse_both_keys,
)
from assay.benchmarks.file.semantik import KEYS as MATRIX
from assay.benchmarks.file.semantik import is_semantik, semantik_configurations
from assay.benchmarks.file.sia_code import KEYS as OF_SIA_CODE
from assay.benchmarks.file.sia_code import from_sia_code, is_sia_code, words_of_sia_code
from assay.searches.configuration.configuration import wrong_values
from assay.searches.configuration.settings import SETTINGS
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["listed_configurations", "ours", "suite_names"]

LISTED = ("configurations", "configs")
KNOWN = ("name", *SETTINGS, *THEIRS, *OF_SIA_CODE)
_HINT = "add at least one, e.g. configurations: [{name: default}]"
_SUITE = "add at least one, e.g. [{name: default}], or remove the suite"
UNNAMED, NAME = "configuration without a name", "add a name, e.g. name: bm25"


@dataclass(frozen=True, slots=True)
class _Suites:
    """Lists of configurations by name, and the key under which a file has them."""

    key: str = "suites"
    lists: Mapping[str, list[Any]] = field(default_factory=dict)


def ours(value: object, keys: Sequence[str]) -> tuple[object, KeyPath]:
    """Put a whole file of another program under the keys that it has in ours, and name them.

    A mapping with one of our ``keys`` is a file of ours, even if all of its values are lists.
    """
    if isinstance(value, list) and any(is_akashic(one) or is_sia_code(one) for one in value):
        return {"configs": value}, ("configs",)
    if is_suites(value) and not any(key in keys for key in value):
        return {"suites": value}, ("suites",)
    if isinstance(value, Mapping) and is_semantik(value) and "config_matrix" not in value:
        matrix = {key: one for key, one in value.items() if key in MATRIX}
        beside = {key: one for key, one in value.items() if key not in MATRIX}
        return beside | {"config_matrix": matrix}, ("config_matrix",)
    if isinstance(value, Mapping) and is_sia_code(value):
        value = {"name": "sia-code", **value}  # its file of settings has no name
    alone = is_akashic(value) or is_sia_code(value)
    return ({"configs": [value]}, ("configs", 0)) if alone else (value, ())


def suite_names() -> list[str]:
    """Name the suites that come along."""
    return catalogue.names(shipped)


def listed_configurations(
    given: Mapping[str, Any],
    found: BenchmarkProblems,
    *,
    home: str,
    cutoff: int | None,
    suite: str | None,
) -> list[GivenConfiguration]:
    """Collect the configurations; a ``suite`` replaces all others."""
    own = _suites_of(given, found)
    if own is None:
        return []
    listed = [key for key in LISTED if given.get(key) is not None and key != own.key]
    if not all([_is_list(given[key], (key,), found) for key in listed]):
        return []
    others = [*listed, *(["config_matrix"] if given.get("config_matrix") is not None else [])]
    if suite is not None:
        items = _suite(suite, own, given, found, home)
    elif given.get("suite") is not None:
        _refuse_beside(others, found)
        items = _suite(given["suite"], own, given, found, home)
    elif own.lists and not others:
        items = _only_suite(own, given, found, home)
    else:
        items = _listed(given, listed, found, home)
        items += _matrix_of_semantik(given, found, cutoff)
    _refuse_twice(items, found)
    _refuse_unshared(given, items, found)
    return items


def _is_list(value: object, path: KeyPath, found: BenchmarkProblems) -> bool:
    if isinstance(value, list) and 0 < len(value) <= MOST_LISTED:
        return True
    if isinstance(value, list) and value:
        what = f"{len(value):,} configurations; at most {MOST_LISTED:,} are allowed"
        found.add(path, what, "split them into several benchmarks")
        return False
    what = f"expected a list, not {quote_value(value)}" if value else "no configurations specified"
    found.add(path, what, _HINT)
    return False


def _refuse_beside(others: Sequence[str], found: BenchmarkProblems) -> None:
    for other in others:
        hint = "remove one of them, or select the suite with --suite NAME"
        found.add(["suite"], f"suite and {other} cannot be combined", hint)


def _refuse_unshared(
    given: Mapping[str, Any], items: Sequence[GivenConfiguration], found: BenchmarkProblems
) -> None:
    """Refuse settings for all configurations that each of them has itself."""
    matrix = given.get("matrix")
    if not isinstance(matrix, Mapping) or not items or items[0].path == ("matrix",):
        return
    unused = (key for key in matrix if not any(key in one.shared for one in items))
    for key in (key for key in unused if isinstance(key, str)):
        what = f"{key[:60]} has no effect: every configuration sets it"
        found.add(["matrix", key], what, "remove it from the matrix or from the configurations")


def _suite(
    named: object, own: _Suites, given: Mapping[str, Any], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    """Take a suite of the file, or a shipped one."""
    if isinstance(named, str) and named in own.lists:
        return _items(own.lists[named], (own.key, named), given, found, home)
    names = [*own.lists, *suite_names()]
    if not isinstance(named, str) or named not in names:
        found.add(["suite"], f"unknown suite {quote_value(named)}", did_you_mean(str(named), names))
        return []
    make: Any = catalogue.find(shipped, named)
    return _items(make(), (), given, found, home)


def _only_suite(
    own: _Suites, given: Mapping[str, Any], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    if len(own.lists) == 1:
        return _suite(next(iter(own.lists)), own, given, found, home)
    names = ", ".join(map(str, own.lists))[:200]
    what = f"{len(own.lists)} suites are defined and none is selected: {names}"
    found.add([own.key], what, "select one with --suite NAME")
    return []


def _listed(
    given: Mapping[str, Any], listed: Sequence[str], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    """Take the configurations of the file; without any, its matrix is them."""
    items = [one for key in listed for one in _items(given[key], (key,), given, found, home)]
    if listed or given.get("config_matrix") is not None:
        return items
    if given.get("matrix") is None:
        found.add(["configurations"], "no configurations specified", _HINT)
    matrix = _shared(given, found)
    return [GivenConfiguration("", matrix, ("matrix",))] if matrix else []


def _items(
    value: list[Any], path: KeyPath, given: Mapping[str, Any], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    if not _is_list(value, path, found):
        return []
    shared = _shared(given, found)
    places = [(*path, at) if path else () for at in range(len(value))]
    pairs = [pair for pair in zip(value, places, strict=True) if _is_item(*pair, found)]
    return [_item(one, place, shared, found, home) for one, place in pairs]


def _item(
    given: Mapping[str, Any],
    path: KeyPath,
    shared: Mapping[str, Any],
    found: BenchmarkProblems,
    home: str,
) -> GivenConfiguration:
    words: dict[str, str] = {}
    own, usual = dict(given), {}
    if is_sia_code(own):
        words |= words_of_sia_code(own)
        own = from_sia_code(own, path, found)
    if is_akashic(own):
        words |= words_of(own)
        usual = {} if "search" in own else DEFAULTS
        own = from_akashic(own, path, found, home=home)
    name = own.pop("name", None)
    if name is None:
        found.add(path, UNNAMED, NAME)
        name = "unnamed"
    for one in wrong_values({"name": name}):
        found.add((*path, "name"), about_setting("name", one.message), one.hint)
    return GivenConfiguration(
        name=str(name),
        settings={**usual, **shared, **own},
        path=path,
        words=words,
        shared=frozenset(shared.keys() - own.keys()),
    )


def _refuse_twice(items: Sequence[GivenConfiguration], found: BenchmarkProblems) -> None:
    names = [one.name for one in items]
    for at, one in enumerate(items):
        if one.name in names[:at]:
            hint = "give each configuration a unique name"
            found.add((*one.path, "name"), f'duplicate configuration name "{one.name[:60]}"', hint)


def _shared(given: Mapping[str, Any], found: BenchmarkProblems) -> Mapping[str, Any]:
    matrix = given.get("matrix")
    if matrix is None:
        return {}
    if isinstance(matrix, Mapping) and matrix:
        return matrix if _is_item(matrix, ("matrix",), found) else {}
    hint = "expected settings, e.g. matrix: {search: [lexical, hybrid], chunk_size: [128, 256]}"
    found.add(["matrix"], f"invalid value {quote_value(matrix)}", hint)
    return {}


def _matrix_of_semantik(
    given: Mapping[str, Any], found: BenchmarkProblems, cutoff: int | None
) -> list[GivenConfiguration]:
    matrix = given.get("config_matrix")
    if matrix is None:
        return []
    if not isinstance(matrix, Mapping):
        hint = "expected settings, e.g. config_matrix: {search_modes: [dense, hybrid]}"
        found.add(["config_matrix"], f"invalid value {quote_value(matrix)}", hint)
        return []
    shared = _shared(given, found)
    return semantik_configurations(matrix, ("config_matrix",), found, cutoff=cutoff, shared=shared)


def _suites_of(given: Mapping[str, Any], found: BenchmarkProblems) -> _Suites | None:
    """Return the suites of a file, none if it has none; None if they are invalid."""
    key = "configs" if isinstance(given.get("configs"), Mapping) else "suites"
    if key == "configs" and given.get("suites") is not None:
        refuse_both_keys(["suites"], ["configs"], found)
        return None
    own = given.get(key)
    if own is None:
        return _Suites()
    if not isinstance(own, Mapping) or not all(isinstance(one, list) for one in own.values()):
        hint = "expected lists by name, e.g. suites: {small: [{name: bm25, search: lexical}]}"
        found.add([key], f"invalid value {quote_value(own)}", hint)
        return None
    for name, items in own.items():
        _refuse_shapeless(name, items, key, found)
    return _Suites(key, own) if all(isinstance(name, str) for name in own) else None


def _is_item(given: object, path: KeyPath, found: BenchmarkProblems) -> bool:
    """Tell whether a value is a configuration, of which each setting has a name; else refuse it."""
    if not isinstance(given, Mapping):
        hint = "expected a mapping, e.g. {name: bm25, search: lexical}"
        found.add(path, f"invalid configuration {quote_value(given)}", hint)
        return False
    unnamed = [key for key in given if not isinstance(key, str)]
    for key in unnamed:
        found.add((*path, str(key)), f"unknown setting {quote_value(key)}", did_you_mean("", KNOWN))
    return not unnamed


def _refuse_shapeless(name: object, items: list[Any], key: str, found: BenchmarkProblems) -> None:
    if not isinstance(name, str):
        what = f"invalid suite name {quote_value(name)}: a name is text"
        found.add([key, str(name)], what, f'write "{name}" in quotes')
    if not items:
        found.add([key, str(name)], f"suite {quote_value(name)} has no configurations", _SUITE)
    for at, one in enumerate(items):
        path = (key, str(name), at)
        if _is_item(one, path, found):
            _refuse_unknown(one, path, found)


def _refuse_unknown(given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems) -> None:
    if given.get("name") is None:
        found.add(path, UNNAMED, NAME)
        return
    for key in (key for key in given if key not in KNOWN):
        found.add((*path, key), "unknown setting", did_you_mean(key, KNOWN))
