"""Paths -> those that are copies of others, by their names: a backup answers every query twice."""

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

__all__ = ["copies_among"]

WORDS = r"(?:bak|backups?|cop(?:y|ies)|old|orig)"
NAMED = re.compile(rf"(?i)(?:(?:^|[ ._(-]+){WORDS}[ ._()\d-]*|~)$|^copy of ")


def copies_among(paths: Collection[str], *, pages: Iterable[str]) -> list[str]:
    """Name the folders that are copies, and the ``pages`` (paths, too) that are copies themselves.

    A folder is one if it is called so, and half of its files are elsewhere as well; a page, if the
    one that it is called a copy of stands beside it.

    >>> copies_among(["pages/a.md", "pages.bak/a.md", "backup/tool.py"], pages=[])
    ['pages.bak']
    """
    groups: dict[str, list[str]] = {}
    for path in paths:
        if folder := _named_so(path):
            groups.setdefault(folder, []).append(path.removeprefix(f"{folder}/"))
    others = {end for path in paths if not _named_so(path) for end in _ends(path)}
    folders = [
        folder
        for folder, inner in groups.items()
        if 2 * sum(one in others for one in inner) >= len(inner)
    ]
    there = set(paths)
    alone = [page for page in pages if not _named_so(page) and _original(page) in there]
    return sorted([*folders, *alone])


def _named_so(path: str) -> str:
    """Return the uppermost folder of a path that is called a copy."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if NAMED.search(part):
            return "/".join(parts[: at + 1])
    return ""


def _ends(path: str) -> Iterable[str]:
    """Yield all that a path may be called from a folder above it."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def _original(path: str) -> str:
    """Name what a page is called a copy of; nothing if it is not called one."""
    place = PurePosixPath(path)
    stem = NAMED.sub("", place.stem)
    name = f"{stem}{place.suffix}"
    return "" if stem in ("", place.stem) or name == "." else str(place.with_name(name))
