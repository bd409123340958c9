"""The document that a person means by a path, or why the index does not have it."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.corpora.open_corpus import open_corpus
from assay.errors import AssayError
from assay.reports.searches.about import skipped_as

__all__ = ["absent", "spelled"]

LONGEST = 4096  # of a path that is looked for


def spelled(name: str, where: object, corpus: str, known: Callable[[str], bool]) -> str | None:
    """Return the name that an index knows: as given, from a place on disk, or below the corpus."""
    return next((one for one in _spellings(name, where, corpus) if known(one)), None)


def _spellings(name: str, where: object, corpus: str) -> Iterator[str]:
    yield name
    plain = name.replace("\\", "/").removeprefix("./")
    yield plain
    yield from (path.as_posix() for _, path in _below(name, where))
    yield plain.removeprefix(f"{corpus}/")


def _below(name: str, where: object) -> Iterator[tuple[Path, Path]]:
    """Yield the corpus's folder and the paths below it that a name can mean."""
    if not isinstance(where, str | Path) or len(name) > LONGEST or "\0" in name:
        return
    for root in dict.fromkeys([Path(os.path.abspath(where)), Path(os.path.realpath(where))]):  # noqa: PTH100
        for start in (root, Path.cwd()):
            place = Path(os.path.abspath(start / name))  # noqa: PTH100 (a link is not followed)
            if place != root and place.is_relative_to(root):
                yield root, place.relative_to(root)


def absent(name: str, where: object) -> str:
    """Say why a file of a corpus's folder is not in its index; nothing if there is none."""
    for root, path in _below(name, where):
        if os.path.isdir(root / path):  # noqa: PTH112 (never raises)
            return "it is a folder, and only files are indexed"
        if os.path.lexists(root / path):
            return f"it is not indexed: {_reason(root, path)}"
    return ""


def _reason(root: Path, path: Path) -> str:
    """Read the one file as a corpus would, but for what git ignores."""
    only = "/" + re.sub(r"([\\*?\[\]!# ])", r"\\\1", path.as_posix())
    try:
        corpus = open_corpus({"source": "folder", "path": root, "include": [only], "ignored": True})
        found = list(corpus.documents())
    except AssayError as error:
        return error.problem
    if not found:
        return ", ".join(map(skipped_as, corpus.skipped)) or "its folder is never looked at"
    if not found[0].text.strip():
        return "it is empty"
    return "git ignores it, or --include and --exclude leave it out"
