"""What people give as a place or a limit, checked before anything is read."""

from pathlib import Path

from assay.columns.files.near_file import near_file
from assay.errors import InputError

__all__ = ["folder_at", "limit", "missing", "place_of"]

NO_LIMIT = 1 << 62


def folder_at(path: object) -> Path:
    """Return a folder that exists, with its links resolved."""
    place = place_of(path)
    try:
        if place.is_dir():
            return place.resolve()
        exists = place.exists()
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte in it
        raise InputError(
            f"cannot be opened ({error})", where=str(path)[:200], hint="name a folder"
        ) from None
    if exists:
        hint = "name the folder that holds it"
        raise InputError("is a file, not a folder", where=str(path), hint=hint)
    raise missing(place, "folder")


def place_of(path: object) -> Path:
    """Return what was given as a path, with ``~`` spelled out."""
    if isinstance(path, Path) or (isinstance(path, str) and path):
        try:
            return Path(path).expanduser()
        except RuntimeError:  # no home folder is known
            return Path(path)
    raise InputError(f"a path is a text, not {path!r}", hint="name a folder or a file")


def missing(place: Path, kind: str) -> InputError:
    """Say that nothing is there, and what has a similar name."""
    try:
        names = [entry.name for entry in place.absolute().parent.iterdir()]
    except (OSError, ValueError):
        names = []
    close = near_file(place.name, names)
    hint = f"did you mean {place.parent / close}?" if close else "check the path"
    return InputError(f"no such {kind}", where=str(place)[:200], hint=hint)


def limit(max_bytes: object) -> int:
    """Return the largest size of a document; None is no limit."""
    if max_bytes is None:
        return NO_LIMIT
    if isinstance(max_bytes, int) and not isinstance(max_bytes, bool) and max_bytes > 0:
        return max_bytes
    hint = "give a number of bytes, such as 1000000"
    raise InputError(f"max_bytes cannot be {max_bytes!r}", hint=hint)
