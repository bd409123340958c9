"""Spans of a program and its definitions -> what each span holds."""

from collections.abc import Iterator

from assay.corpora.chunkers._make_chunks import Piece
from assay.corpora.programs.outline import Part
from assay.corpora.text.ruler import Ruler, Span

__all__ = ["described"]

MINOR = {"variable", "constant"}  # stand beside other things without being what a chunk is


def described(spans: list[Span], parts: list[Part], ruler: Ruler, title: str) -> Iterator[Piece]:
    """Say of each span what it defines, what it is, and what it is a part of.

    A definition belongs to the span where its name stands.
    """
    named = sorted(parts, key=lambda part: part.named, reverse=True)
    rest = parts[::-1]
    around: list[Part] = []
    for start, end in spans:
        here = []
        while named and named[-1].named < end:
            here.append(named.pop())
        first = ruler.first(start)
        while rest and rest[-1].start <= first:
            around.append(rest.pop())
        around = [part for part in around if part.end > first]
        whole = (part for part in reversed(around) if part.named < start)
        outer = next((part for part in whole if not ruler.size(min(part.end, end), end)), None)
        above = f"{outer.kind} {outer.name}" if outer else title
        yield Piece((start, end), _kind(here, outer), above, _names(here))


def _names(parts: list[Part]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.name for part in parts))


def _kind(here: list[Part], outer: Part | None) -> str:
    """Name the one thing that a span defines, else what it is a part of."""
    major = [part for part in here if part.kind not in MINOR]
    reached, top = -1, []
    for part in sorted(major, key=lambda part: (part.start, -part.end)):
        if part.end > reached:
            reached = part.end
            top.append(part)
    if len(top) == 1:
        return top[0].kind
    return outer.kind if outer else "module"
