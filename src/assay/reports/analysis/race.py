"""Race: which runs were stopped early, after how many queries, and by whom they were beaten."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._laid import Shown, laid
from assay.reports.analysis._named import heads
from assay.reports.spelled import spelled

__all__ = ["race"]

TITLES = ("run", "stopped after", "its score", "the leader's", "odds", "leader")


def race(report: Report) -> Table | None:
    """Lay out who was beaten, the first first; the sentence has the bound on the error."""
    beaten = report.race.get("beaten") or []
    if not beaten:
        return None
    said = str(report.race.get("statement") or "").removeprefix("race: ")
    said = spelled(f"{said[:1].upper()}{said[1:]}".rstrip(".") + "." if said else "Who was beaten.")
    return laid(TITLES, [_row(report, one) for one in beaten], said, names=[5])


def _row(report: Report, one: Mapping[str, Any]) -> list[Shown]:
    run, leader = str(one["run"]), heads(report, [str(one["by"])])[0][0]
    odds = one.get("e_value")
    return [
        (run, run),
        (one["after"], f"{one['after']:,}"),
        *((one.get(key), _score(one.get(key))) for key in ("score", "leader_score")),
        (odds, "sure" if odds is None else f"{odds:,.0f}"),
        (leader, leader),
    ]


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
