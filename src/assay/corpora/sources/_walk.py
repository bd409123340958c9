"""Folder -> the paths of its files in the order of their bytes, without following links."""

import os
from collections.abc import Iterator
from pathlib import Path

from assay.corpora.ignore.gitignore import NAME, IgnoreRules
from assay.corpora.ignore.patterns import PathFilter
from assay.errors import InputError
from assay.records.skipped_files import SkippedFiles

__all__ = ["walk"]

# What tools keep beside the documents, never part of them.
OUT = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS", ".assay"})
MOST_IGNORED = 5  # paths that git ignores and a message names


def walk(
    root: Path, wanted: PathFilter, ignored: IgnoreRules | None, skipped: SkippedFiles
) -> Iterator[str]:
    """Yield each wanted file's path below the root, with forward slashes.

    It goes down on a stack of its own, holding the names of the folders that are open and no more.
    """
    stack = [("", _first(root), ignored)]
    while stack:
        base, entries, rules = stack[-1]
        if not entries:
            stack.pop()
            continue
        name, link = entries.pop()
        path = base + name
        if rules is not None and rules.hides(name):
            if len(skipped.ignored) < MOST_IGNORED:
                skipped.ignored.append(path)
        elif not (wanted.enters(path) if name.endswith("/") else wanted.takes(path)):
            skipped.unmatched += 1
        elif name.endswith("/"):
            stack.append(_opened(root, path, rules, skipped))
        elif _counts(path, link, skipped):
            yield path


def _first(root: Path) -> list[tuple[str, bool]]:
    try:
        return _entries(str(root))
    except OSError as error:
        problem, hint = f"cannot be listed ({error.strerror})", "check the path and its permissions"
        raise InputError(problem, where=str(root), hint=hint) from None


def _counts(path: str, link: bool, skipped: SkippedFiles) -> bool:  # noqa: FBT001
    """Tell whether a file can be a document; count it as skipped if not."""
    if link:
        skipped.skip(path, "link")
    elif not path.isascii() and _undecodable(path):
        skipped.skip(path, "unreadable")
    else:
        return True
    return False


def _opened(
    root: Path, path: str, rules: IgnoreRules | None, skipped: SkippedFiles
) -> tuple[str, list[tuple[str, bool]], IgnoreRules | None]:
    place = root / path
    try:
        entries = _entries(str(place))
    except OSError:
        skipped.skip(path, "unreadable")
        entries = []
    return path, entries, rules and rules.inside(place.name, place / NAME)


def _entries(folder: str) -> list[tuple[str, bool]]:
    """List a folder from last to first: each name, a folder's with a slash, and if it is a link.

    Folders sort as if the slash belonged to their name, which is the order of whole paths and of
    git's trees.
    """
    with os.scandir(folder) as entries:
        named = [
            (f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name, entry)
            for entry in entries
            if entry.name not in OUT
        ]
    listed = [(name, entry.is_symlink()) for name, entry in named]
    return sorted(listed, key=lambda each: os.fsencode(each[0]), reverse=True)


def _undecodable(path: str) -> bool:
    """Say whether a name is not text: Python then holds its bytes as lone surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return True
    return False
