"""Leaked queries: the text of the query occurs verbatim in the document that it should find."""

import math
from collections.abc import Iterator
from typing import Any

from assay.datasets.checks._evidence import NO_CORPUS, Evidence, Gold, check
from assay.datasets.checks._words import weight, words
from assay.records import AuditSettings, Finding, Query
from assay.text.count_noun import count_noun

__all__ = ["leaked"]

PLACES = 1000  # of one block in one document; what stands there more often is filling


def _overlap(query: Query, gold: Gold, settings: AuditSettings) -> dict[str, Any] | None:
    """Return the longest run of the query's words in the document, if it is long enough."""
    asked = words(query.text)
    least = _least(asked, settings)
    if least > len(asked):
        return None
    first, after = max(
        _runs(asked, gold.running_text, least), key=lambda run: run[1] - run[0], default=(0, 0)
    )
    run = asked[first:after]
    if not _is_leak(run, asked, settings):
        return None
    return {"words": len(run), "share": len(run) / len(asked), "overlap": " ".join(run)}


@check(rank=10, read=_overlap)
def leaked(evidence: Evidence) -> Finding:
    """Find queries whose text occurs verbatim in a relevant document."""
    if evidence.looked is None:
        undone = f"{NO_CORPUS}, so queries were not compared with their documents"
        return Finding(undone=undone, figures={"share": None, "looked_at": 0}, listed="queries")
    rows = tuple(_row(evidence, number) for number in sorted(evidence.seen["leaked"]))
    looked = len(evidence.looked)
    share = len(rows) / looked if looked else None
    occur = "occurs" if len(rows) == 1 else "occur"
    judged = "query with relevant documents", "queries with relevant documents"
    some = f"{len(rows):,} of {count_noun(looked, *judged)} {occur} verbatim in one of them"
    return Finding(
        said=f"{some}, which makes the test easier than real use." if rows else "",
        brief=f"{len(rows):,} leaked" if rows else "",
        rows=rows,
        shown=("query", "document", "words", "share", "overlap"),
        figures={"share": share, "looked_at": looked},
        listed="queries",
        defects=len(rows),
    )


def _row(evidence: Evidence, number: int) -> dict[str, Any]:
    """Name the document that holds most of the query."""
    document, found = max(evidence.seen["leaked"][number], key=lambda pair: pair[1]["words"])
    return {"query": evidence.dataset.queries[number].key, "document": document, **found}


def _least(asked: list[str], settings: AuditSettings) -> int:
    """Return the smallest number of words that could be a leak."""
    part = max(math.ceil(settings.leaked_share * len(asked) - 1e-9), settings.leaked_words)
    whole = max(len(asked), settings.leaked_whole)
    return max(1, min(part, whole))


def _is_leak(run: list[str], asked: list[str], settings: AuditSettings) -> bool:
    if len(run) == len(asked):
        return bool(run) and weight(run) >= settings.leaked_whole
    enough = len(run) >= settings.leaked_share * len(asked) - 1e-9
    return enough and weight(run) >= settings.leaked_words


def _runs(asked: list[str], text: str, least: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of at least so many words, as first and after the last.

    A run of ``least`` words holds a whole block of half as many. Most documents hold no block of
    the query, which one search per block tells.
    """
    size = (least + 1) // 2
    for first in range(0, len(asked) - size + 1, size):
        block = f" {' '.join(asked[first : first + size])} "
        at = -1
        for _ in range(PLACES):
            at = text.find(block, at + 1)
            if at < 0:
                break
            run = _extend(asked, text, at, first, len(block), size)
            yield run
            if run[1] - run[0] == len(asked):
                return


def _extend(
    asked: list[str], text: str, at: int, first: int, length: int, size: int
) -> tuple[int, int]:
    """Grow a block, found at a place of the text, by the words before and after it."""
    after, end = first + size, at + length
    while after < len(asked) and text.startswith(f"{asked[after]} ", end):
        end += len(asked[after]) + 1
        after += 1
    while first > 0 and text.endswith(f" {asked[first - 1]}", 0, at):
        at -= len(asked[first - 1]) + 1
        first -= 1
    return first, after
