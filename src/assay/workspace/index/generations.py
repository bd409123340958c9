"""Folders of engine files, for each generation of an index; committed ones never change."""

import os
import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["begin", "derived_of", "files_of", "folder_of", "is_whole", "seal", "sweep", "writable"]

LOCK = ".lock"


def folder_of(index: Path, generation: int) -> Path:
    """Name the folder of a generation."""
    return index / f"lexical-{generation}"


def derived_of(index: Path, generation: int) -> Path:
    """Name the folder of what readers work out of a generation, and may keep until the next."""
    return index / f"derived-{generation}"


def sweep(index: Path, *, keep: int) -> None:
    """Remove the folders of all other generations: older ones, and those of killed writers.

    Who still reads one keeps its open files; where the system forbids the removal of open files,
    the folder stays for a later writer.
    """
    for folder in index.iterdir():
        found = re.fullmatch(r"(?:lexical|derived)-(\d+)", folder.name)
        if found and int(found[1]) != keep:
            shutil.rmtree(folder, ignore_errors=True)


def begin(old: Path, new: Path, *, copy: Callable[[str], bool]) -> None:
    """Fill a new folder with the files of the old one: the same files, or copies if asked for."""
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for folder, _, names in os.walk(old):
        here = new / Path(folder).relative_to(old)
        here.mkdir(exist_ok=True)
        for name in names:
            if not name.endswith(LOCK):  # the lock of one folder must not lock the other
                _carry(Path(folder, name), here / name, copy=copy(name))


def _carry(source: Path, target: Path, *, copy: bool) -> None:
    if not copy:
        with suppress(OSError):  # some file systems know no links
            target.hardlink_to(source)
            return
    shutil.copyfile(source, target)


def files_of(folder: Path) -> dict[str, int]:
    """Return the size of each file in a folder, by its path there; locks say nothing."""
    places = [Path(here, name) for here, _, names in os.walk(folder) for name in names]
    content = [place for place in places if not place.name.endswith(LOCK)]
    return {place.relative_to(folder).as_posix(): place.stat().st_size for place in content}


def is_whole(folder: Path, files: Mapping[str, int]) -> bool:
    """Tell whether a folder is there, with all its files in their sizes: no file is opened."""
    try:
        return folder.is_dir() and all(
            (folder / name).stat().st_size == size for name, size in files.items()
        )
    except OSError:
        return False


def writable(folder: Path) -> bool:
    """Tell whether files may be made in a folder."""
    effective = os.access in os.supports_effective_ids
    return os.access(folder, os.W_OK, effective_ids=effective)


def seal(folder: Path) -> None:
    """Wait until all files of a folder, and their names, are on the disk."""
    if os.name == "nt":  # folders cannot be opened there, nor files that are open to be read
        return
    for here, _, names in os.walk(folder):
        for place in [Path(here, name) for name in names] + [Path(here)]:
            _sync(place)
    _sync(folder.parent)


def _sync(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
