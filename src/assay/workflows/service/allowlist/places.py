"""A path of a request -> whether all that is read by it lies in the allowed folders."""

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from assay.corpora.paths import place_of
from assay.corpora.repository_folders import repository_folders
from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["is_inside", "refuse_process_path"]

LONGEST = 4096
OF_A_PROCESS = ("/proc", "/dev/fd")  # which lead each process elsewhere


def refuse_process_path(place: object, *, where: str) -> None:
    """Refuse a path that depends on the folder, or the user, of a process: each has others."""
    if not isinstance(place, str) or not place or "://" in place:
        return  # it is refused as what it is, and an address may hold a password
    hint = 'use a path that begins at the root, e.g. "/srv/docs"'
    if not Path(place).is_absolute():
        raise InputError(f"relative path {quote_value(place, 200)}", where=where, hint=hint)
    whole = Path("/", os.path.normpath(place).lstrip("/"))
    if os.name == "posix" and any(whole.is_relative_to(one) for one in OF_A_PROCESS):
        problem = f"the place {quote_value(place, 200)} is another one for each process"
        raise InputError(problem, where=where, hint=hint)


def is_inside(
    place: object, roots: Iterable[Path], *, files: Collection[str] = (), git: bool = False
) -> bool:
    """Tell whether a path is in one of the folders, also through links and `..`.

    So must be the ``files`` in it that are read in its place and, of a ``git`` repository, all
    that git opens.
    """
    if not isinstance(place, str) or len(place) > LONGEST or "\0" in place:
        return False
    with suppress(OSError, ValueError, RuntimeError):
        opened = place_of(place)
        folders = [one.resolve() for one in roots]
        read = [one.resolve() for one in (opened, *(opened / name for name in files))]
        return _all_within(read, folders) and (
            not git or _all_within(repository_folders(opened), folders)
        )
    return False


def _all_within(places: Iterable[Path], roots: Sequence[Path]) -> bool:
    return all(any(one.is_relative_to(root) for root in roots) for one in places)
