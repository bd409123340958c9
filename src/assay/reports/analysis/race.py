"""Race: which runs were stopped early, after how many queries, and which run led then."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._named import heads
from assay.reports.analysis._table_of import Shown, table_of
from assay.text import sanitize

__all__ = ["race"]

TITLES = ("run", "stopped after", "score", "leader's score", "evidence", "leader")


def race(report: Report) -> Table | None:
    """Lay out the runs that were stopped, the first first; the sentence has the error bound."""
    beaten = report.race.get("beaten") or []
    if not beaten:
        return None
    said = str(report.race.get("statement") or "").removeprefix("race: ")
    said = sanitize(
        f"{said[:1].upper()}{said[1:]}".rstrip(".") + "." if said else "Runs stopped early."
    )
    said += _meaning(report.race.get("alpha"))
    return table_of(TITLES, [_row(report, one) for one in beaten], said, names=[5])


def _meaning(alpha: float | None) -> str:
    """Say what the evidence is, which is no probability."""
    if not alpha:
        return ""
    return (
        f" Evidence is an e-value, not the probability that a run is worse: the best run reaches "
        f"{1 / alpha:,.3g} in at most {100 * alpha:.3g}% of all query orders; certain: the run "
        "could no longer catch up."
    )


def _row(report: Report, one: Mapping[str, Any]) -> list[Shown]:
    run, leader = str(one["run"]), heads(report, [str(one["by"])])[0][0]
    evidence = one.get("e_value")
    return [
        (run, run),
        (one["after"], f"{one['after']:,}"),
        *((one.get(key), _score(one.get(key))) for key in ("score", "leader_score")),
        (evidence, "certain" if evidence is None else f"{evidence:,.0f}"),
        (leader, leader),
    ]


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
