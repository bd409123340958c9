"""Prose -> its sections, each with the headings that it is under, and their paragraphs."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from assay.corpora.text.ruler import Span

__all__ = ["Section", "TextBlock", "blocks_of", "ends_of", "fences_of", "sections_of"]

# Where Markdown is read: a # begins a comment in most other languages.
MARKDOWN = {"", "markdown"}
UNDERLINED = {"rst"}
LONGEST = 200  # bytes of a heading that only the line under it tells

# Every pattern takes time in proportion to the text, whatever is in it.
BLANK = re.compile(rb"\n(?:[ \t\r]*+\n)+")
EMPTY = re.compile(rb"(?:[ \t\r]*+\n)*+")
FENCE = re.compile(rb"^[ \t]{0,3}(`{3,}|~{3,})[^\n]*(?:\n|$)", re.MULTILINE)
HASHES = re.compile(rb"^ {0,3}(#{1,6})(?=[ \t\r\n]|$)[^\n]*", re.MULTILINE)
LINE = re.compile(rb"^ {0,3}(=|-)\1*+[ \t\r]*+$", re.MULTILINE)
ANY_LINE = re.compile(rb"^([=\-~^\"'`#*+.:_])\1{2,}+[ \t\r]*+$", re.MULTILINE)
TABLE = re.compile(rb"[ \t]*+\||[^\n]*+\n(?=[ \t:|]*+-)[ \t:|-]*\|")
NO_TITLE = (b"#", b">", b"|", b"`", b"~", b"+", b"*", b"-", b"=")


class Section(NamedTuple):
    """A heading with what follows it up to the next; ``level`` 0 is what no heading is above."""

    start: int
    level: int
    trail: tuple[str, ...]
    body: int = 0


class TextBlock(NamedTuple):
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
            found.append((opened[1], _behind_blank(data, fence.end())))
            opened = None
    return [*found, (opened[1], len(data))] if opened else found


def _behind_blank(data: bytes, place: int) -> int:
    match = EMPTY.match(data, place)
    return match.end() if match else place


def sections_of(data: bytes, language: str, fences: list[Span]) -> list[Section]:
    """Part a text at its headings; the first section begins at 0 even without one."""
    found = [Section(0, 0, ())]
    open_levels: list[tuple[int, str]] = []
    levels: dict[bytes, int] = {}
    for start, body, mark, text in _headings(data, language, fences):
        level = _level(mark, levels, language)
        while open_levels and open_levels[-1][0] >= level:
            open_levels.pop()
        open_levels.append((level, text))
        section = Section(start, level, tuple(text for _, text in open_levels), body)
        if found[-1].start == found[-1].level == 0 and not data[:start].strip():
            found = [section._replace(start=0)]
        else:
            found.append(section)
    return found


class _Heading(NamedTuple):
    """A heading with its mark: ``##``, or the first character of the line under it."""

    start: int
    body: int
    mark: bytes
    text: str


def _headings(data: bytes, language: str, fences: list[Span]) -> Iterator[_Heading]:
    """Yield the headings that are not in a fence."""
    found: list[_Heading] = []
    if language in MARKDOWN:
        found += (_hashed(match) for match in HASHES.finditer(data))
    if language in MARKDOWN | UNDERLINED:
        pattern = LINE if language in MARKDOWN else ANY_LINE
        found += filter(None, (_underlined(match, data) for match in pattern.finditer(data)))
    rest = fences[::-1]
    for heading in sorted(found):
        while rest and rest[-1][1] <= heading.start:
            rest.pop()
        if not rest or rest[-1][0] > heading.start:
            yield heading


def _hashed(match: re.Match[bytes]) -> _Heading:
    text = match[0].strip()[len(match[1]) :].strip()
    closed = text.rstrip(b"#")
    text = closed.rstrip() if closed.endswith((b" ", b"\t")) or not closed else text
    return _Heading(match.start(), match.end(), match[1], text.decode())


def _underlined(match: re.Match[bytes], data: bytes) -> _Heading | None:
    """Take the line above for a heading, if it is one line of text."""
    end = match.start() - 1
    start = data.rfind(b"\n", 0, max(end, 0)) + 1
    text = data[start : max(end, 0)].strip()
    above = data[data.rfind(b"\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)].strip()
    framed = above and not above.strip(match[1])  # reStructuredText has lines above, too
    if not text or text.startswith(NO_TITLE) or (above and not framed) or len(text) > LONGEST:
        return None
    begin = start - len(above) - 1 if framed else start
    return _Heading(max(begin, 0), match.end(), match[1], text.decode())


def _level(mark: bytes, levels: dict[bytes, int], language: str) -> int:
    """Return a heading's level; in reStructuredText the order in which marks appear says it."""
    if language in UNDERLINED:
        return levels.setdefault(mark, len(levels) + 1)
    return {b"=": 1, b"-": 2}.get(mark, len(mark))


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


def blocks_of(data: bytes, start: int, end: int, fences: list[Span]) -> list[TextBlock]:
    """Part a section at its blank lines, but not inside of a fence."""
    found: list[TextBlock] = []
    for first, last, fenced in _stretches(start, end, fences):
        if fenced:
            found.append(TextBlock(first, last, "code"))
            continue
        places = [blank.end() for blank in BLANK.finditer(data, first, last)]
        for one, two in zip([first, *places], [*places, last], strict=True):
            kind = "table" if TABLE.match(data, one, two) else "paragraph"
            if one < two:
                found.append(TextBlock(one, two, kind))
    return found


def _stretches(start: int, end: int, fences: list[Span]) -> Iterator[tuple[int, int, bool]]:
    for first, last in fences[bisect_left(fences, (start, start)) :]:
        if first >= end:
            break
        yield start, first, False
        yield first, min(last, end), True
        start = min(last, end)
    yield start, end, False
