"""References to documents of a large corpus: the whole of it read once, and never held."""

from typing import Any

from performance._measure import Usage, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["resolving"]

QUERIES, REFERENCES, CORPUS = 1_000, 100, 1_000_000
CASES = {
    "path": "all by path",
    "file_name": "all by file name",
    "missing": "by path, one in ten renamed",
    "substring": "all by a part of the path",
}
FEW = 20  # references that the peer looks for parts of: it needs a quarter of a second for each
COUNTS = ("resolved", "ambiguous", "missing")


def resolving(settings: Settings) -> Result:
    """Measure Assay and a plain script of dicts, in processes of their own."""
    queries = min(QUERIES, settings.queries)
    references = min(REFERENCES, settings.documents)
    corpus = CORPUS * queries * references // (QUERIES * REFERENCES)
    size = f"{queries:,} queries x {references:,} references, {corpus:,} documents"
    result = Result(f"Where references lead: {size}")
    for case, words in CASES.items():
        progress(f"resolving: {words}")
        ours = measure(script("resolve_assay", case, queries, references, corpus))
        result.rows.extend(_rows(case, words, ours, (queries, references, corpus)))
    result.notes.append(
        "CPU time of the call alone, the documents made on the fly on both sides; peak memory of "
        "the process, with the dataset. The peer holds the whole corpus in two dicts and gives no "
        f"near misses. For parts of paths it asks {FEW} references of all paths in a loop; its "
        "figure is that times the number of references."
    )
    return result


def _rows(case: str, words: str, ours: Usage, size: tuple[int, int, int]) -> list[Row]:
    queries, references, corpus = size
    times = 1.0
    if case == "substring":
        few = min(FEW, references)
        queries, references, times = 1, few, queries * references / few
    theirs = measure(script("resolve_dicts", case, queries, references, corpus))
    mine, other = ours.json(), theirs.json()
    if times == 1.0:
        _agree(mine, other)
    return [
        Row(words, mine["cpu_s"], "dicts", other["cpu_s"] * times),
        Row(f"{words}, memory", ours.peak_bytes, "dicts", theirs.peak_bytes, unit="bytes"),
    ]


def _agree(mine: dict[str, Any], other: dict[str, Any]) -> None:
    if any(mine[key] != other[key] for key in COUNTS):
        raise SystemExit(f"Assay and the peer disagree: {mine} against {other}")
