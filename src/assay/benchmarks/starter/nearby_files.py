"""The files in and below a folder, the nearest first, without what tools keep there."""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

__all__ = ["SKIPPED", "nearby_files"]

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
            is_folder = path.is_dir()
            if is_folder and (path.name in SKIPPED or path.is_symlink()):
                continue
            if not left:
                return
            left -= 1
            yield path
            if is_folder and depth < DEEPEST:
                waiting.append((path, depth + 1))


def _entries(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError:
        return []
    return [folder / name for name in names if not name.startswith(".")]
