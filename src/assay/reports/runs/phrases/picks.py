"""The pick in words: a headline, its reason, and its runner-up."""

from collections.abc import Callable, Mapping
from typing import Any

from assay.records import Report, Run
from assay.records.times import incomparable
from assay.reports.runs.phrases.run_label import label_runs, run_label
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.text import sanitize

__all__ = ["picks", "runner_up"]

KEYS = ("pick", "pick_within_budgets")


def picks(report: Report) -> list[str]:
    """Write the pick, and the one within the budgets where that is another run.

    The reason of a pick says what is not known about the budgets. A single run is the best of
    nothing, but one that a race left is what all others lost to.
    """
    done = sum(run.status == "completed" for run in report.runs)
    if done < 2 and not report.race.get("beaten"):
        return []
    pick, within = (report.recommendations.get(key) for key in KEYS)
    if not isinstance(pick, Mapping):
        return _lines(report, within, " within the budgets") if isinstance(within, Mapping) else []
    known = {"": pick}
    if isinstance(within, Mapping) and within.get("run") is not None:
        same = within["run"] == pick.get("run")
        both = {", also within the budgets": pick}
        known = both if same else known | {" within the budgets": within}
    return [line for end, one in known.items() for line in _lines(report, one, end)]


def _lines(report: Report, pick: Mapping[str, Any], end: str = "") -> list[str]:
    """Write headline and reason, then the runner-up; ``end`` says of what it is the pick."""
    reason = label_runs(report, str(pick.get("reason") or "").strip().rstrip("."))
    reason = f". {reason[:1].upper()}{reason[1:]}" if reason else ""
    second = runner_up(report, pick, _named)
    told = f"{_headline(report, pick, end)}{reason}"
    return [told, *([f"Runner-up: {second}"] if second else [])]


def _headline(report: Report, pick: Mapping[str, Any], end: str) -> str:
    if pick.get("run") is None:
        return f"No pick{end}"
    name = _named(report, str(pick["run"]))
    if pick.get("sure", True):
        return f"Pick{end}: {name}"
    other = pick.get("meanwhile")
    known = other and other != pick["run"]
    advice = f"; ship {_named(report, str(other))} meanwhile" if known else ""
    return f"Leading{end}: {name}, not yet proven{advice}"


def _named(report: Report, name: str) -> str:
    """Name a run where no word could be meant: by its number, if it has one, else as it is."""
    numbers = is_numbered([run.name for run in report.runs])
    return run_label(report, name) if numbers else sanitize(name)


def runner_up(
    report: Report, pick: Mapping[str, Any], name: Callable[[Report, str], str] = run_label
) -> str:
    """Describe the next eligible run, with what it gains or loses and costs against the pick."""
    found = pick.get("runner_up")
    runs = {run.name: run for run in report.runs}
    next_, first = (runs.get(str(one.get("run"))) for one in (found or {}, pick))
    if not isinstance(found, Mapping) or next_ is None or first is None:
        return ""
    by, gap, ends = str(pick.get("by")), found.get("difference"), found.get("ci")
    parts = [name(report, next_.name)]
    if isinstance(gap, int | float) and by in next_.scores:
        interval = f", 95% CI {ends[0]:+.4f} to {ends[1]:+.4f}" if ends else ""
        parts.append(f"{by} {next_.scores[by]:.4f} ({gap:+.4f}{interval})")
    return ", ".join([*parts, *_costs(first, next_)])


def _costs(first: Run, next_: Run) -> list[str]:
    """Say what the runner-up costs; a change in time only where both times may be compared."""
    told, pair = [], (first, next_)
    ours, theirs = (run.latency_ms.get("p95") for run in pair)
    if theirs is not None:
        fair = ours is not None and not incomparable(pair)
        told.append(f"p95 {theirs:,.2f} ms" + (f" ({theirs - ours:+,.2f} ms)" if fair else ""))
    before, after = (run.storage.get("index_bytes") for run in pair)
    if after is not None:
        change = f" ({after / before - 1:+.0%})" if before else ""
        told.append(f"{after:,.0f} index bytes{change}")
    return told
