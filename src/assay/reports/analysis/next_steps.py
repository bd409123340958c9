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
JUDGED = 0.8  # of the first ten: with less, scores say as much of the judgments as of the search
SAME = 1e-12  # what rounding alone can do to a mean


def next_steps(report: Report) -> list[str]:
    """Say what to do next, at most four sentences, the most useful first; nothing if all is well.

    Its commands are those that the report was asked for with.
    """
    return [*_steps(report)][:MOST]


def _steps(report: Report) -> Iterator[str]:
    if report.status == "cancelled":
        yield f"It was stopped before its end: `{command(report, 'run', '--resume')}` goes on."
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
    """Ask again what failed: a query counts 0, and a run that came to nothing is not compared."""
    show = f"`assay show {report.id[:8]} --run NAME` says why, " if report.id else ""
    again = command(report, "run", "--resume", "--retry-failed")
    gone = [run.name for run in report.runs if run.status == "failed"]
    if gone:
        each = "it" if len(gone) == 1 else "them"
        yield f"{list_runs(report, gone)} failed: {show}`{again}` tries {each} again."
    lost = [run.name for run in report.runs if run.status != "failed" and run.failed]
    if lost:
        yield (
            f"Queries failed, and count 0, in {list_runs(report, lost)}: {show}"
            f"`{again}` asks them again."
        )


def _leaked(report: Report) -> Iterator[str]:
    found = report.analysis.get("leaked") or {}
    if found.get("changes_winner"):
        one = found["queries"] == 1
        which = "the query" if one else f"the {found['queries']:,} queries"
        yield (
            f"Without {which} that {'stands' if one else 'stand'} word for word in a right document"
            f" another run is the best: reword {'it' if one else 'them'}, then `{command(report)}`."
        )


def _unjudged(report: Report) -> Iterator[str]:
    """Have the grades given that comparisons hang on, where many are missing or a gain needs it."""
    judged, compared = report.truth.get("judged@10"), report.comparisons
    if judged is None or compared is None:
        return
    if judged < JUDGED:
        yield (
            f"{1 - judged:.0%} of the first 10 results were never judged, and count as not "
            f"relevant: `{command(report, 'judge')}` asks for the grades that matter most."
        )
        return
    alpha = float(compared.settings.get("alpha", 0.05))
    held = [one.run for one in compared.candidates if _is_held(one, compared.primary, alpha)]
    if held:
        yield (
            f"The difference of {list_runs(report, held)} could be turned by documents that were "
            f"never judged: `{command(report, 'judge')}` asks for their grades."
        )


def _is_held(one: Candidate, primary: str, alpha: float) -> bool:
    """Tell whether a difference is shown that unjudged documents put in doubt."""
    if one.verdict.rule:
        return one.verdict.rule == "judge"
    found = one.metrics[primary]
    shown = found.difference > 0 and found.p_corrected < alpha
    return one.verdict.outcome == "hold" and shown


def _queries(report: Report) -> Iterator[str]:
    """Count the queries that would show the gain of the best candidate that is not shown yet."""
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
    yield (
        f"About {count_noun(count, 'more query')} would show the gain of "
        f"{run_label(report, best.run)} over {run_label(report, compared.baseline)}, "
        f"{gains[best.run]:+.3f} {compared.primary}, if it is as large as it looks"
        f": add them to {searched(report)}, then `{command(report)}`."
    )


def _untimed(report: Report) -> Iterator[str]:
    budgets = [name for name in report.benchmark.get("budgets") or {} if name.startswith("latency")]
    if budgets and not any("p50" in run.latency_ms for run in report.runs):
        yield (
            f"Nothing was timed, so that {' and '.join(budgets)} "
            f"{'is' if len(budgets) == 1 else 'are'} not checked: `{command(report)}`, without "
            "--untimed, measures that."
        )


def _idle(report: Report) -> Iterator[str]:
    """Name the settings of which all values score the same, query by query."""
    found = [one for one in report.analysis.get("main_effects") or () if _is_idle(one)]
    if found:
        named = " and ".join(f"{one['parameter']} ({values_of(one)})" for one in found)
        do, each = ("do", "each") if len(found) > 1 else ("does", "it")
        yield (
            f"{named} {do} not change {report.benchmark['primary']} at all: keep one value of "
            f"{each}, and `{command(report)}` has less to do."
        )


def _is_idle(one: Mapping[str, Any]) -> bool:
    """Tell whether no effect is any; what a race left untold may have one."""
    effects = () if one.get("stopped") else one.get("effects") or ()
    return bool(effects) and all(
        max(map(abs, (each["difference"], *(each["ci"] or (1.0,))))) <= SAME for each in effects
    )


def _raced(report: Report) -> Iterator[str]:
    """Say how to go on where a race leaves several that are alike."""
    compared = report.comparisons
    if compared is None or not report.race.get("beaten") or len(compared.best_set) < 2:
        return
    yield (
        f"The race left {len(compared.best_set)} runs that {compared.queries:,} queries cannot "
        f"tell apart: take the pick, or add queries to {searched(report)}, then "
        f"`{command(report, 'run', '--race')}`."
    )
