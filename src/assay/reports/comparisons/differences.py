"""Differences: each run's score with its interval, and how it differs from the baseline."""

from assay.records import Candidate, Cell, Comparison, Comparisons, Interval, Table

__all__ = ["differences"]

TITLES = ("metric", "run", "score", "95 % interval", "difference", "95 % interval", "p", "W/T/L")


def differences(comparisons: Comparisons) -> Table:
    """Give each metric a block: the baseline first, then its candidates."""
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    best: set[tuple[int, int]] = set()
    for name in comparisons.candidates[0].metrics:
        start = len(rows)
        _add(rows, texts, _baseline(comparisons, name), name)
        for candidate in comparisons.candidates:
            _add(rows, texts, _candidate(candidate, name), "")
        top = max(_number(row[2]) for row in rows[start:])
        best |= {(at, 2) for at in range(start, len(rows)) if _number(rows[at][2]) == top}
    titles = (*TITLES, "detectable", "holes")
    return Table(titles, rows, best=frozenset(best), texts=texts)


def _add(
    rows: list[list[Cell]], texts: dict[tuple[int, int], str], cells: list[Cell], name: str
) -> None:
    """Keep the metric's name in the data of each row, but show it once."""
    rows.append(cells)
    at = len(rows) - 1
    texts[at, 0] = name
    difference = cells[4]
    if isinstance(difference, float):
        texts[at, 4] = f"{difference:+.4f}"
    p = cells[6]
    if isinstance(p, float):
        texts[at, 6] = "<.0001" if p < 0.0001 else f"{p:.4f}"


def _baseline(comparisons: Comparisons, name: str) -> list[Cell]:
    one = comparisons.candidates[0].metrics[name]
    score: list[Cell] = [name, comparisons.baseline, one.baseline, _range(one.baseline_interval)]
    return [*score, *[""] * 6]


def _candidate(candidate: Candidate, name: str) -> list[Cell]:
    one = candidate.metrics[name]
    score: list[Cell] = [name, candidate.run, one.candidate, _range(one.candidate_interval)]
    return [*score, *_difference(one)]


def _difference(one: Comparison) -> list[Cell]:
    detectable = one.smallest_detectable
    return [
        one.difference,
        _range(one.interval, signed=True),
        one.p_corrected,
        f"{one.wins}/{one.ties}/{one.losses}",
        detectable if detectable < float("inf") else "-",
        "-" if one.holes is None else f"[{one.holes[0]:+.4f}, {one.holes[1]:+.4f}]",
    ]


def _range(interval: Interval, *, signed: bool = False) -> str:
    shown = "+.4f" if signed else ".4f"
    if interval.high == float("inf"):
        return "-"
    return f"[{interval.low:{shown}}, {interval.high:{shown}}]"


def _number(cell: Cell) -> float:
    return cell if isinstance(cell, float) else float("-inf")
