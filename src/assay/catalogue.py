"""Find the members of a package by name: a file in its folder, or an installed plugin."""

import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.errors import UnknownNameError
from assay.text.near_miss import did_you_mean

__all__ = ["files", "find", "names"]

NOUNS = {  # of packages whose last name alone says too little
    "corpora sources": "corpus source",
    "datasets families": "dataset family",
    "datasets formats": "dataset format",
    "datasets judgments": "judgments format",
    "engines dense": "dense index",
    "engines lexical": "lexical index",
    "metrics between": "agreement metric",
    "models embedders": "embedding model",
    "models quality": "quality measure",
    "rankings formats": "run format",
    "reports ancestors": "report layout",
    "reports charts kinds": "chart",
    "reports formats": "output format",
}


def names(package: ModuleType) -> list[str]:
    """List what a package offers, without importing any of it."""
    return sorted(_files(package) | _plugins(package).keys())


def files(package: ModuleType) -> list[str]:
    """List the members in the folder itself, without asking for plugins, which takes longer."""
    return sorted(_files(package))


def find(package: ModuleType, name: str) -> object:
    """Return the one public object behind a name; our own files win over plugins."""
    if name in _files(package):
        module = import_module(f"{package.__name__}.{name}")
        (public,) = module.__all__
        return vars(module)[public]
    plugins = _plugins(package)
    if name in plugins:
        return plugins[name].load()  # type: ignore[attr-defined]
    raise _unknown(package, name)


def _files(package: ModuleType) -> set[str]:
    # os, not pathlib or pkgutil: this runs for every metric of every evaluation.
    folder = os.path.dirname(str(package.__file__))  # noqa: PTH120
    return {
        name.removesuffix(".py")
        for name in os.listdir(folder)  # noqa: PTH208
        if name.endswith(".py") and not name.startswith("_")
    }


def _plugins(package: ModuleType) -> dict[str, object]:
    # Imported here: reading entry points costs more than numpy's arithmetic on a small file.
    from importlib.metadata import entry_points

    return _entries(entry_points, package.__name__)


@cache
def _entries(read: Callable[..., Iterable[Any]], group: str) -> dict[str, object]:
    """Read what is installed once: a matrix asks for the same names in every cell."""
    return {entry.name: entry for entry in read(group=group)}


def _unknown(package: ModuleType, name: str) -> UnknownNameError:
    hint = did_you_mean(name, names(package), otherwise=f"available: {', '.join(names(package))}")
    return UnknownNameError(f'unknown {_noun(package)} "{name[:60]}"', hint=hint)


def _noun(package: ModuleType) -> str:
    """Say what one member of a package is called: ``assay.metrics`` has metrics."""
    words = package.__name__.removeprefix("assay.").replace(".", " ")
    return NOUNS.get(words) or words.rpartition(" ")[2].removesuffix("s")
