"""Doubts: what else a reader must know before shipping, each in a sentence."""

from collections.abc import Callable, Iterator, Sequence

from assay.records import Candidate, Report, Verdict
from assay.reports.comparisons.decisions import heading, reason_head
from assay.reports.runs.phrases.answer import INDEX, answer, cost_changes
from assay.reports.runs.phrases.answer_lines import run_name
from assay.reports.runs.phrases.race_bound import race_bound
from assay.reports.runs.phrases.run_label import label_runs, list_runs
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.text.count_noun import count_noun
from assay.text.figures import difference_text
from assay.text.join_list import join_list

__all__ = ["doubts", "open_verdicts"]

NAMED = 8  # runs that a sentence names
FEW = 3  # runs that a sentence names with their figures
DECIDES = "p (sign flips) decides; the CI (t) is"
SIZE = "KB/doc"  # the column of the table that has it
Naming = Callable[[Report, str], str]


def doubts(report: Report, *, name: Naming = run_name) -> list[str]:
    """Write which runs may be as good, what the queries can show, and what limits all of it."""
    told = [_failed_queries(report, name), _best_set(report, name), _power(report, name)]
    told += [_weights(report, name), *_disagreements(report, name), _other_pick(report, name)]
    return [*filter(None, [*told, *_structures(report, name), race_bound(report)])]


