"""Next steps: what to do with a report that leaves questions open, each with its command."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.records import Candidate, Comparisons, Report
from assay.records.command import UNKNOWN, command, searched
from assay.records.skipped_files import plain_reason
from assay.reports.analysis._settings import values_of
from assay.reports.analysis.busy import busy
from assay.reports.runs.phrases.run_label import list_runs, run_label
from assay.text.count_noun import count_noun
from assay.text.join_list import join_names
from assay.text.quote import quote, quote_line

__all__ = ["next_steps"]

MOST = 4
JUDGED = 0.8  # of the top 10: with less, scores say as much of the judgments as of the search
SAME = 1e-12  # what rounding alone can do to a mean
PRACTICAL = 9_999  # queries that anybody would add
BARE = 0.05  # of the queries without a relevant document: from there on it is a mistake
FEWEST = 10  # queries: fewer decide nothing
OPEN = {"no_gain", "too_many_queries"}  # rules that more queries could change


def next_steps(report: Report) -> list[str]:
    """Say what to do next, at most four sentences, the most useful first; nothing if all is well.

    Commands have the file and the options that the report was made with.
    """
    return [*_steps(report)][:MOST]


def _steps(report: Report) -> Iterator[str]:
    if report.benchmark.get("scored") is False:
        yield from _unscored(report)
        return
    if report.status == "cancelled":
        yield f"The benchmark was cancelled: `{command(report, 'run', '--resume')}` resumes it."
    yield from _failed(report)
    yield from _leaked(report)
    yield from _unresolved(report)
    yield from _without_relevant(report)
    yield from (few := [*_few(report)])
    yield from _unjudged(report)
    yield from (more := [*_queries(report)])
    yield from _untimed(report)
    yield from filter(None, [busy(report)])
    yield from _idle(report)
    if not few and not more:
        yield from _raced(report)


def _unscored(report: Report) -> Iterator[str]:
    """Name the command that shows what a diff recorded: there are no scores."""
    place = report.id[:8] or "REPORT"
    yield (
        f"No query is judged: `assay diff {place}` shows what changed, and with --to-judge FILE it "
        "draws the queries to judge."
    )
    if lost := len({query for run in report.runs for query in run.failed}):
        them, failed = ("it", "query") if lost == 1 else ("them", "queries")
        yield (
            f"{lost:,} {failed} failed: `assay show {place} --run NAME` shows why, the same `assay "
            f"diff` with --resume --retry-failed retries {them}."
        )


def _failed(report: Report) -> Iterator[str]:
    """Retry what failed: a query scores 0, and a run that failed as a whole is not compared."""
    fixed, again = command(report, "run"), command(report, "run", "--resume", "--retry-failed")
    then = f"correct the cause and run `{fixed}`; if it was temporary, `{again}` retries"
    gone = [run.name for run in report.runs if run.status == "failed"]
    if gone:
        each = "it" if len(gone) == 1 else "them"
        why = _why([run.error for run in report.runs if run.status == "failed"])
        yield f"{list_runs(report, gone)} failed{why}: {then} {each}."
    lost = [run for run in report.runs if run.status != "failed" and run.failed]
    if lost:
        count = len({query for run in lost for query in run.failed})
        failed = count_noun(count, "query failed and scores 0", "queries failed and score 0")
        where = list_runs(report, [run.name for run in lost])
        why = _why([reason for run in lost for reason in run.failed.values()])
        yield f"{failed} in {where}{why}: {then} {'it' if count == 1 else 'them'}."


def _why(reasons: Sequence[str]) -> str:
    """Quote the most frequent reason."""
    known = Counter(filter(None, reasons)).most_common(1)
    return f" ({quote_line(known[0][0])})" if known else ""


def _leaked(report: Report) -> Iterator[str]:
    found = report.analysis.get("leaked") or {}
    if found.get("changes_winner"):
        many = count_noun(found["queries"], "query occurs", "queries occur")
        them = "it" if found["queries"] == 1 else "them"
        yield (
            f"{many} verbatim in a relevant document, and another run scores best without {them}: "
            f"reword {them}, then run `{command(report)}`."
        )


def _unresolved(report: Report) -> Iterator[str]:
    """Name the first reference that is not found: it counts as missed in every run."""
    lost = report.truth.get("unresolved") or ()
    if not lost:
        return
    count = report.truth["total"] - report.truth["resolved"]
    first, near = lost[0], lost[0]["candidates"]
    many = count_noun(count, "reference is", "references are")
    miss = "counts as missed" if count == 1 else "count as missed"
    what = "ambiguous" if first["reason"] == "ambiguous" else _why_missing(report, first)
    known = f"; did you mean {quote(near[0])}?" if near and what != "ambiguous" else ""
    known = f"; candidates: {join_names(near, most=3)}" if near and what == "ambiguous" else known
    eg = "" if count == 1 else "e.g. "
    yield (
        f"{many} unresolved and {miss}: {eg}{first['reference']} of query "
        f"{quote_line(first['query'])} is {what}{known}"
    )


def _why_missing(report: Report, lost: Mapping[str, Any]) -> str:
    """Tell a file that could not be read from one that is not there."""
    corpora = [report.corpus, *(report.corpus.get("collections") or {}).values()]
    unread = {path: why for one in corpora for path, why in (one.get("unread") or {}).items()}
    why = next((why for path, why in unread.items() if f'"{path}"' in lost["reference"]), "")
    return f"a file that could not be read ({plain_reason(why)})" if why else "not in the corpus"


def _without_relevant(report: Report) -> Iterator[str]:
    """Name what lowers every score: queries that nothing is relevant to."""
    bare = report.truth.get("without_relevant") or 0
    queries = int(report.dataset.get("queries") or 0)
    if bare and bare >= BARE * queries:
        have, them = ("has", "it") if bare == 1 else ("have", "them")
        yield (
            f"{bare:,} of {count_noun(queries, 'query')} {have} no relevant document, so every run "
            f"scores 0 on {them}: name the files that answer {them} in {searched(report)}, or "
            f"remove {them}, then run `{command(report)}`."
        )


def _few(report: Report) -> Iterator[str]:
    """Ask for queries where there are too few of them for any decision or for small gains."""
    compared = report.comparisons
    if compared is None or not compared.candidates:
        return
    rules = {one.verdict.rule for one in compared.candidates}
    more = f"to {searched(report)}, then run `{command(report)}`."
    if rules == {"too_few"}:
        missing = FEWEST - compared.queries
        yield f"A verdict needs at least {FEWEST} queries: add {missing} or more {more}"
    elif rules <= OPEN:
        best = max(compared.candidates, key=lambda one: one.metrics[compared.primary].difference)
        least = best.metrics[compared.primary].smallest_detectable
        queries = count_noun(compared.queries, "query")
        score = best.metrics[compared.primary].baseline
        if 1 - score < least and score <= 1:
            name = run_label(report, compared.baseline)
            yield (
                f"{name} already scores {score:.3f} {compared.primary}; {queries} can only detect "
                f"gains of at least {least:.3f}, which is more than can be gained: add more and "
                f"harder queries {more}"
            )
        elif 0 < least < 1:
            yield (
                f"No gain is significant; {queries} can detect gains of at least {least:.3f}: add "
                f"queries {more}"
            )


def _unjudged(report: Report) -> Iterator[str]:
    """Ask for the grades that comparisons depend on, where many are missing or a gain needs it."""
    judged, compared = report.truth.get("judged@10"), report.comparisons
    if judged is None or compared is None:
        return
    alpha = float(compared.settings.get("alpha", 0.05))
    held = [one.run for one in compared.candidates if _is_held(one, compared.primary, alpha)]
    unit = report.benchmark.get("unit", "document")
    judge = command(report, "judge")
    grade = f"`{judge}` asks for the grades that decide."
    if judge.split()[-1] == UNKNOWN:
        grade = f"`{judge}`, with a benchmark file of this dataset and corpus, asks for the grades."
    if unit != "document":
        grade = (
            f"add judgments with lines or symbols of more {unit}s that runs return (`assay show "
        )
        grade += "--query KEY` lists them) to the dataset; `assay judge` grades documents."
    if held:
        zero = command(report, "run", "--unjudged", "zero")
        yield (
            f"Grades of unjudged {unit}s ({1 - judged:.0%} of the top 10) could reverse the "
            f"difference of {list_runs(report, held)}: {grade} If the dataset lists every relevant "
            f"{unit}, `{zero}` decides without them."
        )
    elif judged < JUDGED and _could_change(compared) and not _counts_as_zero(report):
        many = f"{1 - judged:.0%} of the top 10 results are unjudged"
        yield f"{many}; scores count them as not relevant: {grade}"


def _could_change(compared: Comparisons) -> bool:
    """Tell whether grades of unjudged documents could reverse any comparison."""
    bounds = [one.metrics[compared.primary].holes for one in compared.candidates]
    known = any(one is None or one[0] <= 0 <= one[1] for one in bounds)
    return bool(compared.judge_next) and known


def _counts_as_zero(report: Report) -> bool:
    """Tell whether the user said that unjudged documents are not relevant."""
    return report.benchmark.get("unjudged") == "zero"


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
    alike = " and their weights are as unequal" if report.dataset.get("weights") else ""
    yield (
        f"About {count_noun(count, 'more query', 'more queries')} would make the gain of "
        f"{run_label(report, best.run)} over {run_label(report, compared.baseline)} significant, "
        f"if it is as large as observed ({gains[best.run]:+.3f} {compared.primary}){alike}: add "
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
