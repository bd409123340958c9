"""Pattern -> regular expression, in the language of .gitignore files.

https://git-scm.com/docs/gitignore#_pattern_format; agrees with git on each entry by itself, which
the rules of a nested folder and `!` need.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Glob", "glob"]

CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "xdigit": "0-9a-fA-F",
    "punct": r"!-\/:-@\[-`{-~",
    "blank": r" \t",
}
PART = re.compile(
    r"(?P<star>\*+)|(?P<any>\?)|\\(?P<escaped>.)"
    r"|\[(?P<not>[!^]?)(?P<set>\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]|(?P<plain>[^\[\\])",
    re.DOTALL,
)
MEMBER = re.compile(r"\[:(?P<named>\w+):\]|\\(?P<escaped>.)|(?P<plain>.)", re.DOTALL)


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


def glob(pattern: str) -> Glob | None:
    """Compile a pattern; none if it can match nothing, as a blank line or an open bracket."""
    text = re.sub(r"(?<!\\) +$", "", pattern)
    negated = text.startswith("!")
    text = text[negated:]
    folders = text.endswith("/")
    text = text.removesuffix("/")
    anywhere = "/" not in text
    try:
        regex = "".join(_path(text.removeprefix("/").split("/")))
        return Glob(re.compile(regex, re.DOTALL), negated, folders, anywhere) if text else None
    except (ValueError, re.error):
        return None


def _path(segments: list[str]) -> Iterator[str]:
    """Translate a path.

    What lies between two ** is taken where it first fits and kept there (an atomic group): later
    places leave less for the rest, so that none of them need be tried.
    """
    if len(segments) == 1:
        yield _segment(segments[0])
        return
    first, *middle = _runs(segments)
    yield "/".join(first)
    if not middle:
        return
    yield "/" if first else ""
    yield from (f"(?>(?:[^/]*/)*?{'/'.join(run)}/)" for run in middle[:-1] if run)
    yield f"(?:.*/)?{'/'.join(middle[-1])}" if middle[-1] else ".+"


def _runs(segments: list[str]) -> list[list[str]]:
    """Part segments at each **, and translate them."""
    runs: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            runs.append([])
        else:
            runs[-1].append(_segment(segment))
    return runs


def _segment(segment: str) -> str:
    """Translate what lies between slashes.

    Each star but the last takes as little as it can and keeps it (an atomic group): that finds a
    match if there is one, and never tries a name again and again.
    """
    pieces = [""]
    at = 0
    for found in PART.finditer(segment):
        if found.start() != at:
            break
        at = found.end()
        if found["star"]:
            pieces.append("")
        else:
            pieces[-1] += _one(found)
    if at != len(segment):
        raise ValueError("an open bracket, or a backslash at the end")
    first, *middle = pieces
    if not middle:
        return first
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle[:-1]) + f"[^/]*{middle[-1]}"


def _one(found: re.Match[str]) -> str:
    """Translate what stands for one character, which is never a slash."""
    if found["any"]:
        return "[^/]"
    if found["set"] is None:
        return re.escape(found["escaped"] or found["plain"])
    members = "".join(_member(member) for member in MEMBER.finditer(found["set"]))
    return f"(?!/)[{'^' if found['not'] else ''}{members}]"


def _member(member: re.Match[str]) -> str:
    if member["named"]:
        if member["named"] not in CLASSES:
            raise ValueError("no such class")
        return CLASSES[member["named"]]
    if member["escaped"]:
        return re.escape(member["escaped"])
    return "-" if member["plain"] == "-" else re.escape(member["plain"])
