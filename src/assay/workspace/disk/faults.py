"""What can go wrong on disk, said so that somebody can act on it."""

import errno
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError

__all__ = ["BUSY", "DAMAGED", "code_of", "damaged", "explained", "sound"]

BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
AT_ONCE = 8  # files that an index needs open
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_FULL = ("no space left on the disk", "free some space and try again; nothing was changed")
_CLOSED = (
    "cannot be opened or written",
    "check its permissions, or choose another folder with --workspace or ASSAY_WORKSPACE",
)
_DAMAGED = ("is damaged", "delete it and run `assay index` again; your documents are not in it")
_FILES = ("too many open files", "raise the limit, e.g. `ulimit -n 4096`, and try again")
_IN_USE = (
    "is in use by another process",
    "wait until that process ends, or stop it, and try again",
)
_FAILED = ("the disk could not be read or written", "check the disk, then try again")

_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_IOERR: _FAILED,
}
_OF_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.EACCES: _CLOSED,
    errno.EPERM: _CLOSED,
    errno.EROFS: _CLOSED,
    errno.ENOENT: ("no longer exists", "change to an existing folder and try again"),
    errno.ENOTDIR: ("is not a folder", "choose another folder with --workspace"),
    errno.EEXIST: ("is not a folder", "choose another folder with --workspace"),
    errno.ENAMETOOLONG: ("the path is too long", "choose another folder with --workspace"),
    errno.EIO: _FAILED,
}


def code_of(error: sqlite3.Error) -> int:
    """Return the primary result code of an error of SQLite; 0 if it has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def explained(place: Path) -> Iterator[None]:
    """Turn what the disk and SQLite complain about into a message about a place."""
    try:
        yield
    except sqlite3.Error as error:
        if code_of(error) not in _OF_SQLITE:
            raise  # a mistake of ours
        problem, hint = _FILES if _is_out_of_files() else _OF_SQLITE[code_of(error)]
        raise InputError(f"{problem} ({error})", where=str(place), hint=hint) from None
    except OSError as error:
        problem, hint = _OF_SYSTEM.get(error.errno or 0, _FAILED)
        reason = error.strerror or str(error)
        raise InputError(f"{problem} ({reason})", where=str(place), hint=hint) from None


def _is_out_of_files() -> bool:
    """Tell whether no more files can be opened: SQLite says only that it could not open one."""
    opened: list[int] = []
    try:
        opened.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(AT_ONCE))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    finally:
        for handle in opened:
            os.close(handle)
    return False


@contextmanager
def sound(place: Path) -> Iterator[None]:
    """Read what an index holds: whatever makes no sense there is damage, besides `explained`."""
    try:
        with explained(place):
            yield
    except (
        sqlite3.Error,
        zlib.error,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        raise damaged(place, error) from None


def damaged(place: Path, reason: object) -> InputError:
    """Say that a place is damaged, and what to do about it."""
    problem, hint = _DAMAGED
    what = "part of it is missing" if isinstance(reason, LookupError) else reason
    return InputError(f"{problem} ({what})", where=str(place), hint=hint)
