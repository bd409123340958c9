"""Lexical search in 100,000 chunks of code, beside tantivy, FTS5 and bm25s alone."""

from importlib.util import find_spec
from statistics import median, quantiles
from typing import Any

from performance._measure import INSTALL, measure, progress, script
from performance._result import Result, Row
from performance._settings import DOCUMENTS, QUERIES, Settings

__all__ = ["lexical"]

CHUNKS = 100_000
TARGET = 1.5  # of raw tantivy's time, at most
AGREE = 0.99  # share of the queries whose first ten hits are the same as raw tantivy's
PEERS = ("tantivy", "fts5", "bm25s")


def lexical(settings: Settings) -> Result:
    """Measure the engines of Assay and each peer in turns, in processes of their own."""
    scale = settings.queries * settings.documents / (QUERIES * DOCUMENTS)
    count = max(1_000, round(CHUNKS * scale))
    found = _turns(count, settings)
    result = Result(f"Searching words: {count:,} chunks of code, 300 queries of 2 to 6 words")
    same = _agreement(found["assay-tantivy"], found["tantivy"])
    for peer in [name for name in PEERS if name in found]:
        ours = found["assay-fts5" if peer == "fts5" else "assay-tantivy"]
        target = TARGET if peer == "tantivy" and settings.standard else None
        result.rows.extend(_rows(ours, peer, found[peer], target))
    result.rows.extend(
        _rows(found["assay-postings"], "tantivy", found["tantivy"], None, "postings, ")
    )
    if "bm25s" not in found:
        result.notes.append(f"bm25s is not measured. {INSTALL}")
    result.notes.append(
        "CPU time of the thread for each query, the query's text to the rows of its hits, the "
        f"median of {settings.repeats} turns. Raw tantivy is given the terms, and has the same "
        "fields, weights and rows; its first ten hits are the same for "
        f"{same:.1%} of the queries. FTS5 alone has its own tokens, and stands beside Assay's FTS5."
    )
    return result


def _sides() -> dict[str, list[str]]:
    sides = {
        "assay-tantivy": ["lexical_assay", "tantivy"],
        "tantivy": ["lexical_tantivy"],
        "assay-fts5": ["lexical_assay", "fts5"],
        "assay-postings": ["lexical_assay", "postings"],
        "fts5": ["lexical_fts5"],
    }
    return sides | ({"bm25s": ["lexical_bm25s"]} if find_spec("bm25s") else {})


def _turns(count: int, settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """Let every side search once in each turn; in the first one it also builds."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in _sides()}
    for turn in range(settings.repeats):
        for name, (command, *arguments) in _sides().items():
            progress(f"searching words: {name}, {count:,} chunks, turn {turn + 1}")
            folder = settings.folder / f"lexical-{name}"
            found[name].append(measure(script(command, *arguments, folder, count)).json())
    return found


def _agreement(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> float:
    pairs = list(zip(ours[0]["tops"], theirs[0]["tops"], strict=True))
    same = sum(mine == other for mine, other in pairs) / len(pairs)
    if same < AGREE:
        raise SystemExit(f"Assay and tantivy alone agree on only {same:.1%} of the queries")
    return same


def _rows(
    ours: list[dict[str, Any]],
    peer: str,
    theirs: list[dict[str, Any]],
    target: float | None,
    which: str = "",
) -> list[Row]:
    """Compare the default engine, or ``which`` other one, with a peer."""
    rows = []
    for depth in ours[0]["s"]:
        for words, at in (("p50", 49), ("p95", 94)):
            mine, other = (_percentile(side, depth, at) for side in (ours, theirs))
            rows.append(Row(f"{which}{words}, best {depth}", mine, peer, other, target=target))
    build = (ours[0]["build_s"], theirs[0]["build_s"])
    size = (ours[0]["bytes"], theirs[0]["bytes"])
    return [
        *rows,
        Row(f"{which}building", build[0], peer, build[1]),
        Row(f"{which}bytes on disk", size[0], peer, size[1], unit="bytes"),
    ]


def _percentile(side: list[dict[str, Any]], depth: str, at: int) -> float:
    return median(quantiles(turn["s"][depth], n=100)[at] for turn in side)
