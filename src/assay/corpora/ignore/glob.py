"""Pattern -> regular expression, in the language of .gitignore files.

https://git-scm.com/docs/gitignore#_pattern_format; agrees with git on each entry by itself, which
the rules of a nested folder and `!` need. Git compares bytes: so each character stands for a byte.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.corpora.ignore._character_set import MEMBER, regex_of_set

__all__ = ["Glob", "as_bytes", "glob"]

SET = rf"\[[!^]?+(?:{MEMBER}|\])(?:{MEMBER})*+\]"
PART = re.compile(rf"\*+|\\.|{SET}|[^\[\\*]", re.DOTALL)
KEPT = re.compile(r"(?:\\.| *[^\\ ])*", re.DOTALL)  # all but spaces at the end; \ keeps one
LITERAL = re.compile(r"[^*?\[\\]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Glob:
    """A compiled pattern: what it matches, and whether that is to be taken back (``!``)."""

    regex: re.Pattern[str]
    negated: bool
    folders: bool
    anywhere: bool

    def matches(self, path: str, name: str, *, folder: bool) -> bool:
        """Say whether the pattern names this entry itself; what lies below it is no question."""
        if self.folders and not folder:
            return False
        return self.regex.fullmatch(name if self.anywhere else path) is not None


def as_bytes(text: str) -> str:
    """Return a text with a character for each byte of its UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")


def glob(pattern: str) -> Glob | None:
    """Compile a pattern; none if it can match nothing, as a blank line or an open bracket."""
    text = _trimmed(as_bytes(pattern))
    negated = text.startswith("!")
    text = text[negated:]
    folders = text.endswith("/")
    text = text.removesuffix("/")
    anywhere = "/" not in text
    try:
        regex = _regex(text.removeprefix("/"))
    except ValueError:
        return None
    return Glob(re.compile(regex, re.DOTALL), negated, folders, anywhere) if text else None


def _trimmed(text: str) -> str:
    """Leave out spaces at the end, but for one after a backslash."""
    kept = KEPT.match(text)
    end = kept.end() if kept else 0
    return text if text[end:].strip(" ") else text[:end]


def _regex(text: str) -> str:
    """Translate a path.

    Git compares what comes before the first wildcard by itself: a ** right after it stands at the
    beginning of a pattern, as in "a**", which matches "a/b".
    """
    literal = LITERAL.match(text)
    begins = literal.end() if literal else 0
    return re.escape(text[:begins]) + "".join(_path(_segments(_parts(text[begins:]))))


def _parts(text: str) -> Iterator[str]:
    """Part a pattern into what stands for one character, runs of stars, and slashes."""
    at = 0
    while at < len(text):
        found = PART.match(text, at)
        if found is None:
            raise ValueError("an open bracket, or a backslash at the end")
        at = found.end()
        yield found[0]


def _segments(parts: Iterable[str]) -> list[list[str]]:
    r"""Part parts at slashes; a \/ after ** does not stand for no folder at all: **/*/."""
    segments: list[list[str]] = [[]]
    for part in parts:
        if part == r"\/" and _is_any_path(segments[-1]):
            segments += [["*"], []]
        elif part in ("/", r"\/"):
            segments.append([])
        else:
            segments[-1].append(part)
    return segments


def _is_any_path(segment: list[str]) -> bool:
    return len(segment) == 1 and segment[0].startswith("**")


def _path(segments: list[list[str]]) -> Iterator[str]:
    """Translate segments.

    What lies between two ** is taken where it first fits and kept there (an atomic group): later
    places leave less for the rest, so that none of them need be tried.
    """
    first, *middle = _runs(segments)
    yield "/".join(first)
    if not middle:
        return
    yield "/" if first else ""
    yield from (f"(?>(?:[^/]*/)*?{'/'.join(run)}/)" for run in middle[:-1] if run)
    yield f"(?:.*/)?{'/'.join(middle[-1])}" if middle[-1] else ".*"


def _runs(segments: list[list[str]]) -> list[list[str]]:
    """Part segments at each **, and translate them."""
    runs: list[list[str]] = [[]]
    for segment in segments:
        if _is_any_path(segment):
            runs.append([])
        else:
            runs[-1].append(_segment(segment))
    return runs


def _segment(parts: list[str]) -> str:
    """Translate what lies between slashes.

    Each star but the last takes as little as it can and keeps it (an atomic group): that finds a
    match if there is one, and never tries a name again and again.
    """
    pieces = [""]
    for part in parts:
        if part.startswith("*"):
            pieces.append("")
        else:
            pieces[-1] += _one(part)
    first, *middle = pieces
    if not middle:
        return first
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle[:-1]) + f"[^/]*{middle[-1]}"


def _one(part: str) -> str:
    """Translate what stands for one character, which is never a slash."""
    if part == "?":
        return "[^/]"
    if part.startswith("["):
        return regex_of_set(part[1:-1])
    return re.escape(part[-1])
