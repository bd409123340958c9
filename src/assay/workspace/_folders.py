"""Folders that Assay makes for itself, which no version control should pick up."""

from pathlib import Path

from assay.errors import InputError
from assay.workspace._faults import explained

__all__ = ["made"]

ALL = b"*\n"


def made(folder: Path) -> Path:
    """Make a folder and those above it; in the topmost new one, git is told to ignore it all."""
    with explained(folder):
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        _make(folder)
        if new and not any(_ignores_all(each) for each in new[-1].parents):
            (new[-1] / ".gitignore").write_bytes(ALL)
    return folder


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