def open_verdicts(report: Report, *, most: int) -> list[str]:
    """Explain each verdict other than a plain SHIP; nothing where there are more than ``most``.

    Runs with the same verdict for the same reason share a sentence; the table has their figures.
    """
    compared = report.comparisons.candidates if report.comparisons else ()
    found = {one.run: one.verdict for one in compared}
    found |= {run: one for run, one in report.uncompared.items() if one.rule != "raced"}
    told = {run: one for run, one in found.items() if not _is_plain(one)}
    alike: dict[tuple[str, str], list[str]] = {}
    for run, one in told.items():
        shout = heading(one.outcome, one.queries_needed)
        alike.setdefault((shout, reason_head(one.reason)), []).append(run)
    if len(alike) > most:
        return []
    return [
        f"{_names(report, runs, run_name)}: {shout}. "
        + label_runs(report, told[runs[0]].reason if len(runs) == 1 else f"{head}.")
        for (shout, head), runs in alike.items()
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
    names = _names(report, others, lambda of, run: f"{name(of, run)}{_saved(of, run)}")
    return f"Not significantly different from the best, {name(report, best)}: {names}."


def _failed_queries(report: Report, name: Naming) -> str:
    """Say how many queries of the baseline failed, and what the gain is over the others."""
    runs, compared = {one.name: one for one in report.runs}, report.comparisons
    base = runs.get(compared.baseline) if compared else None
    if compared is None or base is None or not base.failed:
        return ""
    queries, metric = count_noun(len(base.per_query), "query"), compared.primary
    first = f"{len(base.failed):,} of {queries} of {name(report, base.name)} failed and count as 0."
    shipped = answer(report).run
    other = runs[shipped if shipped != base.name else compared.best]
    before, after = base.per_query, other.per_query
    failed = {*base.failed, *other.failed}
    both = [key for key in before if key in after and key not in failed]
    if other is base or not both:
        return first
    gain = sum(after[key][metric] - before[key][metric] for key in both) / len(both)
    where = f"On {count_noun(len(both), 'query')} that both answered"
    return f"{first} {where}, {name(report, other.name)} has {difference_text(gain)} {metric}."


def _saved(report: Report, run: str) -> str:
    """Say what a run saves beside the one to ship; the line of the runner-up says it of that."""
    found, runs = answer(report), {one.name: one for one in report.runs}
    told = found.runner_up is not None and found.runner_up.run == run
    if told or run == found.run or not {run, found.run} <= {*runs}:
        return ""
    changes = cost_changes(runs[found.run], runs[run])
    saved = [
        f"{SIZE if title == INDEX else title} {change}"
        for title, _, change in changes
        if change.startswith("-")
    ]
    return f" ({', '.join(saved)})" if saved else ""


def _names(report: Report, runs: Sequence[str], name: Naming) -> str:
    if is_numbered([run.name for run in report.runs]):
        return list_runs(report, runs)
    return join_list([name(report, one) for one in runs], most=NAMED)


def _structures(report: Report, name: Naming) -> list[str]:
    """Say what coherence changes, run by run; `assay show` says what its controls do."""
    found = [(name(report, run.name), run.structure) for run in report.runs]
    told = [(run, label_runs(report, one.verdict.partition(";")[0])) for run, one in found if one]
    return [f"{run}: {said.rstrip('.')}." for run, said in told]


def _power(report: Report, name: Naming) -> str:
    """Say which difference these queries could show, and what is left of the best gain.

    The queries are those of the run to ship. The gain is given only if that is the best run.
    """
    shipped = answer(report).run
    chosen = _candidate(report, shipped) or _best(report)
    if chosen is None or report.comparisons is None:
        return ""
    found = chosen.metrics[report.comparisons.primary]
    queries, least = count_noun(found.queries, "query"), found.smallest_detectable
    told = []
    if 0 < least < 1:  # scores do not differ by more
        base = name(report, report.comparisons.baseline)
        told.append(f"Minimum detectable difference from {base} with {queries}: {least:.3f}.")
    gain = report.winner.get("corrected_gain")
    of_best = chosen.run == shipped == report.comparisons.best
    if gain is not None and of_best and found.difference > 0:
        expected = difference_text(float(gain)) if gain > 0 else "none"
        how = " (winner's-curse corrected)" if len(report.comparisons.candidates) > 1 else ""
        told.append(f"Expected gain on new queries: {expected}{how}.")
    return " ".join(told)


def _weights(report: Report, name: Naming) -> str:
    """Say how unequal queries count, and which verdicts are others if they count the same."""
    about = report.dataset.get("weights") or _heaviest(report)
    if not about:
        return ""
    count = count_noun(int(report.dataset.get("queries") or 0), "query")
    heavy = f"the heaviest has {about['heaviest_share']:.0%}"
    first = f"Weighted by traffic: {count} count as {about['effective_queries']:.1f} ({heavy})."
    others = [
        f"{name(report, one.run)} {_unweighted(one, report)}"
        for one in (report.comparisons.candidates if report.comparisons else ())
        if one.unweighted is not None and one.unweighted.verdict.outcome != one.verdict.outcome
    ]
    if others:
        return f"{first} Every query counting the same: {join_list(others, most=FEW)}."
    same = " Unweighted, the verdicts are the same." if report.comparisons else ""
    return f"{first}{same}"


def _disagreements(report: Report, name: Naming) -> Iterator[str]:
    """Say which of the two decides where the test and the interval disagree.

    An interval that excludes 0 is not corrected for the number of candidates: the p before is told.
    """
    compared = report.comparisons
    if compared is None:
        return
    alpha = float(compared.settings.get("alpha", 0.05))
    found = [(one.run, one.metrics[compared.primary]) for one in compared.candidates]
    across = {run: one.interval.low <= 0 <= one.interval.high for run, one in found}
    wide = [run for run, one in found if across[run] and one.p_corrected < alpha]
    narrow = [run for run, one in found if not across[run] and one.p >= alpha]
    if wide:
        runs = _names(report, wide, name)
        what = f"The 95% CI of {runs} includes 0 although p is below {alpha:g}"
        yield f"{what}: {DECIDES} wider where few queries carry most of the difference."
    if narrow:
        runs = _names(report, narrow, name)
        what = f"The 95% CI of {runs} excludes 0 although p is not below {alpha:g}"
        yield f"{what}: {DECIDES} an approximation."


def _heaviest(report: Report) -> dict[str, float]:
    """Sum up what each of several datasets tells of its weights."""
    each = [one.get("weights") for one in (report.dataset.get("collections") or {}).values()]
    known = [one for one in each if one]
    if not known:
        return {}
    return {
        "effective_queries": sum(one["effective_queries"] for one in known),
        "heaviest_share": max(one["heaviest_share"] for one in known),
    }


def _unweighted(one: Candidate, report: Report) -> str:
    plain = one.unweighted
    if plain is None or report.comparisons is None:
        return ""
    shout = heading(plain.verdict.outcome, plain.verdict.queries_needed)
    gain = plain.metrics[report.comparisons.primary].difference
    return f"{shout} ({difference_text(gain)})"


def _best(report: Report) -> Candidate | None:
    """Return the candidate with the highest score."""
    return _candidate(report, report.comparisons.best) if report.comparisons else None


def _candidate(report: Report, name: str) -> Candidate | None:
    candidates = report.comparisons.candidates if report.comparisons else ()
    return next((one for one in candidates if one.run == name), None)


def _other_pick(report: Report, name: Naming) -> str:
    """Name the pick that is not known to keep the budgets, where another one is."""
    pick, within = (report.recommendations.get(key) for key in ("pick", "pick_within_budgets"))
    if not pick or not within or None in (pick.get("run"), within.get("run")):
        return ""
    if pick["run"] == within["run"]:
        return ""
    run, reason = name(report, str(pick["run"])), label_runs(report, str(pick["reason"]))
    what = f"ship {run}" if pick.get("sure", True) else f"{run} leads, not yet proven"
    return f"If its budgets are confirmed, {what}: {reason.rstrip('.')}."
