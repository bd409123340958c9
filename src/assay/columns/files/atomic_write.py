"""A file that is written aside and put in place whole: what fails leaves what was there."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.errors import InputError

__all__ = ["FOLDER", "atomic_write"]

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
FOLDER = "check that the folder exists and can be written to"
OPEN = ("/dev/std", "/dev/fd/", "/proc/")  # what a process has open already, by its other name


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Yield where to write; when that went well it takes the place of ``path``, all at once.

    It has the same ending, by which writers choose. A link keeps pointing to its file, and a file
    keeps its permissions. Devices and pipes are written as they are, and so is a file in a folder
    that takes no new ones.
    """
    place = Path(path)
    try:
        if _is_written_as_it_is(place):
            yield place
        else:
            with _new(Path(os.path.realpath(place))) as new:
                yield new
    except OSError as error:
        raise _explained(error, place) from None


def _is_written_as_it_is(place: Path) -> bool:
    names = [os.path.abspath(place)]  # noqa: PTH100 - a link is not to be followed
    names += [os.readlink(place)] if place.is_symlink() else []  # noqa: PTH115
    if any(name.startswith(OPEN) for name in names):
        return True
    if not place.exists():
        return False
    if not stat.S_ISREG(place.stat().st_mode):
        return True
    return not os.access(os.path.dirname(os.path.realpath(place)), os.W_OK)  # noqa: PTH120


@contextmanager
def _new(place: Path) -> Iterator[Path]:
    new = place.with_name(f".assay-{os.getpid()}-{secrets.token_hex(4)}.new{place.suffix}")
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())  # some disks say only now that they are full
        if place.exists():
            _keep_rights(place.stat(), new)
        new.replace(place)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _keep_rights(old: os.stat_result, new: Path) -> None:
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.stat().st_uid, new.stat().st_gid):
        with suppress(OSError):
            os.chown(new, old.st_uid, old.st_gid)
    new.chmod(stat.S_IMODE(old.st_mode))


def _explained(error: OSError, place: Path) -> InputError:
    if error.errno in FULL:
        problem = f"cannot be written: no space left on the disk ({error.strerror})"
        hint = "free some space, or choose a file on another disk; an existing file is unchanged"
        return InputError(problem, where=str(place), hint=hint)
    problem = f"cannot be written ({error.strerror or error})"
    return InputError(problem, where=str(place), hint=FOLDER)
