"""Folders and files that Assay makes for itself: for their owner, and for no version control."""

import os
from contextlib import suppress
from pathlib import Path

from assay.errors import InputError
from assay.workspace.disk.faults import explained

__all__ = ["made", "private"]

ALL = b"*\n"


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

    One of another user is left as it is.
    """
    if os.name != "nt":
        with suppress(OSError):
            os.close(os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
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
        raise InputError("cannot be made there", where=str(folder), hint=hint) from None


def _ignores_all(folder: Path) -> bool:
    try:
        return (folder / ".gitignore").read_bytes() == ALL
    except OSError:
        return False
