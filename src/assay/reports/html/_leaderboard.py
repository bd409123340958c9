"""Leaderboard: a row per run, best first, with intervals, costs, settings and the verdict."""

from collections.abc import Sequence
from typing import Any

from assay.records import Candidate, Interval, Report, Run
from assay.records.times import incomparable, timed_runs
from assay.reports.comparisons.decisions import heading
from assay.reports.html._scale import Scale
from assay.reports.metric_direction import is_lower_better
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.reports.runs.tables.settings import alike, settings
from assay.text.figures import difference_text

__all__ = ["leaderboard"]

# What is measured beside the metrics: its title, where it stands, its form, and its meaning.
COSTS = (
    ("p50 ms", "latency_ms", "p50", ",.2f", "Median latency of a search"),
    ("p95 ms", "latency_ms", "p95", ",.2f", "95% of the searches took no longer"),
    ("index s", "indexing", "seconds", ",.1f", "Seconds to build the index"),
    ("KB/doc", "storage", "bytes_per_document", ",.1f", "Size of the index per document"),
)
UNWEIGHTED = "unweighted"
MANY = 8  # columns of figures, from which on they stand closer
Cell = dict[str, Any]


def leaderboard(report: Report) -> dict[str, Any]:
    """Return titles and rows; the numbers are those of the runs in all charts."""
    from assay.reports.analysis.busy import busy

    metrics = [str(name) for name in report.benchmark.get("metrics", ())]
    costs = [cost for cost in COSTS if any(_figure(run, cost) is not None for run in report.runs)]
    columns = [*(_metric_column(report, name) for name in metrics)]
    plain = any(run.scores_unweighted for run in report.runs)
    columns[1:1] = [_unweighted_column(columns[0])] if plain and metrics else []
    columns += [_cost_column(cost, busy=bool(busy(report))) for cost in costs]
    values = [_values(run, metrics, costs, plain=plain) for run in report.runs]
    best = [_best(report, values, at, one) for at, one in enumerate(columns)]
    order = _order(report, values, lower=bool(columns and columns[0]["lower"]))
    scale = _scale(report, metrics[:1])
    told = _told(report)
    rows = [
        _row(report, at, values[at], columns, best, scale)
        | {"settings": told.get(report.runs[at].name, "")}
        for at in order
    ]
    return {
        "columns": columns,
        "rows": rows,
        "asking": any(row["outcome"] == "needs_queries" for row in rows),
        "marked": any(cell["best"] for row in rows for cell in row["cells"]),
        "busy": any(column["busy"] for column in columns),
        "numbered": is_numbered([run.name for run in report.runs] or [""]),
        "many": len(columns) > MANY,
        "alike": alike(report).removeprefix("shared: "),
        "errors": any(run.errors for run in report.runs),
        "compared": report.comparisons is not None,
        "starred": any(not run.indexing.get("seconds_complete", True) for run in report.runs),
        "stopped": _stopped(report),
    }


def _metric_column(report: Report, name: str) -> Cell:
    lower = is_lower_better(report, name)
    meaning = "lower is better" if lower else "higher is better"
    return {"title": name, "lower": lower, "meaning": meaning, "form": ".3f", "busy": False}


def _unweighted_column(primary: Cell) -> Cell:
    return primary | {"title": UNWEIGHTED, "meaning": f"{primary['title']}, each query the same"}


def _cost_column(cost: Sequence[str], *, busy: bool) -> Cell:
    told = {"title": cost[0], "lower": True, "meaning": cost[4], "form": cost[3]}
    return told | {"busy": busy and cost[1] == "latency_ms"}


def _figure(run: Run, cost: Sequence[str]) -> float | None:
    value = getattr(run, cost[1]).get(cost[2])
    unit = 1000 if cost[0].startswith("KB") else 1
    return value / unit if isinstance(value, int | float) else None


def _values(
    run: Run, metrics: Sequence[str], costs: Sequence[Sequence[str]], *, plain: bool
) -> list[Any]:
    scores = [run.scores.get(name) for name in metrics]
    scores[1:1] = [run.scores_unweighted.get(metrics[0])] if plain and metrics else []
    return [*scores, *(_figure(run, cost) for cost in costs)]


def _order(report: Report, values: Sequence[Sequence[Any]], *, lower: bool) -> list[int]:
    """Put the best first, then those that were stopped early, then those without a score."""

    def place(at: int) -> tuple[bool, bool, float]:
        score = values[at][0] if values[at] else None
        signed = 0.0 if score is None else score if lower else -score
        return score is None, report.runs[at].status != "completed", signed

    return sorted(range(len(report.runs)), key=place)


def _best(report: Report, values: Sequence[Sequence[Any]], at: int, column: Cell) -> Any:  # noqa: ANN401 - a number or none
    """Return the best value of the runs that were measured as a whole."""
    if column["title"].endswith(" ms") and incomparable(timed_runs(report.runs)):
        return None
    rivals = [one for run, one in zip(report.runs, values, strict=True) if _is_whole(run, column)]
    known = [one[at] for one in rivals if one[at] is not None]
    if len(known) < 2:
        return None
    return min(known) if column["lower"] else max(known)


