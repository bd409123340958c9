"""Approximate: which recall each setting of an approximate dense index has, and what it saves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assay.benchmarks.analysis._comparable_runs import ComparableRuns, comparable_runs
from assay.benchmarks.analysis._sweeps import effective_settings
from assay.records import Floats, Report, Run
from assay.records.times import incomparable
from assay.searches.configuration.conflicts import GRAPH
from assay.statistics.noninferiority import noninferiority
from assay.statistics.t_interval import t_interval

__all__ = ["approximate"]

# What says how far a search looks: in our own indexes, and in those of stores.
EFFORTS = ("ef_search", "probes", "ef", "nprobes")
HIDDEN = ("seed",)  # of an index, which nobody sets
# Settings in which a run may differ from the exact search that it is compared with.
OF_INDEX = ("dense", "precision", *GRAPH)
MARGIN, ALPHA = 0.02, 0.05


def approximate(report: Report, *, seed: int) -> dict[str, Any]:
    """Lay out recall, latency of dense search and score along the settings of each index.

    Runs on a line differ in nothing but how far they look. Each is compared with exact search,
    where a run is the same but for its index; ``cheapest`` is the fastest of those that are
    non-inferior to it.
    """
    comparable = comparable_runs(report)
    runs = [run for run in comparable.runs if run.indexing.get("dense_recall")]
    if not runs:
        return {}
    exact = {run.name: _exact_of(run, comparable.runs) for run in runs}
    lines = _lines(runs)
    shown = _shown(comparable, lines, exact, _margin(report))
    return {
        "k": max(int(run.indexing["dense_recall"]["k"]) for run in runs),
        "margin": _margin(report),
        "lines": [
            _told(comparable, its, exact, shown) | {"group": group}
            for its, group in zip(lines, _groups(lines), strict=True)
        ],
        "exact": {run.name: _costs(comparable, run) for run in exact.values() if run is not None},
        "cheapest": _cheapest(runs, exact, shown),
    }


def _lines(runs: Sequence[Run]) -> list[list[Run]]:
    """Put runs of one index together, from the shortest look on."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(_line(run), []).append(run)
    return [sorted(its, key=_looks) for its in found.values()]


def _index(run: Run) -> dict[str, Any]:
    """Return the kind of index and its settings in effect: our own, or those of a store."""
    own = run.indexing.get("dense_index")
    told = dict(own) if own else dict(run.configuration.get("system") or {})
    return {name: value for name, value in told.items() if name not in HIDDEN}


def _effort(run: Run) -> str:
    """Name the setting that says how far it looks, if it has one."""
    return next((name for name in EFFORTS if name in _index(run)), "")


def _looks(run: Run) -> float:
    """Return how far a run looks."""
    return float(_index(run).get(_effort(run)) or 0)


def _line(run: Run) -> str:
    """Name all but how far a run looks."""
    effort = _effort(run)
    kept = {name: value for name, value in _index(run).items() if name != effort}
    others = {
        name: value
        for name, value in effective_settings([run])[0].items()
        if name not in (effort, f"system.{effort}")
    }
    return json.dumps([kept, others, effort], sort_keys=True, default=str)


def _groups(lines: Sequence[Sequence[Run]]) -> list[dict[str, Any]]:
    """Tell of each line the settings of other parts than the index in which lines differ."""
    told = [_others(runs[0]) | _precision(runs[0]) for runs in lines]
    names = dict.fromkeys(name for one in told for name in one)
    differ = [name for name in names if len({repr(one.get(name)) for one in told}) > 1]
    return [{name: one[name] for name in differ if name in one} for one in told]


def _precision(run: Run) -> dict[str, Any]:
    return {"precision": run.configuration.get("precision")}


def _exact_of(run: Run, runs: Sequence[Run]) -> Run | None:
    """Find a run that is the same but for its index, and searches exactly; best as precise."""
    same = [one for one in runs if _beside(one) == _beside(run) and _is_exact(one)]
    precise = run.configuration.get("precision")
    return next((one for one in same if one.configuration.get("precision") == precise), None) or (
        same[0] if same else None
    )


def _is_exact(run: Run) -> bool:
    return run.configuration.get("dense") == "exact"


