"""The files in and below a folder, the nearest first, without what tools keep there."""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

__all__ = ["SKIPPED", "linked_folders", "nearby_files", "subfolders"]

DEEPEST = 4  # folders below the one that is examined
SKIPPED = ("node_modules", "__pycache__", "venv", "site-packages", "target", "dist", "build")


def nearby_files(folder: Path, *, most: int) -> Iterator[Path]:
    """Yield up to ``most`` files and folders, those of each folder by name.

    Hidden ones, links to folders, and what SKIPPED names are left out.
    """
    waiting = deque([(folder, 0)])
    left = most
    while waiting:
        place, depth = waiting.popleft()
        for path in _entries(place):
            is_folder = _is_folder(path)
            if is_folder and (path.name in SKIPPED or path.is_symlink()):
                continue
            if not left:
                return
            left -= 1
            yield path
            if is_folder and depth < DEEPEST:
                waiting.append((path, depth + 1))


def subfolders(folder: Path, *, links: bool = False) -> list[Path]:
    """Return the folders in a folder by name, or the links to folders; hidden ones are left out."""
    found = [path for path in _entries(folder) if _is_folder(path)]
    return [path for path in found if path.is_symlink() is links]


def linked_folders(folder: Path) -> list[Path]:
    """Return the links in a folder that lead out of it, to other folders."""
    links = [(link, link.resolve()) for link in subfolders(folder, links=True)]
    return [
        link
        for link, target in links
        if not (target.is_relative_to(folder) or folder.is_relative_to(target))
    ]


def _is_folder(path: Path) -> bool:
    """Tell whether a path leads to a folder; a link that leads to itself does not."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _entries(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError:
        return []
    return [folder / name for name in names if not name.startswith(".")]
