"""Significance table: runs against metrics with significance marks, as a paper prints it."""

from assay.records import Cell, Comparison, Comparisons, Table
from assay.text.quote import quote

__all__ = ["significance_table"]


def significance_table(comparisons: Comparisons) -> Table:
    """Put ▲ or ▼ behind scores that differ from the baseline's at the corrected level."""
    names = list(comparisons.candidates[0].metrics)
    first = comparisons.candidates[0].metrics
    rows: list[list[Cell]] = [[comparisons.baseline, *(first[name].baseline for name in names)]]
    texts = {(0, c + 1): f"{first[name].baseline:.4f}" for c, name in enumerate(names)}
    alpha = float(comparisons.settings["alpha"])
    for r, candidate in enumerate(comparisons.candidates, start=1):
        rows.append([candidate.run, *(candidate.metrics[name].candidate for name in names)])
        for c, name in enumerate(names, start=1):
            one = candidate.metrics[name]
            texts[r, c] = f"{one.candidate:.4f}{_mark(one, alpha)}"
    best = frozenset(
        (r, c)
        for c, name in enumerate(names, start=1)
        for r, row in enumerate(rows)
        if row[c] == _best(first[name], [float(other[c] or 0.0) for other in rows])
    )
    rule = f"{comparisons.settings['correction']}-corrected p < {alpha:g}"
    caption = f"▲ better, ▼ worse than {quote(comparisons.baseline)} ({rule})"
    return Table(("run", *names), rows, caption=caption, best=best, texts=texts)


def _mark(one: Comparison, alpha: float) -> str:
    if one.p_corrected >= alpha:
        return ""
    return "▲" if one.better else "▼"


def _best(one: Comparison, scores: list[float]) -> float:
    return max(scores) if one.higher_is_better else min(scores)
