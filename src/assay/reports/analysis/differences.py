"""Differences: how many queries each run improves and regresses, and where it does so most."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.analysis._named import short
from assay.reports.spelled import spelled

__all__ = ["differences"]

TITLES = ("run", "improved", "same", "regressed", "failed")


def differences(report: Report) -> Table | None:
    """Lay out the counts, and say which run regresses the most queries."""
    found = report.analysis.get("differences") or {}
    if not found:
        return None
    rows: list[list[Cell]] = [
        [run, *(one.get(name) for name in TITLES[1:]), *_largest(one)] for run, one in found.items()
    ]
    baseline = short(next(iter(found.values()))["baseline"])
    worst = max(found, key=lambda run: found[run]["regressed"])
    most = found[worst]["regressed"]
    said = f"Query by query against {baseline}: "
    said += f"even {short(worst)} makes {most:,} worse." if len(found) == 1 else _most(worst, most)
    titles = (*TITLES, "most gained", "most lost")
    return Table(titles, rows, said, names=frozenset([5, 6]))


def _most(run: str, regressed: int) -> str:
    if not regressed:
        return "no run makes any worse."
    return f"{short(run)} makes the most worse ({regressed:,})."


def _largest(one: Mapping[str, Any]) -> list[Cell]:
    return [
        f"{told['difference']:+.2f} {spelled(str(told['query']))}" if told else None
        for told in (one.get("largest_gain"), one.get("largest_loss"))
    ]
