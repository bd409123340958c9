"""Spans that follow each other -> fewer of them."""

from assay.corpora.text.ruler import Ruler, Span

__all__ = ["join_small", "merge_spans"]


def merge_spans(spans: list[Span], ruler: Ruler, most: int) -> list[Span]:
    """Merge neighbours from the first to the last, as long as they fit together."""
    found = spans[:1]
    for start, end in spans[1:]:
        if ruler.size(found[-1][0], end) <= most:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def join_small(spans: list[Span], ruler: Ruler, least: int, most: int) -> list[Span]:
    """Join each span below a size to the smaller neighbour, where both are at most so large.

    A span with nothing in it is always joined.
    """
    found: list[Span] = []
    rest = spans[::-1]
    while rest:
        start, end = rest.pop()
        size = ruler.size(start, end)
        before = ruler.size(found[-1][0], end) if found else None
        after = ruler.size(start, rest[-1][1]) if rest else None
        room = [each for each in (before, after) if each is not None and (each <= most or not size)]
        if size >= max(least, 1) or not room:
            found.append((start, end))
        elif min(room) == before:
            found[-1] = (found[-1][0], end)
        else:
            rest[-1] = (start, rest[-1][1])
    return found
