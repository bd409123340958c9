"""Which configurations a file asks for: its own, a suite's, a matrix's, or another program's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay import catalogue
from assay.benchmarks import suites as shipped
from assay.benchmarks.file.akashic import DEFAULTS, from_akashic, is_akashic, is_suites, words_of
from assay.benchmarks.file.akashic import KEYS as THEIRS
from assay.benchmarks.file.cells import GivenConfiguration
from assay.benchmarks.file.criteria import short
from assay.benchmarks.file.problems import MOST_LISTED, BenchmarkProblems, KeyPath, refuse_both_keys
from assay.benchmarks.file.semantik import KEYS as MATRIX
from assay.benchmarks.file.semantik import is_semantik, semantik_configurations
from assay.searches.configuration.configuration import wrong_values
from assay.searches.configuration.settings import SETTINGS
from assay.text.near_miss import did_you_mean

__all__ = ["listed_configurations", "ours", "suite_names"]

LISTED = ("configurations", "configs")
KNOWN = ("name", *SETTINGS, *THEIRS)
_HINT = "e.g. configurations: [{name: default}]"


@dataclass(frozen=True, slots=True)
class _Suites:
    """Lists of configurations by name, and the key under which a file has them."""

    key: str = "suites"
    lists: Mapping[str, list[Any]] = field(default_factory=dict)


def ours(value: object, keys: Sequence[str]) -> tuple[object, KeyPath]:
    """Put a whole file of another program under the keys that it has in ours, and name them.

    What has one of our ``keys`` is a file of ours, though all that stands in it are lists.
    """
    if isinstance(value, list) and any(map(is_akashic, value)):
        return {"configs": value}, ("configs",)
    if is_suites(value) and not any(key in keys for key in value):
        return {"suites": value}, ("suites",)
    if isinstance(value, Mapping) and is_semantik(value) and "config_matrix" not in value:
        matrix = {key: one for key, one in value.items() if key in MATRIX}
        beside = {key: one for key, one in value.items() if key not in MATRIX}
        return beside | {"config_matrix": matrix}, ("config_matrix",)
    return ({"configs": [value]}, ("configs", 0)) if is_akashic(value) else (value, ())


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
    """Gather the configurations; a suite that is asked for takes the place of all others."""
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
    what = "names no configurations" if not value else "configurations must be a list"
    what = (
        what if not isinstance(value, list) or not value else f"more than {MOST_LISTED:,} of them"
    )
    found.add(path, what, _HINT)
    return False


def _refuse_beside(others: Sequence[str], found: BenchmarkProblems) -> None:
    for other in others:
        for place in ("suite", other):
            what = f"suite and {other} both say what is tried"
            hint = "keep one, and name the suite on the command line: --suite"
            found.add([place], what, hint)


def _refuse_unshared(
    given: Mapping[str, Any], items: Sequence[GivenConfiguration], found: BenchmarkProblems
) -> None:
    """Refuse settings for all configurations that each of them has itself."""
    matrix = given.get("matrix")
    if not isinstance(matrix, Mapping) or not items or items[0].path == ("matrix",):
        return
    unused = (key for key in matrix if not any(key in one.shared for one in items))
    for key in (key for key in unused if isinstance(key, str)):
        what = f"{key[:60]} has no effect: every configuration says it itself"
        found.add(["matrix", key], what, "leave it out here, or there")


def _suite(
    named: object, own: _Suites, given: Mapping[str, Any], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    """Take a suite of the file, or one that comes along."""
    if isinstance(named, str) and named in own.lists:
        return _items(own.lists[named], (own.key, named), given, found, home)
    names = [*own.lists, *suite_names()]
    if not isinstance(named, str) or named not in names:
        hint = f"{did_you_mean(str(named), names)}; `assay list suites` says what each is for"
        found.add(["suite"], f"there is no suite {short(named)}", hint)
        return []
    make: Any = catalogue.find(shipped, named)
    return _items(make(), (), given, found, home)


def _only_suite(
    own: _Suites, given: Mapping[str, Any], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    if len(own.lists) == 1:
        return _suite(next(iter(own.lists)), own, given, found, home)
    names = ", ".join(own.lists)[:200]
    found.add([own.key], f"has {len(own.lists)} suites: {names}", "choose one: --suite NAME")
    return []


def _listed(
    given: Mapping[str, Any], listed: Sequence[str], found: BenchmarkProblems, home: str
) -> list[GivenConfiguration]:
    """Take the configurations of the file; without any, its matrix is them."""
    items = [one for key in listed for one in _items(given[key], (key,), given, found, home)]
    if listed or given.get("config_matrix") is not None:
        return items
    if given.get("matrix") is None:
        found.add(["configurations"], "names no configurations", _HINT)
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
    theirs = is_akashic(given)
    own = from_akashic(given, path, found, home=home) if theirs else dict(given)
    name = own.pop("name", None)
    if name is None:
        found.add(path, "has no name", "name: what reports call it")
        name = "unnamed"
    for one in wrong_values({"name": name}):
        found.add((*path, "name"), f"name {one.message}", one.hint)
    return GivenConfiguration(
        name=str(name),
        settings={**(DEFAULTS if theirs else {}), **shared, **own},
        path=path,
        words=words_of(given) if theirs else {},
        shared=frozenset(shared.keys() - own.keys()),
    )


def _refuse_twice(items: Sequence[GivenConfiguration], found: BenchmarkProblems) -> None:
    names = [one.name for one in items]
    for at, one in enumerate(items):
        if one.name in names[:at]:
            hint = "give each configuration a name of its own"
            found.add((*one.path, "name"), f'the name "{one.name[:60]}" stands twice', hint)


def _shared(given: Mapping[str, Any], found: BenchmarkProblems) -> Mapping[str, Any]:
    matrix = given.get("matrix")
    if matrix is None:
        return {}
    if isinstance(matrix, Mapping) and matrix:
        return matrix if _is_item(matrix, ("matrix",), found) else {}
    hint = "e.g. matrix: {search: [lexical, hybrid], chunk_size: [128, 256]}"
    found.add(["matrix"], f"matrix cannot be {short(matrix)}", hint)
    return {}


def _matrix_of_semantik(
    given: Mapping[str, Any], found: BenchmarkProblems, cutoff: int | None
) -> list[GivenConfiguration]:
    matrix = given.get("config_matrix")
    if matrix is None:
        return []
    if not isinstance(matrix, Mapping):
        hint = "e.g. config_matrix: {search_modes: [dense, hybrid]}"
        found.add(["config_matrix"], f"config_matrix cannot be {short(matrix)}", hint)
        return []
    shared = _shared(given, found)
    return semantik_configurations(matrix, ("config_matrix",), found, cutoff=cutoff, shared=shared)


def _suites_of(given: Mapping[str, Any], found: BenchmarkProblems) -> _Suites | None:
    """Return the suites of a file, none if it has none; None if they are of no such shape."""
    key = "configs" if isinstance(given.get("configs"), Mapping) else "suites"
    if key == "configs" and given.get("suites") is not None:
        refuse_both_keys(["suites"], ["configs"], found)
        return None
    own = given.get(key)
    if own is None:
        return _Suites()
    if not isinstance(own, Mapping) or not all(isinstance(one, list) for one in own.values()):
        hint = "e.g. suites: {small: [{name: words, search: lexical}]}"
        found.add([key], f"{key} cannot be {short(own)}", hint)
        return None
    for name, items in own.items():
        _refuse_shapeless(name, items, key, found)
    return _Suites(key, own) if all(isinstance(name, str) for name in own) else None


def _is_item(given: object, path: KeyPath, found: BenchmarkProblems) -> bool:
    """Tell whether a value is a configuration, of which each setting has a name; else say so."""
    if not isinstance(given, Mapping):
        hint = "e.g. {name: bm25, search: lexical}"
        found.add(path, f"{short(given)} is no configuration", hint)
        return False
    odd = [key for key in given if not isinstance(key, str)]
    for key in odd:
        found.add(
            (*path, str(key)),
            f"{short(key)} is no setting of a configuration",
            did_you_mean("", KNOWN),
        )
    return not odd


def _refuse_shapeless(name: object, items: list[Any], key: str, found: BenchmarkProblems) -> None:
    if not isinstance(name, str):
        found.add([key, str(name)], f"{short(name)} is no name of a suite", f'write "{name}"')
    if not items:
        found.add([key, str(name)], "names no configurations", _HINT)
    for at, one in enumerate(items):
        path = (key, str(name), at)
        if _is_item(one, path, found):
            _refuse_unknown(one, path, found)


def _refuse_unknown(given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems) -> None:
    if given.get("name") is None:
        found.add(path, "has no name", "name: what reports call it")
        return
    for key in (key for key in given if key not in KNOWN):
        what = f"{key[:60]} is no setting of a configuration"
        found.add((*path, key), what, did_you_mean(key, KNOWN))
