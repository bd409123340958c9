"""Which folders and pages are copies of others, by their names."""

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

__all__ = ["find_copies"]

WORDS = r"(?:bak|backups?|cop(?:y|ies)|old|orig)"
NAMED = re.compile(rf"(?i)(?:(?:^|[ ._(-]+){WORDS}[ ._()\d-]*|~)$|^copy of ")


def find_copies(paths: Collection[str], *, pages: Iterable[str]) -> list[str]:
    """Return the folders that are copies, and the ``pages`` (paths, too) that are copies.

    A folder is a copy if its name says so, and half of its files exist elsewhere as well; a page,
    if its name says so, and the original is in the same folder.

    >>> find_copies(["pages/a.md", "pages.bak/a.md", "backup/tool.py"], pages=[])
    ['pages.bak']
    """
    groups: dict[str, list[str]] = {}
    for path in paths:
        if folder := _copied_folder(path):
            groups.setdefault(folder, []).append(path.removeprefix(f"{folder}/"))
    others = {end for path in paths if not _copied_folder(path) for end in _ends(path)}
    folders = [
        folder
        for folder, inner in groups.items()
        if 2 * sum(one in others for one in inner) >= len(inner)
    ]
    there = set(paths)
    alone = [page for page in pages if not _copied_folder(page) and _original(page) in there]
    return sorted([*folders, *alone])


def _copied_folder(path: str) -> str:
    """Return the uppermost folder of a path whose name says that it is a copy."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if NAMED.search(part):
            return "/".join(parts[: at + 1])
    return ""


def _ends(path: str) -> Iterable[str]:
    """Yield a path as seen from each folder above it."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def _original(path: str) -> str:
    """Return the path of which a page is a copy by its name; nothing if it is not."""
    place = PurePosixPath(path)
    stem = NAMED.sub("", place.stem)
    name = f"{stem}{place.suffix}"
    return "" if stem in ("", place.stem) or name == "." else str(place.with_name(name))
