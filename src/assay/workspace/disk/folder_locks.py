"""Folders that a living process works in: a lock in each, which the system drops when it dies."""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, which lets nobody remove an open file
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "GONE",
    "FolderLock",
    "bytes_of",
    "discard",
    "joined",
    "last_used",
    "remove",
    "signed",
    "touch",
]

MARK = ".used"
GONE = ".gone"
UNTOLD_S = 86_400.0  # where no lock can tell, what nobody touched for a day is nobody's


class FolderLock:
    """A lock on a folder's mark; nobody removes the folder before it is closed."""

    def __init__(self, handle: int | None = None) -> None:
        self._handle = handle

    def is_of(self, folder: Path) -> bool:
        """Tell whether the folder at this place is still the one that is held."""
        if self._handle is None:
            return False
        try:
            return os.path.samestat(os.fstat(self._handle), (folder / MARK).stat())
        except OSError:
            return False

    def close(self) -> None:
        """Let go."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def signed(folder: Path) -> FolderLock:
    """Mark a new folder as ours: the mark is locked before anyone can see it."""
    new = folder / f"{MARK}.new"
    hold = os.open(new, os.O_CREAT | os.O_RDWR, 0o666)
    _lock(hold, alone=False)
    new.rename(folder / MARK)
    return FolderLock(hold)


def joined(folder: Path) -> FolderLock | None:
    """Hold a folder beside others; None if it is not there, or about to be removed."""
    if not folder.is_dir():
        return None
    try:
        handle = os.open(folder / MARK, os.O_RDONLY)
    except OSError:  # not ours to lock, but there
        return FolderLock() if folder.is_dir() else None
    hold = FolderLock(handle)
    if _lock(handle, alone=False) is not False and hold.is_of(folder):
        return hold
    hold.close()
    return None


def remove(folder: Path, *, by_age: bool = True, unmarked: bool = False) -> int:
    """Remove a folder, unless a living process works in it; return the bytes that this freed.

    Where no lock can tell whether a process lives, its age does, or else it stays. A folder without
    a mark is ``unmarked`` if it is known that nobody is about to mark it.
    """
    hold = FolderLock() if unmarked and not _has_mark(folder) else _taken(folder, by_age=by_age)
    if hold is None:
        return 0
    try:
        before, gone = bytes_of(folder), _gone(folder)
        if os.name == "nt":  # an open file would keep the folder where it is
            hold.close()
        folder.rename(gone)  # in one step: nobody ever finds half of it
        shutil.rmtree(gone, ignore_errors=True)
    except FileNotFoundError:  # another process was faster
        return 0
    finally:
        hold.close()
    return before - bytes_of(gone)


def discard(folder: Path) -> None:
    """Remove a folder of our own, if it is still there, as far as that may be done."""
    gone = _gone(folder)
    with suppress(OSError):
        folder.rename(gone)
    for place in (gone, folder):
        shutil.rmtree(place, ignore_errors=True)


def touch(folder: Path) -> None:
    """Note that a folder was used just now, if that may be written."""
    with suppress(OSError):
        os.utime(folder / MARK)


def last_used(folder: Path) -> float:
    """Return when a folder was last used, in seconds since 1970; 0 if it is gone."""
    for place in (folder / MARK, folder):
        with suppress(OSError):
            return place.stat().st_mtime
    return 0.0


def bytes_of(folder: Path) -> int:
    """Sum up the sizes of all files in a folder; one with two names counts once."""
    sizes: dict[tuple[int, int], int] = {}
    for here, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                found = os.lstat(Path(here, name))
                sizes[found.st_dev, found.st_ino] = found.st_size
    return sum(sizes.values())


def _gone(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.{os.getpid()}{GONE}")


def _has_mark(folder: Path) -> bool:
    return os.path.lexists(folder / MARK)


def _taken(folder: Path, *, by_age: bool) -> FolderLock | None:
    """Hold a folder alone; None if somebody else holds it, or may."""
    old = by_age and time.time() - last_used(folder) > UNTOLD_S
    try:
        handle = os.open(folder / MARK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return FolderLock() if old else None
    hold = FolderLock(handle)
    locked = _lock(handle, alone=True)
    if hold.is_of(folder) and (locked or (locked is None and old)):
        return hold
    hold.close()
    return None


def _lock(handle: int, *, alone: bool) -> bool | None:
    """Lock an open file without waiting; None where the file system knows no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
