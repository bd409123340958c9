"""Difficulty: how much of what a query asks is said in the same words by its documents."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from assay.datasets.checks._evidence import NO_CORPUS, Evidence, Gold, check
from assay.datasets.checks._words import terms
from assay.records import AuditSettings, Cell, Finding, Query, Table
from assay.text.count_noun import count_noun

__all__ = ["difficulty"]

LEVELS = ("easy", "medium", "hard")


def _covered(query: Query, gold: Gold, settings: AuditSettings) -> frozenset[str]:
    """Keep the terms of the query that the document holds."""
    return terms(query.text) & gold.terms


@check(rank=90, read=_covered)
def difficulty(evidence: Evidence) -> Finding:
    """Count difficulty levels: given, predicted from the texts, and measured by runs."""
    rows = tuple(_row(evidence, number) for number in range(len(evidence.dataset.queries)))
    known = tuple(row for row in rows if any(row[key] is not None for key in list(row)[1:]))
    columns = {
        kind: _count(row[kind] for row in rows) for kind in ("given", "predicted", "measured")
    }
    levels = [
        *LEVELS,
        *sorted({level for counts in columns.values() for level in counts} - {*LEVELS}),
    ]
    correlation = _rank_correlation(known)
    return Finding(
        said=_said(columns, correlation),
        table=_table(columns, levels) if known else None,
        rows=known,
        figures={**columns, "rank_correlation": correlation},
        listed="queries",
        undone=""
        if known
        else f"{_why(evidence)}, so difficulty cannot be predicted from the texts",
    )


def _why(evidence: Evidence) -> str:
    return NO_CORPUS if evidence.looked is None else "no relevant document was found"


def _row(evidence: Evidence, number: int) -> dict[str, Any]:
    query = evidence.dataset.queries[number]
    share = _share(evidence, number)
    score = (evidence.scores or {}).get(query.key)
    return {
        "query": query.key,
        "given": query.difficulty.strip().casefold() or None,
        "covered": share,
        "predicted": None if share is None else _level(share),
        "score": score,
        "measured": None if score is None else _level(score),
    }


def _share(evidence: Evidence, number: int) -> float | None:
    """Return the share of the query's terms, by idf, that its best document holds.

    The idf of a query's terms is the plainest predictor of its difficulty before a search: He and
    Ounis (SPIRE 2004). A term that occurs in no document weighs most.
    """
    held = evidence.seen.get("difficulty", {}).get(number)
    asked = terms(evidence.dataset.queries[number].text) if held else ()
    if not held or not asked:
        return None
    idf = {
        term: math.log((evidence.documents + 1) / (evidence.frequency.get(term, 0) + 0.5))
        for term in asked
    }
    whole = math.fsum(idf.values())  # exact: the order of a set is another in each process
    return max(math.fsum(idf[term] for term in covered) for _, covered in held) / whole


def _level(share: float) -> str:
    # A hair below: parts that are rounded before they are summed may miss 2/3.
    return LEVELS[(share < 2 / 3 - 1e-9) + (share < 1 / 3 - 1e-9)]


def _count(levels: Iterable[str | None]) -> dict[str, int]:
    return dict(Counter(level for level in levels if level is not None))


def _rank_correlation(rows: tuple[dict[str, Any], ...]) -> float | None:
    """Return Spearman's correlation of predicted and measured shares; None if it is undefined."""
    pairs = [(row["covered"], row["score"]) for row in rows]
    pairs = [pair for pair in pairs if None not in pair]
    if len(pairs) < 3:
        return None
    ranks = [_ranks(np.array(column)) for column in zip(*pairs, strict=True)]
    if min(float(np.ptp(column)) for column in ranks) == 0:
        return None
    return float(np.corrcoef(ranks)[0, 1])


def _ranks(
    values: "np.ndarray[Any, np.dtype[np.float64]]",
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Rank values; equal ones share the mean of their ranks."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    means: np.ndarray[Any, np.dtype[np.float64]] = (last - (counts - 1) / 2)[group]
    return means


def _said(columns: dict[str, dict[str, int]], correlation: float | None) -> str:
    how = {
        "given": "given for {}",
        "predicted": "predicted for {} from the words shared with relevant documents",
        "measured": "measured for {} by the runs",
    }
    numbers = {kind: sum(counts.values()) for kind, counts in columns.items() if counts}
    said = [how[kind].format(count_noun(number, "query")) for kind, number in numbers.items()]
    if correlation is not None:
        said.append(f"rank correlation of prediction and measurement: {correlation:.2f}")
    return "; ".join(said) + "." if said else ""


def _table(columns: dict[str, dict[str, int]], levels: list[str]) -> Table:
    shown = [kind for kind, counts in columns.items() if counts]
    rows: list[list[Cell]] = [
        [level, *(columns[kind].get(level, 0) for kind in shown)] for level in levels
    ]
    return Table(("difficulty", *shown), rows)
