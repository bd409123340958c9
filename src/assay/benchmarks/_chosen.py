"""Which configurations a file asks for: its own, a suite's, a matrix's, or another program's."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay import catalogue
from assay.benchmarks import suites as shipped
from assay.benchmarks._akashic import KEYS as THEIRS
from assay.benchmarks._akashic import WORDS, from_akashic, is_akashic, is_suites
from assay.benchmarks._cells import Given
from assay.benchmarks._measured import short
from assay.benchmarks._problems import Problems
from assay.benchmarks._semantik import KEYS as MATRIX
from assay.benchmarks._semantik import is_semantik, semantik_configurations
from assay.benchmarks._settings import SETTINGS, near
from assay.benchmarks.configuration import wrong_values

__all__ = ["asked_for", "ours", "suite_names"]

MOST = 1_000
KNOWN = ("name", *SETTINGS, *THEIRS)
LISTED = ("configurations", "configs")
HINT = "e.g. configurations: [{name: default}]"
Path = tuple[str | int, ...]


def ours(value: object) -> tuple[object, Path]:
    """Put a whole file of another program under the keys that it has in ours, and name them."""
    if isinstance(value, list) and any(map(is_akashic, value)):
        return {"configs": value}, ("configs",)
    if is_suites(value):
        return {"suites": value}, ("suites",)
    if isinstance(value, Mapping) and is_semantik(value) and "config_matrix" not in value:
        matrix = {key: one for key, one in value.items() if key in MATRIX}
        beside = {key: one for key, one in value.items() if key not in MATRIX}
        return beside | {"config_matrix": matrix}, ("config_matrix",)
    return ({"configs": [value]}, ("configs", 0)) if is_akashic(value) else (value, ())


def suite_names() -> list[str]:
    """Name the suites that come along."""
    return catalogue.names(shipped)


def asked_for(
    given: Mapping[str, Any], found: Problems, *, home: str, cutoff: int | None, suite: str | None
) -> list[Given]:
    """Gather the configurations; a suite that is asked for takes the place of all others."""
    named = suite if suite is not None else given.get("suite")
    own = given.get("configs") if _is_map(given.get("configs")) else given.get("suites")
    if own is not None and not _are_suites(own, found):
        return []
    listed = [key for key in LISTED if isinstance(given.get(key), list)]
    if named is not None:
        if suite is None and (listed or given.get("config_matrix") is not None):
            what = "suite and configurations both say what is tried"
            found.add(["suite"], what, "keep one, and name the suite on the command line: --suite")
        return _suite(named, own or {}, given, found, home)
    if own and not listed and given.get("matrix") is given.get("config_matrix") is None:
        return _only_suite(own, given, found, home)
    return [*_listed(given, found, home), *_matrix_of_semantik(given, found, cutoff)]


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)


def _are_suites(own: object, found: Problems) -> bool:
    """Check the shape of all suites, of which one is read in full."""
    if not isinstance(own, Mapping) or not all(isinstance(one, list) for one in own.values()):
        hint = "e.g. suites: {small: [{name: words, search: lexical}]}"
        found.add(["suites"], f"suites cannot be {short(own)}", hint)
        return False
    for name in own:
        if not own[name]:
            found.add(["suites", name], "names no configurations", HINT)
        for at, one in enumerate(own[name]):
            _refuse_shapeless(one, ("suites", name, at), found)
    return True


def _refuse_shapeless(given: object, path: Path, found: Problems) -> None:
    if not isinstance(given, Mapping):
        hint = "e.g. {name: bm25, search: lexical}"
        found.add(path, f"{short(given)} is no configuration", hint)
    elif given.get("name") is None:
        found.add(path, "has no name", "name: what reports call it")
    else:
        for key in (str(key) for key in given if key not in KNOWN):
            what = f"{key[:60]} is no setting of a configuration"
            found.add((*path, key), what, near(key, KNOWN))


def _suite(
    named: object, own: Mapping[str, Any], given: Mapping[str, Any], found: Problems, home: str
) -> list[Given]:
    """Take a suite of the file, or one that comes along."""
    if isinstance(named, str) and named in own:
        return _items(own[named], ("suites", named), given, found, home)
    names = [*own, *suite_names()]
    if not isinstance(named, str) or named not in names:
        hint = f"{near(str(named), names)}; `assay list suites` says what each is for"
        found.add(["suite"], f"there is no suite {short(named)}", hint)
        return []
    make: Any = catalogue.find(shipped, named)
    return _items(make(), (), given, found, home)


def _only_suite(
    own: Mapping[str, Any], given: Mapping[str, Any], found: Problems, home: str
) -> list[Given]:
    if len(own) == 1:
        return _suite(next(iter(own)), own, given, found, home)
    names = ", ".join(map(str, own))[:200]
    found.add(["suites"], f"has {len(own)} suites: {names}", "choose one: --suite NAME")
    return []


def _listed(given: Mapping[str, Any], found: Problems, home: str) -> list[Given]:
    """Take the configurations of the file; without any, its matrix is them."""
    items: list[Given] = []
    for key in (key for key in LISTED if given.get(key) is not None):
        if not _is_map(given[key]) or key == "configurations":
            items += _items(given[key], (key,), given, found, home)
    named = any(given.get(key) is not None for key in (*LISTED, "config_matrix"))
    if not named and given.get("matrix") is not None:
        matrix = _shared(given, found)
        return [Given("", matrix, ("matrix",))] if matrix else []
    if not named:
        found.add(["configurations"], "names no configurations", HINT)
    return items


def _items(
    value: object, path: Path, given: Mapping[str, Any], found: Problems, home: str
) -> list[Given]:
    if not isinstance(value, list) or not value or len(value) > MOST:
        what = "names no configurations" if not value else "configurations must be a list"
        what = what if not isinstance(value, list) or not value else f"more than {MOST:,} of them"
        found.add(path, what, HINT)
        return []
    shared = _shared(given, found)
    places = [(*path, at) if path else () for at in range(len(value))]
    read = [_item(*pair, shared, found, home) for pair in zip(value, places, strict=True)]
    items = [one for one in read if one]
    _refuse_twice(items, found)
    for key in (key for key in shared if items and not any(key in one.shared for one in items)):
        if given.get("config_matrix") is None:
            what = f"{str(key)[:60]} has no effect: every configuration says it itself"
            found.add(["matrix", str(key)], what, "leave it out here, or there")
    return items


def _item(
    given: object, path: Path, shared: Mapping[str, Any], found: Problems, home: str
) -> Given | None:
    if not isinstance(given, Mapping):
        hint = "e.g. {name: bm25, search: lexical}"
        found.add(path, f"{short(given)} is no configuration", hint)
        return None
    theirs = is_akashic(given)
    own = from_akashic(given, path, found, home=home) if theirs else dict(given)
    name = own.pop("name", None)
    if name is None:
        found.add(path, "has no name", "name: what reports call it")
        name = "unnamed"
    for _, problem, hint in wrong_values({"name": name}):
        found.add((*path, "name"), f"name {problem}", hint)
    return Given(
        name=str(name),
        settings={**shared, **own},
        path=path,
        words=WORDS if theirs else {},
        shared=frozenset(shared.keys() - own.keys()),
    )


def _refuse_twice(items: Sequence[Given], found: Problems) -> None:
    names = [one.name for one in items]
    for at, one in enumerate(items):
        if one.name in names[:at]:
            hint = "give each configuration a name of its own"
            found.add((*one.path, "name"), f'the name "{one.name[:60]}" stands twice', hint)


def _shared(given: Mapping[str, Any], found: Problems) -> Mapping[str, Any]:
    matrix = given.get("matrix")
    if matrix is None or (isinstance(matrix, Mapping) and matrix):
        return matrix or {}
    hint = "e.g. matrix: {search: [lexical, hybrid], chunk_size: [128, 256]}"
    found.add(["matrix"], f"matrix cannot be {short(matrix)}", hint)
    return {}


def _matrix_of_semantik(
    given: Mapping[str, Any], found: Problems, cutoff: int | None
) -> list[Given]:
    matrix = given.get("config_matrix")
    if matrix is None:
        return []
    if not isinstance(matrix, Mapping):
        hint = "e.g. config_matrix: {search_modes: [dense, hybrid]}"
        found.add(["config_matrix"], f"config_matrix cannot be {short(matrix)}", hint)
        return []
    shared = _shared(given, found)
    return semantik_configurations(matrix, ("config_matrix",), found, cutoff=cutoff, shared=shared)
