"""The suites that a file has itself: of which shape they are, before one of them is chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.benchmarks.file._said_twice import refuse_both
from assay.benchmarks.file.akashic import KEYS as THEIRS
from assay.benchmarks.file.criteria import short
from assay.benchmarks.file.problems import Problems
from assay.searches.configuration.settings import SETTINGS, near

__all__ = ["HINT", "Suites", "is_item", "suites_of"]

KNOWN = ("name", *SETTINGS, *THEIRS)
HINT = "e.g. configurations: [{name: default}]"
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Suites:
    """Lists of configurations by name, and the key under which a file has them."""

    key: str = "suites"
    lists: Mapping[str, list[Any]] = field(default_factory=dict)


def suites_of(given: Mapping[str, Any], found: Problems) -> Suites | None:
    """Return the suites of a file, none if it has none; None if they are of no such shape."""
    key = "configs" if isinstance(given.get("configs"), Mapping) else "suites"
    if key == "configs" and given.get("suites") is not None:
        refuse_both(["suites"], ["configs"], found)
        return None
    own = given.get(key)
    if own is None:
        return Suites()
    if not isinstance(own, Mapping) or not all(isinstance(one, list) for one in own.values()):
        hint = "e.g. suites: {small: [{name: words, search: lexical}]}"
        found.add([key], f"{key} cannot be {short(own)}", hint)
        return None
    for name, items in own.items():
        _refuse_shapeless(name, items, key, found)
    return Suites(key, own) if all(isinstance(name, str) for name in own) else None


def is_item(given: object, path: Path, found: Problems) -> bool:
    """Tell whether a value is a configuration, of which each setting has a name; else say so."""
    if not isinstance(given, Mapping):
        hint = "e.g. {name: bm25, search: lexical}"
        found.add(path, f"{short(given)} is no configuration", hint)
        return False
    odd = [key for key in given if not isinstance(key, str)]
    for key in odd:
        found.add(
            (*path, str(key)), f"{short(key)} is no setting of a configuration", near("", KNOWN)
        )
    return not odd


def _refuse_shapeless(name: object, items: list[Any], key: str, found: Problems) -> None:
    if not isinstance(name, str):
        found.add([key, str(name)], f"{short(name)} is no name of a suite", f'write "{name}"')
    if not items:
        found.add([key, str(name)], "names no configurations", HINT)
    for at, one in enumerate(items):
        path = (key, str(name), at)
        if is_item(one, path, found):
            _refuse_unknown(one, path, found)


def _refuse_unknown(given: Mapping[str, Any], path: Path, found: Problems) -> None:
    if given.get("name") is None:
        found.add(path, "has no name", "name: what reports call it")
        return
    for key in (key for key in given if key not in KNOWN):
        what = f"{key[:60]} is no setting of a configuration"
        found.add((*path, key), what, near(key, KNOWN))
