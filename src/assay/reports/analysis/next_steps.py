"""Next steps: what to do with a report that leaves questions open, each with its command."""

from collections.abc import Iterator, Mapping
from typing import Any

from assay.records import Candidate, Report
from assay.records.command import command, searched
from assay.reports.analysis._settings import values_of
from assay.reports.analysis.busy import busy
from assay.reports.runs.phrases.run_label import list_runs, run_label
from assay.text.count_noun import count_noun

__all__ = ["next_steps"]

MOST = 4
JUDGED = 0.8  # of the top 10: with less, scores say as much of the judgments as of the search
SAME = 1e-12  # what rounding alone can do to a mean
PRACTICAL = 9_999  # queries that anybody would add


def next_steps(report: Report) -> list[str]:
    """Say what to do next, at most four sentences, the most useful first; nothing if all is well.

    Commands have the file and the options that the report was made with.
    """
    return [*_steps(report)][:MOST]


def _steps(report: Report) -> Iterator[str]:
    if report.status == "cancelled":
        yield f"The benchmark was cancelled: `{command(report, 'run', '--resume')}` resumes it."
    yield from _failed(report)
    yield from _leaked(report)
    yield from _unjudged(report)
    more = [*_queries(report)]
    yield from more
    yield from _untimed(report)
    yield from filter(None, [busy(report)])
    yield from _idle(report)
    if not more:
        yield from _raced(report)


def _failed(report: Report) -> Iterator[str]:
    """Retry what failed: a query scores 0, and a run that failed as a whole is not compared."""
    show = f"`assay show {report.id[:8]} --run NAME` shows why, " if report.id else ""
    again = command(report, "run", "--resume", "--retry-failed")
    gone = [run.name for run in report.runs if run.status == "failed"]
    if gone:
        each = "it" if len(gone) == 1 else "them"
        yield f"{list_runs(report, gone)} failed: {show}`{again}` retries {each}."
    lost = [run for run in report.runs if run.status != "failed" and run.failed]
    if lost:
        count = len({query for run in lost for query in run.failed})
        failed = count_noun(count, "query failed and scores 0", "queries failed and score 0")
        yield (
            f"{failed} in {list_runs(report, [run.name for run in lost])}: {show}"
            f"`{again}` retries {'it' if count == 1 else 'them'}."
        )


def _leaked(report: Report) -> Iterator[str]:
    found = report.analysis.get("leaked") or {}
    if found.get("changes_winner"):
        many = count_noun(found["queries"], "query occurs", "queries occur")
        them = "it" if found["queries"] == 1 else "them"
        yield (
            f"{many} verbatim in a relevant document, and another run scores best without {them}: "
            f"reword {them}, then run `{command(report)}`."
        )


def _unjudged(report: Report) -> Iterator[str]:
    """Ask for the grades that comparisons depend on, where many are missing or a gain needs it."""
    judged, compared = report.truth.get("judged@10"), report.comparisons
    if judged is None or compared is None:
        return
    if judged < JUDGED:
        yield (
            f"{1 - judged:.0%} of the top 10 results are unjudged and count as not relevant: "
            f"`{command(report, 'judge')}` asks for the grades that matter most."
        )
        return
    alpha = float(compared.settings.get("alpha", 0.05))
    held = [one.run for one in compared.candidates if _is_held(one, compared.primary, alpha)]
    if held:
        yield (
            f"Unjudged documents could reverse the difference of {list_runs(report, held)}: "
            f"`{command(report, 'judge')}` asks for their grades."
        )


def _is_held(one: Candidate, primary: str, alpha: float) -> bool:
    """Tell whether a difference is significant that unjudged documents put in doubt."""
    if one.verdict.rule:
        return one.verdict.rule == "judge"
    found = one.metrics[primary]
    shown = found.difference > 0 and found.p_corrected < alpha
    return one.verdict.outcome == "hold" and shown


def _queries(report: Report) -> Iterator[str]:
    """Count the queries that would make the largest gain significant that is not yet."""
    compared = report.comparisons
    if compared is None:
        return
    gains = {one.run: one.metrics[compared.primary].difference for one in compared.candidates}
    shown = [gains[one.run] for one in compared.candidates if one.verdict.outcome == "ship"]
    open_ = [one for one in compared.candidates if one.verdict.queries_to_show]
    best = max(open_, key=lambda one: gains[one.run], default=None)
    if best is None or gains[best.run] <= max(shown, default=0.0):
        return
    count = best.verdict.queries_to_show or 0
    if count > PRACTICAL:
        return
    yield (
        f"About {count_noun(count, 'more query', 'more queries')} would make the gain of "
        f"{run_label(report, best.run)} over {run_label(report, compared.baseline)} significant, "
        f"if it is as large as observed ({gains[best.run]:+.3f} {compared.primary}): add "
        f"{'it' if count == 1 else 'them'} to {searched(report)}, then run `{command(report)}`."
    )


def _untimed(report: Report) -> Iterator[str]:
    budgets = [name for name in report.benchmark.get("budgets") or {} if name.startswith("latency")]
    if budgets and not any("p50" in run.latency_ms for run in report.runs):
        are = "was" if len(budgets) == 1 else "were"
        yield (
            f"{' and '.join(budgets)} {are} not checked, since nothing was timed: run "
            f"`{command(report)}` without --untimed."
        )


def _idle(report: Report) -> Iterator[str]:
    """Name the settings of which all values score the same, query by query."""
    found = [one for one in report.analysis.get("main_effects") or () if _is_idle(one)]
    if found:
        named = " and ".join(f"{one['parameter']} ({values_of(one)})" for one in found)
        have, each = ("have", " of each") if len(found) > 1 else ("has", "")
        yield (
            f"{named} {have} no effect on {report.benchmark['primary']}: keep one value{each}, and "
            f"`{command(report)}` takes less time."
        )


def _is_idle(one: Mapping[str, Any]) -> bool:
    """Tell whether all effects are 0; where a race stopped runs, one may not be."""
    effects = () if one.get("stopped") else one.get("effects") or ()
    return bool(effects) and all(
        max(map(abs, (each["difference"], *(each["ci"] or (1.0,))))) <= SAME for each in effects
    )


def _raced(report: Report) -> Iterator[str]:
    """Say what to do where a race leaves several runs that are not significantly different."""
    compared = report.comparisons
    if compared is None or not report.race.get("beaten") or len(compared.best_set) < 2:
        return
    yield (
        f"{len(compared.best_set)} runs are not significantly different after the race over "
        f"{compared.queries:,} queries: take the pick, or add queries to {searched(report)} and "
        f"run `{command(report, 'run', '--race')}`."
    )
