"""Time to answer: how many results are opened, and tokens read, up to the first relevant one."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._laid import Shown, laid
from assay.reports.analysis._named import short
from assay.reports.analysis._ranges import ranged

__all__ = ["time_to_answer"]


def time_to_answer(report: Report) -> Table | None:
    """Lay out what is opened and read, and say where the answer comes soonest."""
    found = report.analysis.get("time_to_answer") or {}
    if not found:
        return None
    tokens = any(one.get("tokens") for one in found.values())
    read = ("tokens", "tokens p95") if tokens else ()
    titles = ("run", "answered", "opened", "p50", "p95", *read, "opened*")
    return laid(titles, [_row(run, one, tokens=tokens) for run, one in found.items()], _said(found))


def _row(run: str, one: Mapping[str, Any], *, tokens: bool) -> list[Shown]:
    opened, read = one["opened"], one.get("tokens") or {}
    cells: list[Shown] = [(run, run), (one["answered"], f"{one['answered']:.0%}")]
    cells.append((opened["mean"], ranged(opened["mean"], one["ci"], ".2f")))
    cells += [(opened[name], _count(opened[name])) for name in ("p50", "p95")]
    if tokens:
        cells += [(read.get(name), _count(read.get(name))) for name in ("mean", "p95")]
    shared = (one.get("shared") or {}).get("opened")
    return [*cells, (shared, "-" if shared is None else f"{shared:.2f}")]


def _count(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _said(found: Mapping[str, Any]) -> str:
    shared = {run: one.get("shared") or {} for run, one in found.items()}
    queries = next(iter(shared.values())).get("queries") or 0
    known = {run: one["opened"] for run, one in shared.items() if one.get("opened") is not None}
    legend = f" *: of the {queries:,} queries that all runs answer." if queries else ""
    if not known:
        return "How many results are opened up to the first relevant one."
    best = min(known, key=lambda run: float(known[run]))
    where = f"With {short(best)} the first relevant result"
    return (
        f"{where} is the one opened as number {known[best]:.1f} on average, and "
        f"{found[best]['answered']:.0%} of the queries have one.{legend}"
    )