def _is_whole(run: Run, column: Cell) -> bool:
    """Tell whether a run may be the best: one that failed or was stopped early may not."""
    timed = not (column["title"].endswith(" ms") and run.errors)
    told = column["title"] != "index s" or bool(run.indexing.get("seconds_complete", True))
    return run.status == "completed" and timed and told


def _scale(report: Report, primary: Sequence[str]) -> Scale:
    ends = [
        end
        for run in report.runs
        for name in primary
        if name in run.scores
        for end in _ends(run.intervals.get(name), run.scores[name])
    ]
    return Scale.of(ends)


def _ends(interval: Interval | None, middle: float) -> tuple[float, float]:
    known = interval is not None and abs(interval.high) < float("inf")
    return (interval.low, interval.high) if interval is not None and known else (middle, middle)


def _row(
    report: Report,
    at: int,
    values: Sequence[Any],
    columns: Sequence[Cell],
    best: Sequence[Any],
    scale: Scale,
) -> dict[str, Any]:
    run = report.runs[at]
    cells = [
        _cell(run, value, column, top)
        for value, column, top in zip(values, columns, best, strict=True)
    ]
    if cells and run.scores:
        cells[0] |= _interval(run, columns[0]["title"], scale)
    return {
        "number": at + 1,
        "name": run.name,
        "status": run.status,
        "error": " ".join(run.error.split())[:300],
        "aliases": run.aliases,
        "errors": run.errors,
        "cells": cells,
        **_decided(report, run),
    }


def _cell(run: Run, value: float | None, column: Cell, top: float | None) -> Cell:
    star = column["title"] == "index s" and not run.indexing.get("seconds_complete", True)
    less = column["title"] in run.scores and run.status == "beaten"
    text = "–" if value is None else f"{value:{column['form']}}{'*' * star}{'†' * less}"
    marked = value is not None and value == top and _is_whole(run, column)
    return {"text": text, "value": value, "best": marked}


def _interval(run: Run, metric: str, scale: Scale) -> Cell:
    """Return the interval of a score in words, and where it lies on the scale of all."""
    score = run.scores.get(metric)
    if score is None:
        return {}
    low, high = _ends(run.intervals.get(metric), score)
    return {
        "interval": f"[{low:.3f}, {high:.3f}]" if low < high else "",
        "left": scale.at(low),
        "width": round(scale.at(high) - scale.at(low), 2),
        "dot": scale.at(score),
    }


def _stopped(report: Report) -> str:
    """Count the queries of the runs that were stopped early; nothing without any."""
    counts = [len(run.per_query) for run in report.runs if run.status == "beaten" and run.scores]
    if not counts:
        return ""
    least, most = f"{min(counts):,}", f"{max(counts):,}"
    many = least if least == most else f"{least} to {most}"
    total = report.race.get("queries") or report.dataset.get("queries")
    return f"{many} of {total:,} queries" if isinstance(total, int) else f"{many} queries"


def _told(report: Report) -> dict[str, str]:
    """Write the settings that differ behind each name, unless the name has them."""
    table = settings(report, named=False)
    if table is None:
        return {}
    pairs = [zip(table.titles[1:], row[1:], strict=True) for row in table.rows]
    told = [" · ".join(f"{key} {value}" for key, value in one if value != "-") for one in pairs]
    return {str(row[0]): said for row, said in zip(table.rows, told, strict=True)}


def _decided(report: Report, run: Run) -> dict[str, Any]:
    """Return the verdict and the change against the baseline."""
    compared = report.comparisons
    nothing = {"change": "", "changed": None, "ends": ""}
    if run.status != "completed":
        beaten = run.status == "beaten"
        why = f"stopped early after {len(run.per_query):,}" if beaten else str(run.status)
        if (verdict := report.verdicts.get(run.name)) is None:
            return {"outcome": run.status, "shout": why, **nothing}
        shout = f"{heading(verdict.outcome, verdict.queries_needed)} ({why})"
        return {"outcome": verdict.outcome, "shout": shout, **nothing}
    base = compared.baseline if compared else report.benchmark.get("baseline")
    if run.name == base:
        is_base = len(report.runs) > 1
        return {"outcome": "baseline" * is_base, "shout": "baseline" * is_base, **nothing}
    named = {one.run: one for one in compared.candidates} if compared else {}
    if compared is not None and run.name in named:
        return _change(named[run.name], compared.primary)
    if (verdict := report.verdicts.get(run.name)) is not None:
        shout = heading(verdict.outcome, verdict.queries_needed)
        return {"outcome": verdict.outcome, "shout": shout, **nothing}
    return {"outcome": "", "shout": "", **nothing}


def _change(one: Candidate, primary: str) -> dict[str, Any]:
    found = one.metrics[primary]
    low, high = _ends(found.interval, found.difference)
    return {
        "outcome": one.verdict.outcome,
        "shout": heading(one.verdict.outcome, one.verdict.queries_needed),
        "change": difference_text(found.difference),
        "changed": found.difference,
        "ends": f"[{low:+.3f}, {high:+.3f}]" if low < high else "",
    }
