"""A hit -> its lines on a screen: where it is, what it says, and on demand why it was found."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from assay.records import Hit
from assay.reports.searches.excerpt import excerpt
from assay.reports.searches.names import names
from assay.reports.searches.page_text import page_text
from assay.text import sanitize
from assay.text.fit_width import fit_width
from assay.text.text_width import text_width
from assay.text.wrap import wrap_prose

__all__ = ["hit_lines"]

Piece = str | tuple[str, dict[str, Any]]
"""A part of a line: plain, or with a click style."""


def hit_lines(hit: Hit, width: int, *, explain: bool) -> Iterator[tuple[Piece, ...]]:
    """Yield the pieces of each line; with ``explain`` also each stage's rank and score."""
    first, last = hit.lines
    lines = excerpt(hit.text, hit.matched, first_line=first)
    name = hit.path or hit.document
    at = f" {page_text(name, hit.page, hit.last_page)}" if hit.page else f":{first}-{last}"
    where = sanitize(f"{name}{at}")
    room = width - text_width(where) - 14
    nearest = names(hit.symbols, hit.text, [number - first for number, _ in lines])
    about = fit_width(sanitize(", ".join(nearest) or hit.title), room)
    place, told = (where, {"bold": True}), (about, {"fg": "cyan"})
    score = (f"{hit.score:.3f}", {"dim": True})
    yield f"{hit.rank:>2}  ", place, "  " if about else "", told, "  ", score
    for number, line in lines:
        yield (f"{number:>9}  ", {"dim": True}), fit_width(sanitize(line.expandtabs(4)), width - 11)
    if explain:
        yield from ((line,) for line in _explained(hit, width))


def _explained(hit: Hit, width: int) -> Iterator[str]:
    """Tell each stage's rank and score, and the terms that matched, in lines of a width."""

    def told(one: tuple[str, Mapping[str, Any]]) -> tuple[str, str]:
        stage, about = one
        place = f"rank {about['rank']}, score {about['score']:.4f}"
        return place, stage if "terms" in about else ""

    # What moved nothing shares a line.
    lines = [(place, [*same]) for (place, _), same in groupby(hit.stages.items(), told)]
    labels = [", ".join(stage for stage, _ in same) for _, same in lines]
    longest = max(map(len, labels), default=0)
    start = 9 if longest <= 9 else longest + 4  # the same for all lines of a result
    for label, (place, same) in zip(labels, lines, strict=True):
        about = same[0][1]
        head = f"{label:>{start}}  {place}"
        terms = wrap_prose(_matched(about), max(width - start - 2, 20))
        yield head if not terms else f"{head}: covers {about['coverage']:.0%} of the query"
        yield from (f"{'':>{start + 2}}{line}" for line in terms)


def _matched(about: Mapping[str, Any]) -> str:
    terms: dict[str, list[str]] = {}
    for term in about.get("terms", ()):
        terms.setdefault(term["field"], []).append(f"{term['term']} {term['score']:.2f}")
    return "; ".join(f"{field}: {', '.join(words)}" for field, words in terms.items())
