"""Which paths are wanted: patterns like those of .gitignore, to take in and to leave out."""

import re
from collections.abc import Iterable
from functools import lru_cache

from assay.corpora.ignore.glob import as_bytes, glob
from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["PathFilter", "Patterns", "listed"]

START = re.compile(r"/((?:(?:[^\\*?\[/]|\\.)+/)+)")  # the folders before the first wild card


class Patterns:
    """An ordered list of patterns, of which the last that matches has the word."""

    def __init__(self, patterns: Iterable[str]) -> None:
        compiled = [glob(pattern) for pattern in patterns]
        self._globs = [each for each in reversed(compiled) if each is not None]
        self._below = lru_cache(maxsize=1024)(self._on_folder)

    def __bool__(self) -> bool:
        return bool(self._globs)

    def on(self, path: str) -> bool | None:
        """Say whether they match an entry itself, take it back, or say nothing of it.

        A folder's path ends with a slash.
        """
        folder = path.endswith("/")
        path = as_bytes(path.removesuffix("/"))
        name = path.rpartition("/")[2]
        for each in self._globs:
            if each.matches(path, name, folder=folder):
                return not each.negated
        return None

    def hold(self, path: str) -> bool:
        """Say whether they match a path or a folder above it; the nearest word counts."""
        said = self.on(path)
        if said is not None:
            return said
        above = path.removesuffix("/").rpartition("/")[0]
        return self._below(above) if above else False

    def _on_folder(self, folder: str) -> bool:
        return self.hold(f"{folder}/")


class PathFilter:
    """Says which paths are wanted: all, or those that ``include`` names, without ``exclude``."""

    def __init__(self, include: object, exclude: object) -> None:
        excluded = listed(exclude, "exclude")
        self._include = Patterns(listed(include, "include"))
        self._exclude = Patterns(excluded)
        self._prunes = bool(excluded) and not any(each.startswith("!") for each in excluded)
        self._starts = _starts(listed(include, "include"))

    def takes(self, path: str) -> bool:
        """Say whether the document at this path is wanted."""
        if self._exclude and self._exclude.hold(path):
            return False
        return self._include.hold(path) if self._include else True

    def enters(self, folder: str) -> bool:
        """Tell whether anything in a folder, named with a slash at the end, can be wanted."""
        if self._prunes and self._exclude.hold(folder):
            return False
        if not self._starts:
            return True
        return any(folder.startswith(one) or one.startswith(folder) for one in self._starts)


def _starts(include: list[str]) -> list[str]:
    """Return the folders that patterns lead into, if every one of them names one; else nothing.

    >>> _starts(["/docs/api/**/*.md", "/wiki/*.md"]), _starts(["/docs/*.md", "*.md"])
    (['docs/api/', 'wiki/'], [])
    """
    found = [START.match(pattern) for pattern in include]
    starts = [re.sub(r"\\(.)", r"\1", one[1]) for one in found if one]
    return starts if len(starts) == len(include) else []


def listed(patterns: object, setting: str) -> list[str]:
    """Return the patterns of a setting, given as one or as a list; wrong ones are errors."""
    given = [patterns] if isinstance(patterns, str) else patterns
    hint = f'write {setting}: ["**/*.py", "docs/"], as in a .gitignore file'
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
        problem = f"{setting}: expected a list of patterns, found {quote_value(patterns)}"
        raise InputError(problem, where="corpus", hint=hint)
    for pattern in given:
        if glob(pattern) is None:
            problem = f"{setting}: invalid pattern {quote_value(pattern)}"
            raise InputError(problem, where="corpus", hint=hint)
    return list(given)
