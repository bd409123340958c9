"""What people give as a place, checked before anything is read."""

from pathlib import Path

from assay.columns.files.near_file import near_file
from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["folder_at", "missing", "place_of", "split_revision"]

GIVE = "give the path of a folder or a .jsonl file"


def folder_at(path: object) -> Path:
    """Return a folder that exists, with its links resolved."""
    place = place_of(path)
    try:
        if place.is_dir():
            return place.resolve()
        exists = place.exists()
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte in it
        raise InputError(
            f"cannot be opened ({error})", where=str(path)[:200], hint="give the path of a folder"
        ) from None
    if exists:
        hint = f"give its folder: {place.parent}"
        raise InputError("not a folder but a file", where=str(path), hint=hint)
    raise missing(place, "folder")


def place_of(path: object) -> Path:
    """Return what was given as a path, with ``~`` spelled out."""
    if isinstance(path, Path) or (isinstance(path, str) and path):
        try:
            return Path(path).expanduser()
        except RuntimeError:  # no home folder is known
            return Path(path)
    raise InputError(f"path: invalid value {quote_value(path)}", where="corpus", hint=GIVE)


def split_revision(text: str, base: Path) -> tuple[str, str | None]:
    """Part a repository from its revision at the first @ that follows a folder's name."""
    parts = text.split("@")
    for count in range(1, len(parts)):
        repository = "@".join(parts[:count])
        if repository and (base / place_of(repository)).is_dir():
            return repository, "@".join(parts[count:])
    return text, None


def missing(place: Path, kind: str) -> InputError:
    """Return the error for a place that does not exist; it suggests a similar name."""
    try:
        names = [entry.name for entry in place.absolute().parent.iterdir()]
    except (OSError, ValueError):
        names = []
    close = near_file(place.name, names)
    hint = f"did you mean {place.parent / close}?" if close else "check the path"
    return InputError(f"no such {kind}", where=str(place)[:200], hint=hint)
