"""Which folders and pages are copies of others, by their names."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

__all__ = ["find_copies", "is_called_copy", "shared_endings"]

LEAST = 3  # copies that one pattern is written for
WORDS = r"(?:bak|backups?|cop(?:y|ies)|old|orig)"
NAMED = re.compile(rf"(?i)(?:(?:^|[ ._(-]+){WORDS}[ ._()\d-]*|~)$|^copy of ")


def find_copies(paths: Collection[str], *, pages: Iterable[str]) -> list[str]:
    """Return the folders that are copies, and the ``pages`` (paths, too) that are copies.

    A folder is a copy if its name says so, and half of its files exist elsewhere as well; a page,
    if its name says so, and the original is in the same folder.

    >>> find_copies(["pages/a.md", "pages.bak/a.md", "backup/tool.py"], pages=[])
    ['pages.bak']
    """
    groups: dict[str, list[str]] = {}
    for path in paths:
        if folder := _copied_folder(path):
            groups.setdefault(folder, []).append(path.removeprefix(f"{folder}/"))
    others = {end for path in paths if not _copied_folder(path) for end in _ends(path)}
    folders = [
        folder
        for folder, inner in groups.items()
        if 2 * sum(one in others for one in inner) >= len(inner)
    ]
    there = set(paths)
    alone = [page for page in pages if not _copied_folder(page) and _original(page) in there]
    return sorted([*folders, *alone])


def is_called_copy(name: str) -> bool:
    """Tell whether the name of a file says that it is a copy.

    >>> is_called_copy("questions-old.csv"), is_called_copy("copyright.csv")
    (True, False)
    """
    return NAMED.search(PurePosixPath(name).stem) is not None


def shared_endings(copies: Iterable[str], kept: Iterable[str]) -> list[str]:
    """Return the ends of names that several copies have, and no file that is ``kept``.

    >>> shared_endings(["a-old.md", "b-old.md", "c-old.md", "d copy.md"], ["a.md", "d.md"])
    ['-old.md']
    """
    counts = Counter(filter(None, map(_marked_end, copies)))
    ends = tuple(end for end, number in counts.items() if number >= LEAST)
    taken = [path for path in kept if path.endswith(ends)] if ends else []
    return sorted(end for end in ends if not any(path.endswith(end) for path in taken))


def _marked_end(path: str) -> str:
    """Return the mark of a copy at the end of its name, with the ending of the file."""
    place = PurePosixPath(path)
    found = NAMED.search(place.stem)
    marked = found is not None and found.start() > 0 and place.suffix
    return f"{place.stem[found.start() :]}{place.suffix}" if found and marked else ""


def _copied_folder(path: str) -> str:
    """Return the uppermost folder of a path whose name says that it is a copy."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if NAMED.search(part):
            return "/".join(parts[: at + 1])
    return ""


def _ends(path: str) -> Iterable[str]:
    """Yield a path as seen from each folder above it."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def _original(path: str) -> str:
    """Return the path of which a page is a copy by its name; nothing if it is not."""
    place = PurePosixPath(path)
    stem = NAMED.sub("", place.stem)
    name = f"{stem}{place.suffix}"
    return "" if stem in ("", place.stem) or name == "." else str(place.with_name(name))
