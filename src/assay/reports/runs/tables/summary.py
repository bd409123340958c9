"""Summary: what each run scores and costs, the best of each marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.records import Cell, Interval, Report, Run, Table
from assay.records.busy import was_built_busy
from assay.records.times import incomparable, timed_runs
from assay.reports.fits import fits, fits_named, fits_whole
from assay.reports.runs.phrases.run_numbers import number_runs

__all__ = ["summary"]

# What is measured beside the metrics: its title, where it stands, and how it is shown.
COSTS = (
    ("p50 ms", "latency_ms", "p50", ",.2f"),
    ("p95 ms", "latency_ms", "p95", ",.2f"),
    ("index s", "indexing", "seconds", ",.1f"),
    ("bytes/doc", "storage", "bytes_per_document", ",.0f"),
)
SPARED = ("p50 ms", "index s")  # the first to go where there is no room
WIDEST = 200  # columns of a file or a log, above which runs are rows
NARROW = (2, 3)  # the tables, by place, that have all metrics but no intervals

FEWER = "†"  # beside scores of a run that was stopped early
LEGENDS = {
    "*": "* without the time to embed vectors that were given, or cached (--fresh includes these)",
    FEWER: f"{FEWER} stopped early by the race: score over the queries run until then",
}


@dataclass(frozen=True, slots=True)
class _Measure:
    """One line of the summary: a value per run, how each is shown, and which are the best."""

    title: str
    values: Sequence[Cell]
    shown: Sequence[str]
    best: frozenset[int]


def summary(
    report: Report,
    *,
    lower_is_better: frozenset[str] = frozenset(),
    width: int | None = None,
) -> Table:
    """Lay out runs against what was measured, the longer side downwards.

    Where that is wider than ``width``, runs are rows; intervals, then the less important costs are
    left out, which `assay show --run` has.
    """
    measures = _measures(report, lower_is_better)
    down = len(report.runs) > len(measures)
    table = _runs_down(report, measures) if down else _across(report, measures)
    if width is None:
        return table if fits_whole(table, WIDEST) else _runs_down(report, measures)
    names = [run.name for run in report.runs]
    tables = [table, *_narrower(report, measures)]
    whole = [at for at, one in enumerate(tables) if fits(number_runs(one, names), width)]
    first = whole[0] if whole else len(tables) - 1
    named = [at for at in NARROW if fits_named(number_runs(tables[at], names), width)]
    return tables[named[0] if named and first in NARROW else first]


def _narrower(report: Report, measures: Sequence["_Measure"]) -> Iterator[Table]:
    """Yield tables that need less and less room."""
    plain = [replace(one, shown=[text.split(" [")[0] for text in one.shown]) for one in measures]
    yield _runs_down(report, measures)
    yield _runs_down(report, plain)
    spare = [one for one in plain if one.title not in SPARED]
    yield _runs_down(report, spare)


def _measures(report: Report, lower_is_better: frozenset[str]) -> list["_Measure"]:
    runs = report.runs
    measures = [
        _metric(runs, str(name), interval=not at, lower=name in lower_is_better)
        for at, name in enumerate(report.benchmark["metrics"])
    ]
    if any(run.scores_unweighted for run in runs):
        measures.insert(1, _unweighted(runs, str(report.benchmark["metrics"][0]), lower_is_better))
    measures += [_cost(runs, *cost) for cost in COSTS]
    if any(run.errors for run in runs):
        counts = [run.errors for run in runs]
        measures.append(_Measure("errors", counts, [f"{n:,}" for n in counts], frozenset()))
    return measures


def _legend(measures: Sequence["_Measure"]) -> str:
    """Explain the signs that are shown."""
    shown = "".join(text for one in measures for text in one.shown)
    return "; ".join(legend for sign, legend in LEGENDS.items() if sign in shown)


def _metric(runs: Sequence[Run], name: str, *, interval: bool, lower: bool) -> _Measure:
    values = [run.scores.get(name) for run in runs]
    shown = [_score(run, name, interval=interval) for run in runs]
    return _Measure(name, values, shown, _best(_of_whole(runs, values), lower=lower))


def _unweighted(runs: Sequence[Run], name: str, lower_is_better: frozenset[str]) -> _Measure:
    """Show the first score with every query counting the same."""
    values = [run.scores_unweighted.get(name) for run in runs]
    shown = ["-" if value is None else f"{value:.4f}" for value in values]
    best = _best(_of_whole(runs, values), lower=name in lower_is_better)
    return _Measure(f"{name} unweighted", values, shown, best)


def _cost(runs: Sequence[Run], title: str, part: str, key: str, form: str) -> _Measure:
    values = [getattr(run, part).get(key) for run in runs]
    whole = [part != "indexing" or _is_complete(run) for run in runs]
    loads = [getattr(run, part).get("concurrency", 1) for run in runs]
    shown = [
        "-" if value is None else f"{value:{form}}{'' if complete else '*'}{_load(load)}"
        for value, complete, load in zip(values, whole, loads, strict=True)
    ]
    rivals = _comparable(runs, part, _of_whole(runs, values))
    return _Measure(title, values, shown, _best(rivals, lower=True))


def _comparable(
    runs: Sequence[Run], part: str, values: Sequence[float | None]
) -> list[float | None]:
    """Leave out times that say nothing, or all of them where they cannot be compared."""
    kept = timed_runs(runs) if part == "latency_ms" else runs
    if (part == "latency_ms" and incomparable(kept)) or (
        part == "indexing" and any(_is_unlike(run) for run in runs)
    ):
        kept = ()
    names = {run.name for run in kept}
    return [value if run.name in names else None for run, value in zip(runs, values, strict=True)]


def _is_unlike(run: Run) -> bool:
    return not _is_complete(run) or was_built_busy(run.latency_ms, run.indexing)


def _of_whole(runs: Sequence[Run], values: Sequence[float | None]) -> list[float | None]:
    """Leave out runs that were stopped early: they have fewer queries."""
    pairs = zip(runs, values, strict=True)
    return [None if run.status == "beaten" else value for run, value in pairs]


def _load(queries: int) -> str:
    return f" ({queries} concurrent)" if queries > 1 else ""


def _is_complete(run: Run) -> bool:
    """Tell whether the seconds of indexing are all that it takes."""
    return bool(run.indexing.get("seconds_complete", True))


def _score(run: Run, name: str, *, interval: bool) -> str:
    if name not in run.scores:
        return "-"
    ends = f" {_range(run.intervals[name])}" if interval and name in run.intervals else ""
    most = f" (max {run.reachable[name]:.4f})" if name in run.reachable else ""
    return f"{run.scores[name]:.4f}{FEWER if run.status == 'beaten' else ''}{most}{ends}"


def _range(interval: Interval) -> str:
    known = abs(interval.high) < float("inf")
    return f"[{interval.low:.3f}, {interval.high:.3f}]" if known else "[-]"


def _best(values: Sequence[float | None], *, lower: bool) -> frozenset[int]:
    """Mark the best of two or more."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return frozenset()
    top = min(known) if lower else max(known)
    return frozenset(at for at, value in enumerate(values) if value == top)


def _across(report: Report, measures: Sequence[_Measure]) -> Table:
    return Table(
        ("metric", *(run.name for run in report.runs)),
        [[one.title, *one.values] for one in measures],
        _legend(measures),
        best=frozenset((r, c + 1) for r, one in enumerate(measures) for c in one.best),
        texts={
            (r, c + 1): text for r, one in enumerate(measures) for c, text in enumerate(one.shown)
        },
    )


def _runs_down(report: Report, measures: Sequence[_Measure]) -> Table:
    return Table(
        ("run", *(one.title for one in measures)),
        [[run.name, *(one.values[at] for one in measures)] for at, run in enumerate(report.runs)],
        _legend(measures),
        best=frozenset((r, c) for c, one in enumerate(measures, 1) for r in one.best),
        texts={
            (r, c): text for c, one in enumerate(measures, 1) for r, text in enumerate(one.shown)
        },
    )
