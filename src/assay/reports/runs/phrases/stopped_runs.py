"""Stopped runs in words: which ones a race stopped, after how many queries, and who led."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.runs.phrases.run_label import list_runs, run_label
from assay.text.count_noun import count_noun

__all__ = ["stopped_runs"]


def stopped_runs(report: Report, *, most: int | None = None) -> list[str]:
    """Write a line for each run that was beaten; where there are more than ``most``, for each look.

    The scores are those of the queries that were asked until then.
    """
    told = list(report.race.get("beaten", ()))
    if most is None or len(told) <= most:
        return [
            f"{run_label(report, one['run'])}: {_stopped(report, one)} ({_scores(report, one)})"
            for one in told
        ]
    looks: dict[str, list[str]] = {}
    for one in told:
        looks.setdefault(_stopped(report, one), []).append(str(one["run"]))
    return [f"{stopped}: {list_runs(report, names)}" for stopped, names in looks.items()]


def _stopped(report: Report, one: Mapping[str, Any]) -> str:
    queries = count_noun(int(report.race["queries"]), "query", "queries")
    return (
        f"stopped early after {one['after']:,} of {queries}, behind {run_label(report, one['by'])}"
    )


def _scores(report: Report, one: Mapping[str, Any]) -> str:
    metric = report.race.get("metric", report.benchmark.get("primary", "score"))
    return f"{metric} {one['score']:.3f} compared with {one['leader_score']:.3f}"
