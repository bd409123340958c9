"""Differences: how many queries each run improves and regresses, and where it does so most."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.runs.phrases.run_label import run_label
from assay.text import sanitize
from assay.text.count_noun import count_noun

__all__ = ["differences"]

COUNTS = ("improved", "same", "regressed", "failed")


def differences(report: Report, *, brief: bool = False) -> Table | None:
    """Lay out the counts, and say which run regresses the most queries.

    In ``brief`` those that stay the same are left out, and failures where there are none.
    """
    found = report.analysis.get("differences") or {}
    if not found:
        return None
    failed = any(one.get("failed") for one in found.values())
    spared = {"same", *([] if failed else ["failed"])} if brief else set()
    counts = [name for name in COUNTS if name not in spared]
    rows: list[list[Cell]] = [
        [run, *(one.get(name) for name in counts), *_largest(one)] for run, one in found.items()
    ]
    return Table(("run", *counts, "largest gain", "largest loss"), rows, _said(report, found))


def _said(report: Report, found: Mapping[str, Any]) -> str:
    baseline = run_label(report, next(iter(found.values()))["baseline"])
    worst = max(found, key=lambda run: int(found[run]["regressed"]))
    most = found[worst]["regressed"]
    if not most:
        return f"No query scores lower than with {baseline}."
    lower = f"{count_noun(most, 'query scores', 'queries score')} lower"
    rest = "" if len(found) == 1 else ", the most of any run"
    return f"{lower} with {run_label(report, worst)} than with {baseline}{rest}."


def _largest(one: Mapping[str, Any]) -> list[Cell]:
    return [
        f"{told['difference']:+.2f} {sanitize(str(told['query']))}" if told else None
        for told in (one.get("largest_gain"), one.get("largest_loss"))
    ]
