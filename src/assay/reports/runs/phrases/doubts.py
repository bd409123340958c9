"""Doubts: what else a reader must know before shipping, each in a sentence."""

from collections.abc import Callable

from assay.records import Candidate, Report, Verdict
from assay.reports.comparisons.decisions import heading
from assay.reports.runs.phrases.answer_lines import run_name
from assay.reports.runs.phrases.race_bound import race_bound
from assay.reports.runs.phrases.run_label import label_runs, list_runs
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.text.count_noun import count_noun
from assay.text.figures import difference_text
from assay.text.join_list import join_list

__all__ = ["doubts", "open_verdicts"]

NAMED = 8  # runs that a sentence names
Naming = Callable[[Report, str], str]


def doubts(report: Report, *, name: Naming = run_name) -> list[str]:
    """Write which runs may be as good, what the queries can show, and what limits all of it."""
    told = [_best_set(report, name), _power(report), _other_pick(report, name), race_bound(report)]
    return [*filter(None, told)]


def open_verdicts(report: Report, *, most: int) -> list[str]:
    """Explain each verdict other than a plain SHIP; nothing where there are more than ``most``."""
    compared = report.comparisons.candidates if report.comparisons else ()
    found = {one.run: one.verdict for one in compared}
    found |= {run: one for run, one in report.uncompared.items() if one.rule != "raced"}
    told = {run: one for run, one in found.items() if not _is_plain(one)}
    if len(told) > most:
        return []
    return [
        f"{run_name(report, run)}: {heading(one.outcome, one.queries_needed)}. "
        f"{label_runs(report, one.reason)}"
        for run, one in told.items()
    ]


def _is_plain(one: Verdict) -> bool:
    """Tell whether the table says all about a verdict: a gain that ships."""
    return one.outcome == "ship" and one.rule != "noninferior"


def _best_set(report: Report, name: Naming) -> str:
    """Name the runs that are not significantly different from the best."""
    compared, winner = report.comparisons, report.winner
    if compared is None or not winner:
        return ""
    best = str(winner.get("best"))
    if best == compared.baseline:
        return label_runs(report, str(winner.get("sentence") or ""))
    others = [str(one) for one in winner.get("best_set") or () if one != best]
    if not others:
        return ""
    names = join_list([name(report, one) for one in others], most=NAMED)
    if is_numbered([run.name for run in report.runs]):
        names = list_runs(report, others)
    return f"Not significantly different from the best ({name(report, best)}): {names}."


def _power(report: Report) -> str:
    """Say which difference these queries could show, and what is left of the best gain."""
    best = _best(report)
    if best is None or report.comparisons is None:
        return ""
    found = best.metrics[report.comparisons.primary]
    queries, least = count_noun(found.queries, "query"), found.smallest_detectable
    told = []
    if least < float("inf"):
        told.append(f"Minimum detectable difference with {queries}: {least:.3f}.")
    gain = report.winner.get("corrected_gain")
    if gain is not None and found.difference > 0:
        expected = difference_text(max(float(gain), 0.0))
        how = " (winner's-curse corrected)" if len(report.comparisons.candidates) > 1 else ""
        told.append(f"Expected gain on new queries: {expected}{how}.")
    return " ".join(told)


def _best(report: Report) -> Candidate | None:
    """Return the candidate with the highest score."""
    compared = report.comparisons
    candidates = compared.candidates if compared else ()
    return next((one for one in candidates if compared and one.run == compared.best), None)


def _other_pick(report: Report, name: Naming) -> str:
    """Name the pick that is not known to keep the budgets, where another one is."""
    pick, within = (report.recommendations.get(key) for key in ("pick", "pick_within_budgets"))
    if not pick or not within or None in (pick.get("run"), within.get("run")):
        return ""
    if pick["run"] == within["run"]:
        return ""
    run, reason = name(report, str(pick["run"])), label_runs(report, str(pick["reason"]))
    return f"If its budgets are confirmed, take {run}: {reason.rstrip('.')}."
