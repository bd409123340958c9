"""The runs of a report, the best first, as ``repr`` and a notebook show them."""

from typing import TYPE_CHECKING

from assay.records._board import OUTCOMES, Board, figure

if TYPE_CHECKING:
    from assay.records.report import Report, Run

__all__ = ["leaderboard"]

HOW = ".frame() has the figures, assay.plot(report) the charts, print(report) all metrics"


def leaderboard(report: "Report") -> Board:
    """Give each run a row; those that a race stopped or that failed come last."""
    compared = report.comparisons
    primary = str(
        compared.primary if compared else report.benchmark.get("primary") or _first(report)
    )
    runs = sorted(report.runs, key=lambda run: (run.status != "completed", -_score(run, primary)))
    return Board(
        _title(report),
        ("run", primary or "score", "p95 ms", "failed queries", "verdict"),
        [_row(report, run, primary) for run in runs],
        HOW,
    )


def _title(report: "Report") -> str:
    name = str(report.benchmark.get("name") or "benchmark")
    queries, runs = report.dataset.get("queries"), len(report.runs)
    counts = [f"{queries:,} quer{'y' if queries == 1 else 'ies'}" if queries else ""]
    counts += [f"{runs:,} run{'' if runs == 1 else 's'}"]
    counts += [f"baseline {report.comparisons.baseline}" if report.comparisons else ""]
    counts += ["stopped before its end" if report.status == "cancelled" else ""]
    id_ = f" ({report.id[:8]})" if report.id else ""
    return f"report of {name}{id_}: {', '.join(filter(None, counts))}"


def _first(report: "Report") -> str:
    return next((name for run in report.runs for name in run.scores), "")


def _score(run: "Run", primary: str) -> float:
    score = run.scores.get(primary)
    return float("-inf") if score is None else score


def _row(report: "Report", run: "Run", primary: str) -> tuple[str, ...]:
    score, p95 = figure(run.scores.get(primary)), figure(run.latency_ms.get("p95"), form=",.2f")
    failed = f"{run.errors:,}" if run.errors else ""
    return (run.name, score, p95, failed, _told(report, run))


def _told(report: "Report", run: "Run") -> str:
    """Say what was decided of a run, or why nothing was."""
    if run.status == "beaten":
        after = [one["after"] for one in report.race.get("beaten", ()) if one["run"] == run.name]
        return f"beaten after {after[0]:,} queries" if after else "beaten"
    if run.status != "completed":
        return str(run.status)
    compared = report.comparisons
    if compared is None:
        return ""
    if run.name == compared.baseline:
        return "baseline"
    found = [one.verdict.outcome for one in compared.candidates if one.run == run.name]
    return OUTCOMES[found[0]] if found else ""
