"""Prose -> its sections, each with the headings that it is under, and their paragraphs."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from assay.corpora._ruler import Span

__all__ = ["Block", "Section", "blocks_of", "ends_of", "fences_of", "sections_of"]

# Where Markdown is read: a # begins a comment in most other languages.
MARKDOWN = {"", "markdown"}
UNDERLINED = {"rst"}

BLANK = re.compile(rb"\n[ \t\r]*(?=\n)")
FENCE = re.compile(rb"^[ \t]{0,3}(`{3,}|~{3,})[^\n]*(?:\n|$)", re.MULTILINE)
HEADING = re.compile(
    rb"^[ ]{0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>[^\n]*?))?(?:[ \t]+#+)?[ \t\r]*$"
    rb"|^(?P<above>[ ]{0,3}[^\s#>|`~+*-][^\n]*?)[ \t\r]*\n[ ]{0,3}(?P<line>={2,}|-{2,})[ \t\r]*$",
    re.MULTILINE,
)
TITLE = re.compile(
    rb"^(?:([=\-~^\"'`#*+.:_])\1{2,}[ \t\r]*\n)?(?P<above>[^\s][^\n]*?)[ \t\r]*\n"
    rb"(?P<line>([=\-~^\"'`#*+.:_])\4{2,})[ \t\r]*$",
    re.MULTILINE,
)
TABLE = re.compile(rb"[ \t]*\||[^\n]*\n[ \t|:-]*-{3,}[ \t]*\|")


class Section(NamedTuple):
    """A heading with what follows it up to the next; ``level`` 0 is what no heading is above."""

    start: int
    level: int
    trail: tuple[str, ...]
    body: int = 0


class Block(NamedTuple):
    """A paragraph, a list, a table or a piece of code with the blank lines after it."""

    start: int
    end: int
    kind: str


def fences_of(data: bytes, language: str) -> list[Span]:
    """Find what stands between ``` and ```; one that is not closed goes on to the end."""
    found: list[Span] = []
    opened: tuple[bytes, int] | None = None
    for fence in FENCE.finditer(data) if language in MARKDOWN else ():
        mark = fence[1]
        if opened is None:
            opened = (mark, fence.start())
        elif mark.startswith(opened[0]) and not fence[0].strip().strip(mark[:1]):
            found.append((opened[1], fence.end()))
            opened = None
    return [*found, (opened[1], len(data))] if opened else found


def sections_of(data: bytes, language: str, fences: list[Span]) -> list[Section]:
    """Part a text at its headings; the first section begins at 0 even without one."""
    found = [Section(0, 0, ())]
    open_levels: list[tuple[int, str]] = []
    for start, body, level, text in _headings(data, language, fences):
        while open_levels and open_levels[-1][0] >= level:
            open_levels.pop()
        open_levels.append((level, text))
        section = Section(start, level, tuple(text for _, text in open_levels), body)
        if not data[:start].strip():
            found.clear()
            section = section._replace(start=0)
        found.append(section)
    return found


def _headings(
    data: bytes, language: str, fences: list[Span]
) -> Iterator[tuple[int, int, int, str]]:
    rest = fences[::-1]
    levels: dict[bytes, int] = {}  # of reStructuredText, where the order of the marks says it
    pattern = HEADING if language in MARKDOWN else TITLE
    for heading in pattern.finditer(data) if language in MARKDOWN | UNDERLINED else ():
        while rest and rest[-1][1] <= heading.start():
            rest.pop()
        if rest and rest[-1][0] <= heading.start():
            continue
        parts = heading.groupdict()
        text = parts.get("text") or parts["above"] or b""
        yield (
            heading.start(),
            heading.end(),
            _level(parts, levels),
            text.decode("utf-8", "replace").strip(),
        )


def _level(parts: dict[str, bytes | None], levels: dict[bytes, int]) -> int:
    if marks := parts.get("marks"):
        return len(marks)
    mark = (parts["line"] or b"")[:1]
    if "marks" in parts:
        return 1 if mark == b"=" else 2
    return levels.setdefault(mark, len(levels) + 1)


def ends_of(sections: list[Section], end: int) -> list[Span]:
    """Return where each section ends: before the next heading, and with all that is under it."""
    found: list[Span] = []
    later: list[tuple[int, int]] = []  # start and level of those that can end one before them
    for section in reversed(sections):
        own = later[-1][0] if later else end
        while later and later[-1][1] > section.level:
            later.pop()
        found.append((own, later[-1][0] if later else end))
        later.append((section.start, section.level))
    return found[::-1]


def blocks_of(data: bytes, start: int, end: int, fences: list[Span]) -> list[Block]:
    """Part a section at its blank lines, but not inside of a fence."""
    found: list[Block] = []
    for first, last, fenced in _stretches(start, end, fences):
        if fenced:
            found.append(Block(first, last, "code"))
            continue
        places = [blank.end() + 1 for blank in BLANK.finditer(data, first, last)]
        for one, two in zip([first, *places], [*places, last], strict=True):
            kind = "table" if TABLE.match(data, one, two) else "paragraph"
            if one < two:
                found.append(Block(one, two, kind))
    return found


def _stretches(start: int, end: int, fences: list[Span]) -> Iterator[tuple[int, int, bool]]:
    for first, last in fences:
        if start <= first < end:
            yield start, first, False
            yield first, min(last, end), True
            start = min(last, end)
    yield start, end, False
