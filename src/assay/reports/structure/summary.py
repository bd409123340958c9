"""Summary: what each way of ranking scores, and what it gains over the cosines."""

from assay.records import Cell, Interval, Method, Structure, Table
from assay.reports.structure.names import shown

__all__ = ["summary"]


def summary(structure: Structure) -> Table:
    """Give each method a row, the controls below the method that they control."""
    primary = structure.primary
    titles = ("method", primary, "change", "95% CI", "p", "W/T/L")
    rows = [_row(one, primary) for one in structure.methods]
    texts: dict[tuple[int, int], str] = {}
    for at, one in enumerate(structure.methods):
        texts |= _texts(one, primary, at)
    gains = [_gain(one, primary) for one in structure.methods]
    best = frozenset((at, 1) for at, gained in enumerate(gains) if gained == max(gains))
    return Table(titles, rows, best=best, texts=texts)


def _gain(one: Method, primary: str) -> float:
    """Return what tells which is best, also where less is better: cosine gains nothing."""
    uplift = one.uplift.get(primary)
    return 0.0 if uplift is None else uplift.difference


def _row(one: Method, primary: str) -> list[Cell]:
    uplift = one.uplift.get(primary)
    if uplift is None:
        return [shown(one.name), one.scores[primary], None, None, None, None]
    counted = f"{uplift.wins}/{uplift.ties}/{uplift.losses}"
    ends = _range(uplift.interval)
    return [shown(one.name), one.scores[primary], uplift.difference, ends, uplift.p, counted]


def _texts(one: Method, primary: str, row: int) -> dict[tuple[int, int], str]:
    """Write what reads better than four plain decimals."""
    uplift = one.uplift.get(primary)
    if uplift is None:
        return {}
    p = "<.0001" if uplift.p < 0.0001 else f"{uplift.p:.4f}"
    return {(row, 2): f"{uplift.difference:+.4f}", (row, 4): p}


def _range(interval: Interval) -> str:
    known = abs(interval.high) < float("inf")
    return f"[{interval.low:+.3f}, {interval.high:+.3f}]" if known else "-"
