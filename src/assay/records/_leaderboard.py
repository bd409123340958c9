"""The runs of a report, the best first, as ``repr`` and a notebook show them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.records._board import Board, figure
from assay.records.verdict import OUTCOMES
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.records.report import Report, Run

__all__ = ["leaderboard"]

HOW = "more: .frame() for figures, assay.plot(report) for charts, print(report) for all metrics"
PICKS = {"": "", "_within_budgets": " within the budgets"}
LONGEST, MOST_SAID = 100, 400  # letters of a name, and of a reason


def leaderboard(report: "Report", *, whole: bool = False) -> Board:
    """Give each run a row; those that a race stopped or that failed come last.

    The ``whole`` of it has every metric, and why a run is picked.
    """
    compared = report.comparisons
    primary = str(
        compared.primary if compared else report.benchmark.get("primary") or _first(report)
    )
    runs = sorted(report.runs, key=lambda run: (run.status != "completed", -_score(run, primary)))
    every = dict.fromkeys([primary, *(name for run in runs for name in run.scores)])
    metrics = [*every] if whole else [primary]
    return Board(
        _title(report),
        ("run", *(name or "score" for name in metrics), "p95 ms", "failed queries", "verdict"),
        [_row(report, run, metrics) for run in runs],
        HOW,
        said=tuple(_picked(report, whole=whole)),
    )


def _picked(report: "Report", *, whole: bool) -> Iterator[str]:
    """Name the run to take, or the one that leads and what to ship until it is proven."""
    pick, within = (report.recommendations.get(f"pick{end}") or {} for end in PICKS)
    both = bool(pick) and pick.get("run") is not None and pick.get("run") == within.get("run")
    if pick:
        yield _pick(pick, ", also within the budgets" if both else "", whole=whole)
    if within.get("run") is not None and not both:
        yield _pick(within, PICKS["_within_budgets"], whole=whole)


def _pick(pick: Mapping[str, Any], of: str, *, whole: bool) -> str:
    run, other = (pick.get(key) and str(pick[key])[:LONGEST] for key in ("run", "meanwhile"))
    said = f"no pick{of}"
    if run:
        advice = f"; until then ship {other}" if other and other != run else ""
        sure = pick.get("sure", True)
        said = f"pick{of}: {run}" if sure else f"leading{of}: {run}, not yet proven{advice}"
    reason = str(pick.get("reason") or "") if whole else ""
    return f"{said} ({reason[:MOST_SAID]})" if reason else said


def _title(report: "Report") -> str:
    name = str(report.benchmark.get("name") or "benchmark")
    queries, runs = report.dataset.get("queries"), len(report.runs)
    several = len(report.dataset.get("collections") or ())
    counts = [f"{several:,} collections (scores are means over them)" if several > 1 else ""]
    counts += [count_noun(queries, "query") if queries else ""]
    counts += [count_noun(runs, "run")]
    counts += [f"baseline {report.comparisons.baseline}" if report.comparisons else ""]
    counts += [report.status if report.status != "completed" else ""]
    id_ = f" ({report.id[:8]})" if report.id else ""
    return f"report of {name}{id_}: {', '.join(filter(None, counts))}"


def _first(report: "Report") -> str:
    return next((name for run in report.runs for name in run.scores), "")


def _score(run: "Run", primary: str) -> float:
    score = run.scores.get(primary)
    return float("-inf") if score is None else score


def _row(report: "Report", run: "Run", metrics: Sequence[str]) -> tuple[str, ...]:
    scores = [figure(run.scores.get(name)) for name in metrics]
    p95 = figure(run.latency_ms.get("p95"), form=",.2f")
    failed = f"{run.errors:,}" if run.errors else ""
    return (run.name, *scores, p95, failed, _told(report, run))


def _told(report: "Report", run: "Run") -> str:
    """Say what was decided of a run, or why nothing was."""
    if run.status == "beaten":
        after = [one["after"] for one in report.race.get("beaten", ()) if one["run"] == run.name]
        return f"stopped early after {after[0]:,} queries" if after else "stopped early"
    if run.status != "completed":
        return str(run.status)
    compared = report.comparisons
    if compared is None:
        return ""
    if run.name == compared.baseline:
        return "baseline"
    found = [one.verdict.outcome for one in compared.candidates if one.run == run.name]
    return OUTCOMES[found[0]] if found else ""
