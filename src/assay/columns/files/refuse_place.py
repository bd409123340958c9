"""Refuse a place where no file can be written, before anything is computed for it."""

import os
import shlex

from assay.errors import InputError

__all__ = ["refuse_place"]


def refuse_place(path: str) -> None:
    """Name what is wrong with the place; ``os`` never raises where a name is too long or none."""
    if "\0" in path:
        raise InputError("is not a file name", where=path, hint="specify another file")
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    if os.path.isdir(path):  # noqa: PTH112
        raise InputError("is a folder", where=path, hint="specify a file inside it")
    if not os.path.isdir(folder):  # noqa: PTH112
        missing = os.path.dirname(path)  # noqa: PTH120
        hint = f"create it first: mkdir -p {shlex.quote(missing)}"
        raise InputError(f'the folder "{missing}" does not exist', where=path, hint=hint)
    there = path if os.path.exists(path) else folder  # noqa: PTH110
    if not os.access(there, os.W_OK):
        hint = "change its permissions or specify another file"
        raise InputError("cannot be written: permission denied", where=path, hint=hint)
