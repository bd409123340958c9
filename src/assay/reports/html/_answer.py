"""Answer: which run to take, how sure that is, and what was decided about it."""

from collections.abc import Mapping
from typing import Any

from assay.records import Candidate, Report, Run
from assay.reports.comparisons.decisions import heading
from assay.reports.runs.phrases.picks import runner_up
from assay.reports.runs.phrases.race_bound import race_bound
from assay.reports.runs.phrases.run_label import run_label
from assay.text.count_noun import count_noun

__all__ = ["answer", "ended", "to_show"]


SEEN = "would show a gain as large as the one seen"


def answer(report: Report) -> dict[str, Any]:
    """Return the pick, or the only run, with the sentence that says why."""
    picks = report.recommendations
    pick, within = picks.get("pick"), picks.get("pick_within_budgets")
    kept = isinstance(within, Mapping) and within.get("run") is not None
    pick = within if kept or pick is None else pick
    done = [run for run in report.runs if run.status == "completed"]
    if isinstance(pick, Mapping) and len(report.runs) > 1 and done:
        return _picked(report, pick, within=pick is within)
    if len(done) == 1:
        at = _at(report, done)
        return _told("Measured", run=done[0].name, number=at, bound=race_bound(report))
    return _unpicked(report, done)


def ended(text: str) -> str:
    """End with a full stop."""
    return text if not text or text[-1] in ".!?" else f"{text}."


def to_show(one: Candidate, primary: str) -> str:
    """Say how many more queries would show the gain that is seen; nothing where there is none."""
    count, found = one.verdict.queries_to_show, one.metrics.get(primary)
    if not count or found is None or found.difference <= 0:
        return ""
    return f"{count_noun(count, 'more query')} {SEEN}"


def _told(label: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - what a template takes
    nothing = {"run": None, "number": 0, "reason": "", "verdict": None}
    nothing |= {"beside": "", "bound": ""}
    return {**nothing, "label": label, **more}


def _picked(report: Report, pick: Mapping[str, Any], *, within: bool) -> dict[str, Any]:
    """Tell the pick with its own verdict, what to ship until it is proven, and its runner-up."""
    chosen = [run for run in report.runs if run.name == pick.get("run")]
    candidate = _candidate(report, pick.get("run"))
    label = ("Pick" if pick.get("sure", True) else "Leading") if chosen else "No pick"
    return _told(
        label + " within the budgets" * within,
        run=pick.get("run"),
        number=_at(report, chosen),
        reason=ended(str(pick.get("reason") or "")),
        verdict=_verdict(report, candidate) if candidate else _base(report, pick.get("run")),
        beside=_beside(report, pick) if chosen else "",
        bound=race_bound(report),
    )


def _beside(report: Report, pick: Mapping[str, Any]) -> str:
    """Say what to ship until the pick is proven, and which run is next."""
    other, second = pick.get("meanwhile"), runner_up(report, pick)
    known = other and other != pick["run"]
    advice = f"; ship {run_label(report, str(other))} meanwhile" if known else ""
    told = [] if pick.get("sure", True) else [f"Not yet proven{advice}."]
    return " ".join([*told, *([f"Runner-up: {second}."] if second else [])])


def _candidate(report: Report, name: object) -> Candidate | None:
    candidates = report.comparisons.candidates if report.comparisons else ()
    return next((one for one in candidates if one.run == name), None)


def _verdict(report: Report, one: Candidate) -> dict[str, Any]:
    """Return what was decided about the pick itself, and what it gains on the baseline."""
    compared = report.comparisons
    found = one.metrics.get(compared.primary) if compared else None
    gain = f"{found.difference:+.4f} {found.metric}" if found else ""
    if found and abs(found.interval.low) < float("inf") > abs(found.interval.high):
        gain += f" [{found.interval.low:+.3f}, {found.interval.high:+.3f}]"
    return {
        "outcome": one.verdict.outcome,
        "shout": heading(one.verdict.outcome, one.verdict.queries_needed),
        "gain": gain,
        "to_show": to_show(one, compared.primary) if compared else "",
        "baseline": compared.baseline if compared else "",
        "against": _at(report, [run for run in report.runs if compared.baseline == run.name])
        if compared
        else 0,
    }


def _base(report: Report, name: object) -> dict[str, Any] | None:
    """Return that the pick is the baseline itself: nothing changes."""
    compared = report.comparisons
    if name != (compared.baseline if compared else report.benchmark.get("baseline")):
        return None
    return {"outcome": "baseline", "shout": "baseline", "gain": "", "to_show": ""}


def _unpicked(report: Report, done: list[Run]) -> dict[str, Any]:
    """Tell who scores best, where nobody recommended a run."""
    if report.comparisons is None:
        none = "No run was completed." if not done else "The runs were not compared."
        return _told("Result", reason=none)
    best = [run for run in done if run.name == report.comparisons.best]
    primary = report.comparisons.primary
    scores = [f"{primary} {run.scores[primary]:.4f}." for run in best if primary in run.scores]
    return _told(
        "Scores best",
        run=report.comparisons.best,
        number=_at(report, best),
        reason="".join(scores),
        bound=race_bound(report),
    )


def _at(report: Report, found: list[Run]) -> int:
    """Count runs from 1; 0 is none."""
    return report.runs.index(found[0]) + 1 if found else 0