def _beside(run: Run) -> str:
    """Name all settings but those of the index."""
    return json.dumps(_others(run), sort_keys=True, default=str)


def _others(run: Run) -> dict[str, Any]:
    """Return the settings of other parts than the index; a store takes the place of our own."""
    told = effective_settings([run])[0].items()
    return {k: v for k, v in told if k not in OF_INDEX and not k.startswith("system")}


def _told(
    comparable: ComparableRuns,
    runs: Sequence[Run],
    exact: Mapping[str, Run | None],
    shown: Mapping[str, bool],
) -> dict[str, Any]:
    effort = _effort(runs[0])
    index = {name: value for name, value in _index(runs[0]).items() if name != effort}
    points = [_point(comparable, run, effort, exact[run.name], shown) for run in runs]
    reference = exact[runs[0].name]
    about = {"index": index, "setting": effort or None}
    return about | {"exact": reference.name if reference else None, "points": points}


def _point(
    comparable: ComparableRuns,
    run: Run,
    effort: str,
    exact: Run | None,
    shown: Mapping[str, bool],
) -> dict[str, Any]:
    recall = run.indexing["dense_recall"]
    about: dict[str, Any] = {"run": run.name, "value": _index(run).get(effort)}
    about |= {"recall": recall["mean"], "worst": recall["worst"]} | _costs(comparable, run)
    if exact is None:
        return about
    found = t_interval(_differences(comparable, run, exact), **comparable.counted)
    about["difference"] = _score(comparable, run) - _score(comparable, exact)
    return about | {"ci": [found.low, found.high], "noninferior": shown[run.name]}


def _costs(comparable: ComparableRuns, run: Run) -> dict[str, Any]:
    """Return the latency of dense search alone, and the score of the whole."""
    dense = (run.latency_ms.get("stages") or {}).get("dense") or {}
    times = {name: dense.get(name) for name in ("p50", "p95")}
    return times | {"score": _score(comparable, run)}


def _score(comparable: ComparableRuns, run: Run) -> float:
    return float(run.scores[comparable.primary])


def _differences(comparable: ComparableRuns, run: Run, exact: Run) -> Floats:
    one, other = (comparable.column(each, comparable.primary) for each in (run, exact))
    found: Floats = one - other
    return found


def _margin(report: Report) -> float:
    given = report.benchmark.get("margin")
    return MARGIN if given is None else float(given)


def _shown(
    comparable: ComparableRuns,
    lines: Sequence[Sequence[Run]],
    exact: Mapping[str, Run | None],
    margin: float,
) -> dict[str, bool]:
    """Tell which runs are non-inferior to exact search, by a margin that is a share of its score.

    The settings of a line are tested from the farthest look on, each at the whole alpha of its
    line, until one fails: a fixed sequence (Maurer, Hothorn and Lehmacher 1995), since who looks
    less finds no more. Lines share alpha alike (Bonferroni).
    """
    compared = [runs for runs in lines if exact[runs[0].name] is not None]
    found: dict[str, bool] = {}
    for runs in compared:
        holds = True
        for run in reversed(runs):
            p = _inferior(comparable, run, exact[run.name] or run, margin)
            holds = holds and p < ALPHA / len(compared)
            found[run.name] = holds
    return found


def _inferior(comparable: ComparableRuns, run: Run, exact: Run, margin: float) -> float:
    """Return the p-value of a loss of more than the margin."""
    least = margin * abs(_score(comparable, exact)) or 0.01
    values = _differences(comparable, run, exact)
    return noninferiority(values, margin=least, **comparable.counted).p


def _cheapest(
    runs: Sequence[Run], exact: Mapping[str, Run | None], shown: Mapping[str, bool]
) -> str | None:
    """Name the fastest that is shown to be good enough, if times can be compared."""
    good = [run for run in runs if shown.get(run.name)]
    timed = {run.name: (run.latency_ms.get("stages") or {}).get("dense") or {} for run in good}
    known = [run for run in good if timed[run.name].get("p50") is not None]
    others = [other for run in known if (other := exact[run.name]) is not None]
    if not known or incomparable([*known, *others]):
        return None
    return min(known, key=lambda run: float(timed[run.name]["p50"])).name
