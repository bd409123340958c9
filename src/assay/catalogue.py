"""Find the members of a package by name: a file in its folder, or an installed plugin."""

import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.errors import UnknownNameError
from assay.text.near_miss import near_miss

__all__ = ["files", "find", "names"]


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
    kind = package.__name__.removeprefix("assay.").replace(".", " ")
    close = near_miss(name, names(package))
    hint = f"did you mean {close!r}?" if close else f"it offers: {', '.join(names(package))}"
    return UnknownNameError(f"{kind}: nothing is called {name!r}", hint=hint)
