"""The comparisons of a report, from JSON."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.records import (
    Candidate,
    Change,
    Comparison,
    Comparisons,
    Evaluation,
    Floats,
    Run,
    ToJudge,
    Verdict,
)
from assay.reports.runs.json._from_json import interval, number

__all__ = ["read_comparisons", "read_uncompared"]

# What a report of the first days did not say, and was so.
SETTINGS: dict[str, str | int | float] = {"alpha": 0.05, "correction": "holm", "margin": 0.02}


def read_comparisons(value: Mapping[str, Any], runs: Sequence[Run]) -> Comparisons | None:
    """Return the comparisons; the scores of each query come out of the runs."""
    if not value["comparisons"]:
        return None
    told = value.get("compared") or _early(value, runs)
    best = told["best"]
    decided = value["verdicts"][: len(value["comparisons"])]
    rows = zip(value["comparisons"], decided, strict=True)
    if any(told["primary"] not in one["metrics"] for one in value["comparisons"]):
        raise LookupError(told["primary"])
    return Comparisons(
        baseline=told["baseline"],
        primary=told["primary"],
        queries=told["queries"],
        candidates=tuple(_candidate(one, verdict, told["queries"]) for one, verdict in rows),
        judge_next=tuple(
            ToJudge(one["query"], one["document"], one["influence"])
            for one in value.get("judge_next", ())
        ),
        best_set=tuple(value.get("best_set", ())),
        best=best["run"],
        observed_gain=best["observed_gain"],
        corrected_gain=best["corrected_gain"],
        evaluations=tuple(
            _evaluation(one, runs, value.get("queries", {})) for one in told["evaluations"]
        ),
        settings=told["settings"],
    )


def read_uncompared(value: Mapping[str, Any]) -> dict[str, Verdict]:
    """Return the verdicts on runs that could not be compared: they follow the others."""
    return {one["run"]: _verdict(one) for one in value["verdicts"][len(value["comparisons"]) :]}


def _early(value: Mapping[str, Any], runs: Sequence[Run]) -> dict[str, Any]:
    """Make up what is missing in a report that was written before it was said."""
    verdict = value["verdicts"][0]
    gains = {
        one["run"]: one["metrics"][verdict["primary"]]["difference"] for one in value["comparisons"]
    }
    best = max(gains, key=lambda name: gains[name])
    return {
        "baseline": verdict["baseline"],
        "primary": verdict["primary"],
        "queries": max(len(run.per_query) for run in runs),
        "best": {"run": best, "observed_gain": gains[best], "corrected_gain": None},
        "settings": SETTINGS,
        "evaluations": [],
    }


def _candidate(value: Mapping[str, Any], verdict: Mapping[str, Any], queries: int) -> Candidate:
    keys = ("query", "baseline", "candidate", "difference")
    plain = value.get("unweighted")
    found = Candidate(
        run=value["run"],
        metrics={name: _metric(name, one, queries) for name, one in value["metrics"].items()},
        verdict=_verdict(verdict),
        agreement=value["agreement"],
        changes=tuple(Change(**{key: one[key] for key in keys}) for one in value["changes"]),
    )
    if plain is None:
        return found
    metrics = {name: _metric(name, one, queries) for name, one in plain["metrics"].items()}
    unweighted = replace(found, metrics=metrics, verdict=_verdict(plain["verdict"]))
    return replace(found, unweighted=unweighted)


def _verdict(value: Mapping[str, Any]) -> Verdict:
    change = value.get("change", "")
    return Verdict(
        value["outcome"],
        value["reason"],
        value["queries_needed"],
        change,
        value.get("queries_to_show", _early_count(change)),
        value.get("rule", ""),
        value.get("queries_for_margin"),
    )


def _early_count(change: str) -> int | None:
    """Read out of a sentence what reports did not say in a number of its own.

    >>> _early_count("1,060 more queries would show a gain as large as the one seen.")
    1060
    """
    found = re.match(r"(?:.{0,60}; )?([\d,]+) more quer(?:y|ies) would show ", change)
    return int(found[1].replace(",", "")) if found else None


def _metric(name: str, value: Mapping[str, Any], queries: int) -> Comparison:
    plain = ("baseline", "candidate", "difference", "p", "p_corrected", "wins", "ties", "losses")
    endless = math.copysign(math.inf, value["difference"])  # all differences are equal
    return Comparison(
        metric=name,
        queries=value.get("queries", queries),
        baseline_interval=interval(value["baseline_ci"]),
        candidate_interval=interval(value["candidate_ci"]),
        interval=interval(value["ci"], value.get("ci_note", "")),
        standardised=number(value["standardised"], beyond=endless),
        smallest_detectable=number(value["smallest_detectable"]),
        sd=number(value.get("sd", 0.0)),
        holes=None if value["holes"] is None else tuple(value["holes"]),
        unbounded=value.get("unbounded", False),
        higher_is_better=value.get("higher_is_better", True),
        tests=value["tests"],
        **{key: value[key] for key in plain},
    )


def _evaluation(
    value: Mapping[str, Any], runs: Sequence[Run], queries: Mapping[str, Mapping[str, Any]]
) -> Evaluation:
    import numpy as np

    named = [run for run in runs if run.name == value["run"]]
    rows: Mapping[str, Mapping[str, float]] = named[0].per_query if named else {}
    counts = ("missing_queries", "unknown_queries", "without_relevant", "tied")
    intervals, bounds = value.get("intervals"), value.get("bounds")
    return Evaluation(
        run=value["run"],
        queries=tuple(rows),
        scores=value["scores"],
        per_query={
            name: np.array([row[name] for row in rows.values()])
            for name in value["scores"]
            if rows and all(name in row for row in rows.values())
        },
        unjudged={int(k): share for k, share in value["unjudged"].items()},
        intervals=intervals and {name: interval(ends) for name, ends in intervals.items()},
        bounds=bounds and {name: ends and (ends[0], ends[1]) for name, ends in bounds.items()},
        notes=tuple(value["notes"]),
        weights=_weights([*rows], queries) if value.get("scores_unweighted") else None,
        scores_unweighted=value.get("scores_unweighted") or {},
        **{key: value[key] for key in counts},
    )


def _weights(keys: Sequence[str], queries: Mapping[str, Mapping[str, Any]]) -> Floats:
    import numpy as np

    return np.array([queries.get(key, {}).get("weight", 1.0) for key in keys], np.float64)
