"""Answer: which run to ship, how much it gains, why, and what its runner-up costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.records import Candidate, Report, Run
from assay.records.times import incomparable
from assay.records.verdict import OUTCOMES
from assay.text.count_noun import count_noun
from assay.text.figures import difference_text, interval_text, p_text
from assay.text.quote import quote

__all__ = ["INDEX", "Answer", "RunnerUp", "answer", "cost_changes"]

PICKS = ("pick", "pick_within_budgets")
ONLY = "only run"  # the reason of a pick that has no rival
UNFAIR = "not compared"  # times of a busy machine, or of different loads
INDEX = "index"  # the title of bytes per document, whose unit says as much


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The next run to consider, and how it differs from the one to ship.

    ``costs`` are triples of a title, a value and its change, "" where that cannot be compared.
    """

    run: str
    score: str
    change: str
    significance: str
    costs: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What to ship. ``run`` is "" where nothing can be recommended.

    ``status`` is one word about it (SHIP, KEEP, PICK, LEADING, MEASURED, NO PICK), ``outcome`` its
    verdict, ``gain`` its difference to the baseline with the interval, ``evidence`` the p value and
    the number of queries, ``advice`` what to ship until it is proven, ``scope`` "within the
    budgets" where only runs that keep them were considered.
    """

    status: str
    run: str = ""
    outcome: str = ""
    metric: str = ""
    score: str = ""
    baseline: str = ""
    gain: str = ""
    interval: str = ""
    evidence: str = ""
    advice: str = ""
    reason: str = ""
    scope: str = ""
    runner_up: RunnerUp | None = None


def answer(report: Report) -> Answer:
    """Find what to ship: the pick, the only run that was measured, or nothing and why."""
    done = [run for run in report.runs if run.status == "completed"]
    pick, within = (_mapping(report.recommendations.get(key)) for key in PICKS)
    if len(report.runs) > 1 and done and (pick or within):
        kept = within is not None and within.get("run") is not None
        chosen = within if kept or pick is None else pick
        return _recommended(report, chosen or {}, within=chosen is within)
    if len(done) == 1:
        return _only(report, done[0])
    return Answer("NO PICK", reason=_no_pick(report, done))


def _no_pick(report: Report, done: Sequence[Run]) -> str:
    """Say why nothing is recommended; an old report may have compared runs all the same."""
    compared = report.comparisons
    if not done or compared is None:
        return "No run completed." if not done else "No runs were compared."
    scores = {run.name: run.scores.get(compared.primary) for run in done}
    score = scores.get(compared.best)
    best = f"{quote(compared.best)} has the highest {compared.primary}"
    return f"This report has no recommendation; {best}" + (f" ({score:.3f})." if score else ".")


def _recommended(report: Report, pick: Mapping[str, Any], *, within: bool) -> Answer:
    """Lay out the pick, or why there is none."""
    scope = "within the budgets" if within else ""
    reason = _sentence(str(pick.get("reason") or ""))
    run = next((one for one in report.runs if one.name == pick.get("run")), None)
    if run is None:
        return Answer("NO PICK", reason=reason, scope=scope)
    candidate = _candidate(report, run.name)
    return Answer(
        _status(report, pick, candidate),
        run.name,
        candidate.verdict.outcome if candidate else "",
        advice=_advice(pick),
        reason=reason,
        scope=scope,
        runner_up=_runner_up(report, pick, run),
        **_figures(report, run, candidate),
    )


def _only(report: Report, run: Run) -> Answer:
    """Lay out the only run that completed, with which nothing can be compared."""
    others, pick = len(report.runs) > 1, _mapping(report.recommendations.get("pick")) or {}
    why = "the only run that completed" if others else "a single run: nothing to compare with"
    if not pick.get("sure", True) or (pick.get("reason") or ONLY) != ONLY:  # of its budgets
        why = str(pick["reason"])
    return Answer("MEASURED", run.name, reason=_sentence(why), **_figures(report, run, None))


def _status(report: Report, pick: Mapping[str, Any], candidate: Candidate | None) -> str:
    """Say in a word what to do with the pick."""
    shipped = candidate is not None and candidate.verdict.outcome == "ship"
    if shipped or candidate is not None or not pick.get("sure", True):
        return OUTCOMES["ship"] if shipped else "LEADING"
    compared = report.comparisons
    baseline = compared.baseline if compared else report.benchmark.get("baseline")
    return "KEEP" if baseline == pick.get("run") else "PICK"


def _advice(pick: Mapping[str, Any]) -> str:
    """Say what to ship until the pick is proven."""
    if pick.get("sure", True):
        return ""
    other = pick.get("meanwhile")
    known = other and other != pick.get("run")
    return f"ship {quote(str(other))} meanwhile" if known else ""


def _figures(report: Report, run: Run, candidate: Candidate | None) -> dict[str, Any]:
    """Write the score, and the gain over the baseline with all that says how sure it is."""
    metric = str(report.benchmark.get("primary") or "")
    score = run.scores.get(metric)
    queries = report.dataset.get("queries") or len(run.per_query)
    told = {
        "metric": metric,
        "score": "" if score is None else f"{score:.3f}",
        "interval": _of_mean(run, metric),
        "evidence": count_noun(int(queries), "query") if queries else "",
    }
    found = candidate.metrics.get(metric) if candidate else None
    if found is None or report.comparisons is None:
        return told
    ends = found.interval
    finite = abs(ends.low) < float("inf") > abs(ends.high)
    return told | {
        "baseline": report.comparisons.baseline,
        "gain": difference_text(found.difference),
        "interval": f"95% CI {interval_text(ends.low, ends.high)}" if finite else "",
        "evidence": f"{p_text(found.p_corrected)}, {count_noun(found.queries, 'query')}",
    }


def _of_mean(run: Run, metric: str) -> str:
    found = run.intervals.get(metric)
    if found is None or abs(found.high) == float("inf"):
        return ""
    return f"95% CI {found.low:.3f} to {found.high:.3f}"


def _runner_up(report: Report, pick: Mapping[str, Any], first: Run) -> RunnerUp | None:
    """Describe the next eligible run, with what it gains or loses and costs against the pick."""
    found = _mapping(pick.get("runner_up"))
    next_ = next((one for one in report.runs if found and one.name == found.get("run")), None)
    if found is None or next_ is None:
        return None
    by, gap = str(pick.get("by")), found.get("difference")
    known = isinstance(gap, int | float) and by in next_.scores
    return RunnerUp(
        next_.name,
        f"{next_.scores[by]:.3f}" if known else "",
        difference_text(float(gap or 0.0)) if known else "",
        _significance(pick, next_.name) if known and gap else "",
        tuple(cost_changes(first, next_)),
    )


def _significance(pick: Mapping[str, Any], runner_up: str) -> str:
    known = _mapping(pick.get("uncertainty")) or {}
    if known.get("runner_up") != runner_up or known.get("told_apart") is None:
        return ""
    return "significant" if known["told_apart"] else "not significant"


def cost_changes(first: Run, next_: Run) -> list[tuple[str, str, str]]:
    """Say what a run costs beside another: triples of a title, a value and the change of it.

    A change in time is given only where both times may be compared.
    """
    told, pair = [], (first, next_)
    ours, theirs = (run.latency_ms.get("p95") for run in pair)
    if theirs is not None:
        fair = ours is not None and not incomparable(pair)
        change = f"{theirs - ours:+,.1f} ms" if fair else "" if ours is None else UNFAIR
        told.append(("p95", f"{theirs:,.1f} ms", change))
    before, after = (run.storage.get("bytes_per_document") for run in pair)
    if after is not None:
        change = f"{after / before - 1:+.0%}" if before else ""
        told.append((INDEX, f"{after / 1000:,.1f} KB/doc", change.replace("+0%", "same")))
    return [(title, value, change.replace("-0%", "same")) for title, value, change in told]


def _candidate(report: Report, name: str) -> Candidate | None:
    candidates = report.comparisons.candidates if report.comparisons else ()
    return next((one for one in candidates if one.run == name), None)


def _mapping(value: object) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) else None


def _sentence(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    text = text.strip()
    if not text:
        return ""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text[-1] in ".!?" else ".")
