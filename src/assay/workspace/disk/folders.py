"""Folders and files that Assay makes for itself: for their owner, and for no version control."""

import os
import threading
from contextlib import suppress
from pathlib import Path

from assay.errors import InputError
from assay.workspace.disk.faults import explained

__all__ = ["made", "private"]

ALL = b"*\n"
NEW = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
_one_at_a_time = threading.Lock()
if hasattr(os, "register_at_fork"):  # the parent's may be locked, and stay so in its child
    os.register_at_fork(after_in_child=lambda: globals().update(_one_at_a_time=threading.Lock()))


def made(folder: Path) -> Path:
    """Make a folder and those above it; in the topmost new one, git is told to ignore it all.

    New ones are their owner's alone: what servers answered is kept there.
    """
    with explained(folder):
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        _make(folder)
        for each in new:
            each.chmod(0o700)
        if new and not any(_ignores_all(each) for each in new[-1].parents):
            (new[-1] / ".gitignore").write_bytes(ALL)
    return folder


def private(file: Path) -> Path:
    """Make a file that its owner alone may read, whatever the umask; one that is there becomes so.

    One of another user is left as it is. A file that is there is never opened: closing it would
    drop the locks of all connections that this process has to it (fcntl(2)), and another process
    could then remove the log that they write to. The threads of a process make a file one by one.
    """
    if os.name != "nt":
        with _one_at_a_time, suppress(OSError):
            os.close(os.open(file, NEW, 0o600))
        with suppress(OSError):
            mode = file.stat().st_mode & 0o777
            if mode & 0o077:
                file.chmod(mode & 0o600)
    return file


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError:
        if not folder.is_absolute():
            raise
        hint = "choose another folder with --workspace or ASSAY_WORKSPACE"
        raise InputError("cannot be created there", where=str(folder), hint=hint) from None


def _ignores_all(folder: Path) -> bool:
    try:
        return (folder / ".gitignore").read_bytes() == ALL
    except OSError:
        return False
