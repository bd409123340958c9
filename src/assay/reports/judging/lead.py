"""The rows of a document that say what it is: its title and first paragraph, and signatures."""

import re
from collections.abc import Iterator, Sequence

__all__ = ["lead", "signature"]

FENCE = "---"  # around the metadata of a page
METADATA = 40  # rows that it may take
TITLE_ROWS = 2
TITLE = re.compile(r"title\s*:", re.IGNORECASE)
COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|;|--|<!--)")
LEGAL = re.compile(r"copyright|licen[cs]e|spdx", re.IGNORECASE)
IMPORT = re.compile(r"#!|(?:import|from|using|package|use|#include)\b.*[^.!?:]$")
WITHIN = re.compile(r"[)}\]]|\s+[\w., ]+$")  # the further rows of a long import
BLOCKS = 8  # a title stands in one of the first
SIGNATURE = re.compile(
    r"\s*(?:(?:async|export|default|public|private|protected|static|abstract|pub(?:\(\w+\))?) )*"
    r"(?:def|class|fn|func|function|interface|struct|trait|impl|enum|module|type) \S"
)


def lead(rows: Sequence[str], *, most: int) -> list[int]:
    """Number the rows, starting at 0, of the title and the first paragraph, at most ``most``.

    Metadata, licences and imports before it are passed over.

    >>> lead(["# Leave", "", "28 days a year.", "", "More."], most=5)
    [0, 1, 2]
    """
    title, start = _metadata(rows)
    blocks = [*_blocks(rows, start)]
    told = [one for one in blocks if not _is_beside_the_point(rows, one)] or blocks
    if not told:
        return title[:most]
    first = told[0]
    last = told[1] if len(first) <= TITLE_ROWS and len(told) > 1 else first
    return [*title, *range(first[0], last[-1] + 1)][:most]


def signature(rows: Sequence[str], at: int) -> list[int]:
    """Number the row that names the function or class around a row of code."""
    inside = _indent(rows[at])
    for above in range(at - 1, -1, -1) if inside else ():
        if rows[above].strip() and _indent(rows[above]) < inside and SIGNATURE.match(rows[above]):
            return [above]
    return []


def _metadata(rows: Sequence[str]) -> tuple[list[int], int]:
    """Find the title in the metadata of a page, and the row behind it."""
    if not rows or rows[0].strip() != FENCE:
        return [], 0
    ends = (at for at in range(1, min(len(rows), METADATA)) if rows[at].strip() == FENCE)
    end = next(ends, 0)
    titles = [at for at in range(1, end) if TITLE.match(rows[at])]
    return titles[:1], end + 1 if end else 0


def _blocks(rows: Sequence[str], start: int) -> Iterator[range]:
    """Part the first rows where a blank one stands."""
    first, found = start, 0
    for at in range(start, len(rows) + 1):
        if at == len(rows) or not rows[at].strip():
            if at > first:
                yield range(first, at)
                found += 1
            first = at + 1
        if found == BLOCKS:
            return


def _is_beside_the_point(rows: Sequence[str], block: range) -> bool:
    """Tell licences, which are longer than a heading about one, and imports."""
    texts = [rows[at] for at in block]
    if len(texts) > TITLE_ROWS and all(COMMENT.match(one) for one in texts):
        return any(LEGAL.search(one) for one in texts)
    return bool(IMPORT.match(texts[0])) and all(
        IMPORT.match(one) or WITHIN.match(one) for one in texts
    )


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())
