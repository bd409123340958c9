"""Paths as people write them on any platform -> forms in which the same path compares as equal."""

import re
from collections.abc import Iterator
from unicodedata import normalize

__all__ = [
    "composed",
    "folded",
    "forms",
    "is_absolute",
    "is_path",
    "plain_path",
    "slashed",
    "tails",
    "unlike",
]

DRIVE = re.compile(r"[A-Za-z]:/")
# The shortest name with an ending before a section or lines; possessive, so that it stays fast.
AFTER_ENDING = re.compile(
    r"([^.\s].*?\.[A-Za-z][A-Za-z0-9]{0,9})(?:#.*+|:L?[0-9]++(?:-L?[0-9]++)?+)\Z", re.DOTALL
)
ENDING = re.compile(r"[^.\s]\.[A-Za-z][A-Za-z0-9]{0,4}\Z")


def slashed(name: str) -> str:
    r"""Write a path with forward slashes, none of them doubled, and without a leading ``./``.

    >>> slashed(".\\src\\a.py"), slashed("file:///srv/a.py")
    ('src/a.py', '/srv/a.py')
    """
    path = composed(name).removeprefix("file://").replace("\\", "/")
    while "//" in path:
        path = path.replace("//", "/")
    while path.startswith("./"):
        path = path[2:]
    return path


def plain_path(value: str) -> str:
    """Return a path without its section (#setup), lines (:12) and leading ../; "" if it has none.

    Only what follows the ending of a file is a section or lines: C#.md and issue#7 are names.

    >>> plain_path("docs/a.md#setup"), plain_path("../a.py:3-9"), plain_path("docs/C#.md")
    ('docs/a.md', 'a.py', '')
    """
    path = slashed(value)
    folder, slash, name = path.rpartition("/")
    found = AFTER_ENDING.match(name)
    short = f"{folder}{slash}{found[1] if found else name}"
    while short.startswith("../"):
        short = short[3:]
    return short if short != path else ""


def composed(name: str) -> str:
    r"""Write letters with their accents as one character each, as most systems do (NFC).

    macOS keeps them apart in names of files.

    >>> composed("cafe\u0301.md") == "caf\u00e9.md"
    True
    """
    return name if name.isascii() else normalize("NFC", name)


def forms(name: str) -> tuple[str, ...]:
    r"""Return a name as it is written, then in the other forms that Unicode has for it.

    >>> len(forms("cafe.md")), len(forms("cafe\u0301.md"))
    (1, 2)
    """
    ways = (name,) if name.isascii() else (name, composed(name), normalize("NFD", name))
    return tuple(dict.fromkeys(ways))


def folded(name: str) -> str:
    r"""Write a path so that separators, case and the form of accents make no difference.

    >>> folded("SRC\\A.py") == folded("./src/a.py")
    True
    """
    return slashed(name).lower()


def is_absolute(slashed_path: str) -> bool:
    """Tell whether a path with forward slashes starts at a root or a drive.

    >>> is_absolute("C:/src/a.py"), is_absolute("/src/a.py"), is_absolute("src/a.py")
    (True, True, False)
    """
    return slashed_path.startswith("/") or bool(DRIVE.match(slashed_path))


def tails(slashed_path: str) -> Iterator[str]:
    """Yield what is left of an absolute path below each of its folders, the longest first.

    >>> [*tails("/home/src/a.py")]
    ['home/src/a.py', 'src/a.py', 'a.py']
    """
    at = slashed_path.find("/")
    while at >= 0:
        if at + 1 < len(slashed_path):
            yield slashed_path[at + 1 :]
        at = slashed_path.find("/", at + 1)


def is_path(name: str) -> bool:
    """Tell whether an id looks like a path: it has a separator, or a file's ending.

    An address on the web is none: another case may be another page.

    >>> is_path("src/a.py"), is_path("a.py"), is_path("D1"), is_path("https://a.b/c")
    (True, True, False, False)
    """
    if "://" in name and not name.startswith("file://"):
        return False
    return "/" in name or "\\" in name or bool(ENDING.search(name))


def unlike(name: str, other: str) -> str:
    """Say what nobody sees: that two names differ in the form of their accents alone."""
    same = name != other and composed(name) == composed(other)
    return " (in a different Unicode form)" if same else ""
