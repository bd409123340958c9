"""Names that people give -> those of files, of which each has one of its own on any system."""

import re
from collections.abc import Sequence
from unicodedata import normalize

__all__ = ["file_names"]

LONGEST = 100  # bytes, so that an ending and a number find room beside them


def file_names(names: Sequence[str], *, nameless: str = "run") -> dict[str, str]:
    """Name a file for each; a name that can be that of a file keeps it, whichever comes first.

    >>> file_names(["a/b", "a_b", "A_b", ".."])
    {'a_b': 'a_b', 'A_b': 'A_b_2', 'a/b': 'a_b_3', '..': 'run'}
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    plain = {name: _plain(name) or nameless for name in names}
    for name in sorted(plain, key=lambda name: plain[name] != name):
        number, given = 1, plain[name]
        while _alike(given) in taken:
            number += 1
            given = f"{plain[name]}_{number}"
        taken.add(_alike(given))
        files[name] = given
    return files


def _plain(name: str) -> str:
    safe = re.sub(r"[^\w.-]+", "_", name).encode()[:LONGEST].decode(errors="ignore")
    return safe.strip("._")


def _alike(name: str) -> str:
    """Fold a name so that only names that differ on every system stay different."""
    return normalize("NFKC", normalize("NFKC", name).casefold())
