"""Find a room's members by name: a file in the room, or an installed plugin."""

import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.errors import UnknownNameError

__all__ = ["files", "find", "names"]


def names(room: ModuleType) -> list[str]:
    """List what a room offers, without importing any of it."""
    return sorted(_files(room) | _plugins(room).keys())


def files(room: ModuleType) -> list[str]:
    """List the room's own members, without asking for plugins, which takes longer."""
    return sorted(_files(room))


def find(room: ModuleType, name: str) -> object:
    """Return the one public object behind a name; our own files win over plugins."""
    if name in _files(room):
        module = import_module(f"{room.__name__}.{name}")
        (public,) = module.__all__
        return vars(module)[public]
    plugins = _plugins(room)
    if name in plugins:
        return plugins[name].load()  # type: ignore[attr-defined]
    raise _unknown(room, name)


def _files(room: ModuleType) -> set[str]:
    # os, not pathlib or pkgutil: this runs for every metric of every evaluation.
    folder = os.path.dirname(str(room.__file__))  # noqa: PTH120
    return {
        name.removesuffix(".py")
        for name in os.listdir(folder)  # noqa: PTH208
        if name.endswith(".py") and not name.startswith("_")
    }


def _plugins(room: ModuleType) -> dict[str, object]:
    # Imported here: reading entry points costs more than numpy's arithmetic on a small file.
    from importlib.metadata import entry_points

    return _entries(entry_points, room.__name__)


@cache
def _entries(read: Callable[..., Iterable[Any]], group: str) -> dict[str, object]:
    """Read what is installed once: a matrix asks for the same names in every cell."""
    return {entry.name: entry for entry in read(group=group)}


def _unknown(room: ModuleType, name: str) -> UnknownNameError:
    import difflib  # only a wrong name needs it

    kind = room.__name__.removeprefix("assay.").replace(".", " ")
    close = difflib.get_close_matches(name, names(room), n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"it offers: {', '.join(names(room))}"
    return UnknownNameError(f"{kind}: nothing is called {name!r}", hint=hint)
