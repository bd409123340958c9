"""Which files a call means: those that define its name where the calling file can see it."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

__all__ = ["Defined", "imported_names", "meant", "parts"]

IMPORTS = re.compile(
    r"""^[ \t]*(?:
      from\s+[\w.]+\s+import\s+(?:\([^)]*\)|[^\n]*)        # Python
    | import\s+(?:type\s+)?[\w*{},\s$]+?\s+from\b          # TypeScript
    | (?:const|let|var)\s+\{[^}]*\}\s*=\s*require\b        # JavaScript
    | (?:pub\s+)?use\s+[^;]*;                              # Rust
    | import\s+(?:static\s+)?[\w.]+;                       # Java
    )""",
    re.MULTILINE | re.VERBOSE,
)
WORD = re.compile(r"\w+")
PACKAGES = ("go", "java", "rust")  # files of one folder see each other without an import
DISTINCTIVE = re.compile(r"(?=.{8})(?:[a-zA-Z0-9]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)$")


class Defined(NamedTuple):
    """A definition: its file, its qualified name, and its lines."""

    path: str
    name: str
    first: int
    last: int

    @property
    def outermost(self) -> bool:
        """Whether it stands in no other definition."""
        return "." not in self.name


def parts(called: str) -> list[str]:
    """Take a called name apart: ``json.loads``, ``Vec::new``."""
    return [part for part in re.split(r"[^\w$]+", called) if part] or [called]


def imported_names(text: str) -> set[str]:
    """List the words of a file's imports: what it can call without saying where it is from."""
    return {word for clause in IMPORTS.findall(text) for word in WORD.findall(clause)}


def meant(
    called: str, path: str, language: str, imported: set[str], definitions: Iterable[Defined]
) -> list[Defined]:
    """Choose among the definitions of a call's last name those that the call can mean.

    A name alone must be imported, or be of the same package. A name behind another one must be
    defined in a file, folder or class of that other name; where the other is an object, whose
    class nobody knows without running the code, only a distinctive name counts.
    """
    *before, name = parts(called)
    every = list(definitions)
    if not before:
        near = [d for d in every if d.outermost and _same_package(d.path, path, language)]
        return [d for d in every if d.outermost] if name in imported else near
    owner = before[-1]
    owned = [d for d in every if _owns(owner, d)]
    if owned or owner in imported:
        return owned
    return every if DISTINCTIVE.match(name) and len({d.path for d in every}) == 1 else []


def _same_package(one: str, other: str, language: str) -> bool:
    return language in PACKAGES and PurePosixPath(one).parent == PurePosixPath(other).parent


def _owns(owner: str, definition: Defined) -> bool:
    """Say whether a word names a definition's file, folder or class."""
    path = PurePosixPath(definition.path)
    places = (path.name.partition(".")[0], path.parent.name) if definition.outermost else ()
    return owner in places or definition.name.split(".")[-2:-1] == [owner]
