"""A folder of a git repository -> all folders that git reads objects of it from."""

import os
from collections.abc import Iterator
from pathlib import Path

from assay.corpora.git_program import ask
from assay.errors import InputError

__all__ = ["repository_folders"]

QUESTION = ("rev-parse", "--absolute-git-dir", "--git-common-dir", "--git-path", "objects")
MOST = 20  # repositories that lend objects to each other; git follows 5 steps


def repository_folders(place: Path) -> set[Path]:
    """Return the folders, without links: the repository of ``place``, and those it borrows from.

    A file named .git, a link in the repository and ``objects/info/alternates`` each can lead to
    another folder than the one that was named.
    """
    told = ask(place, *QUESTION).split(b"\n")
    if len(told) != 3:  # for the three parts of the question
        raise InputError("git cannot read it (a line break in a path)", where=str(place))
    named = [place / os.fsdecode(one) for one in told]
    found = {one.resolve() for one in named}
    waiting, seen = [named[2].resolve()], set[Path]()
    while waiting:
        objects = waiting.pop()
        if objects in seen:
            continue
        seen.add(objects)
        if len(seen) > MOST:
            problem = f"more than {MOST} repositories lend objects to it"
            raise InputError(problem, where=str(place), hint="run: git repack -a")
        waiting += _lenders(objects)
        found |= {objects, *_linked(objects)}
    for folder in named[:2]:
        found |= {one.resolve() for one in folder.iterdir() if one.is_symlink()}
    return found


def _lenders(objects: Path) -> list[Path]:
    """Return the folders of objects that a folder of objects borrows from."""
    try:
        lines = (objects / "info/alternates").read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    given = [os.fsdecode(one) for one in lines if one and not one.startswith(b"#")]
    if any(one.startswith('"') for one in given):  # in the escaped spelling of git
        raise InputError("alternates in quotation marks cannot be read", where=str(objects))
    return [(objects / one).resolve() for one in given]


def _linked(objects: Path) -> Iterator[Path]:
    """Yield where the links below a folder of objects lead."""
    for folder, folders, files in os.walk(objects):
        for name in (*folders, *files):
            entry = Path(folder, name)
            if entry.is_symlink():
                yield entry.resolve()
