"""Differences: each run's score with its interval, and how it differs from the baseline."""

from assay.records import Candidate, Cell, Comparisons, Interval, Table

__all__ = ["differences"]

TITLES = ("run", "score", "95% CI", "change", "95% CI", "p", "W/T/L", "detectable")
CORRECTIONS = {"holm": "p (Holm)", "bh": "p (BH)", "max_t": "p (max-T)", "none": "p"}


def differences(comparisons: Comparisons) -> Table:
    """Give each metric a block: the baseline first, then its candidates."""
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    best: set[tuple[int, int]] = set()
    for name, first in comparisons.candidates[0].metrics.items():
        rows.append([name, *[""] * (len(TITLES) - 1)])
        texts |= {(len(rows) - 1, 1): ""}
        start = len(rows)
        scored: list[Cell] = [first.baseline, _range(first.baseline_interval)]
        rows.append([f"  {comparisons.baseline}", *scored, *[""] * 5])
        for candidate in comparisons.candidates:
            rows.append(_candidate(candidate, name))
            texts |= _texts(candidate, name, len(rows) - 1)
        choose = max if first.higher_is_better else min
        top = choose(_number(row[1]) for row in rows[start:])
        best |= {(at, 1) for at in range(start, len(rows)) if _number(rows[at][1]) == top}
    rule = CORRECTIONS[str(comparisons.settings["correction"])]
    titles = (*TITLES[:5], rule, *TITLES[6:])
    return Table(titles, rows, best=frozenset(best), texts=texts)


def _candidate(candidate: Candidate, name: str) -> list[Cell]:
    one = candidate.metrics[name]
    return [
        f"  {candidate.run}",
        one.candidate,
        _range(one.candidate_interval),
        one.difference,
        _range(one.interval, signed=True),
        one.p_corrected,
        f"{one.wins}/{one.ties}/{one.losses}",
        one.smallest_detectable,
    ]


def _texts(candidate: Candidate, name: str, row: int) -> dict[tuple[int, int], str]:
    """Write what reads better than four plain decimals."""
    one = candidate.metrics[name]
    detectable = one.smallest_detectable
    return {
        (row, 3): f"{one.difference:+.4f}",
        (row, 5): "<.0001" if one.p_corrected < 0.0001 else f"{one.p_corrected:.4f}",
        (row, 7): f"{detectable:.4f}" if detectable < float("inf") else "-",
    }


def _range(interval: Interval, *, signed: bool = False) -> str:
    shown = "+.3f" if signed else ".3f"
    if interval.high == float("inf"):
        return "-"
    return f"[{interval.low:{shown}}, {interval.high:{shown}}]"


def _number(cell: Cell) -> float:
    return cell if isinstance(cell, float) else float("nan")
