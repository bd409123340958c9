"""Two searches that a diff compares, from run files or reports, with what they were asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.open_report import open_report, split_run
from assay.benchmarks.since.pair import rankings_of
from assay.errors import InputError, UsageError
from assay.rankings.load import load
from assay.records import Dataset, Query, Rankings, Report, Run
from assay.records.report import RESULTS_KEPT
from assay.text.join_list import join_names
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = [
    "Sides",
    "choose_pair",
    "is_report",
    "latency_of",
    "read_reports",
    "read_runs",
    "with_log",
]

SCALE = 3  # of grades, where no dataset says another


@dataclass(frozen=True, slots=True)
class Sides:
    """Two searches, and what they were asked."""

    before: Rankings
    after: Rankings
    asked: Sequence[Query]
    own: Mapping[str, str] = field(default_factory=dict)  # keys without that of a collection
    scale: int = SCALE
    home: str = ""
    failed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    latency_ms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    report: str = ""


def is_report(where: object) -> bool:
    """Tell whether a report is meant: one at hand, its file, or an id, which is no file."""
    if isinstance(where, Report):
        return True
    if not isinstance(where, str | Path) or str(where) == "-":
        return False
    place, _ = split_run(str(where))
    if not Path(place).is_file():
        return "/" not in place and "." not in Path(place).name
    head = Path(place).read_bytes()[:4096] if place.endswith(".json") else b""
    return b'"schema_version"' in head and b'"benchmark"' in head


def read_reports(
    where: object, after: object, runs: Sequence[str], k: int, workspace: str | Path | None
) -> Sides:
    """Take two runs of a report, or one of each of two reports."""
    if k > RESULTS_KEPT:
        hint = f"use --k {RESULTS_KEPT}, or compare run files (assay run --save-runs FOLDER)"
        raise UsageError(f"a report keeps the top {RESULTS_KEPT} of each query", hint=hint)
    first = _opened(where, workspace)
    if after is None:
        names = [run.name for run in first[0].runs if run.rankings]
        base = str(first[0].benchmark.get("baseline") or (names or [""])[0])
        title = str(where) if isinstance(where, str | Path) else first[0].id
        pair = choose_pair(names, runs, baseline=base, where=title, noun="run")
        both = [(first[0], name) for name in pair]
    else:
        both = [_only_run(one, runs) for one in (first, _opened(after, workspace))]
        pair = _labels([name for _, name in both])
    found = {
        label: next(run for run in report.runs if run.name == name)
        for label, (report, name) in zip(pair, both, strict=True)
    }
    told = {key: one for report, _ in both for key, one in report.queries.items()}
    keys = dict.fromkeys(key for run in found.values() for key in (*run.rankings, *run.failed))
    asked = [
        Query(
            key,
            str(told.get(key, {}).get("text", key)),
            category=str(told.get(key, {}).get("category", "")),
            weight=float(told.get(key, {}).get("weight", 1.0)),
        )
        for key in keys
    ]
    scale = both[1][0].dataset.get("scale")
    old, new = (replace(rankings_of(run), name=name) for name, run in found.items())
    return Sides(
        old,
        new,
        asked,
        scale=scale if isinstance(scale, int) else SCALE,
        failed={name: run.failed for name, run in found.items()},
        latency_ms=latency_of(found),
        report=both[1][0].id,
    )


def _opened(where: object, workspace: str | Path | None) -> tuple[Report, str]:
    if isinstance(where, Report):
        return where, ""
    place, run = split_run(str(where))
    return open_report(place, workspace=workspace), run


def _only_run(opened: tuple[Report, str], runs: Sequence[str]) -> tuple[Report, str]:
    """Choose the run of a report: the one that is named, or the only one."""
    report, name = opened
    names = [run.name for run in report.runs if run.rankings]
    wanted = name or (runs[0] if len(runs) == 1 else "") or (names[0] if len(names) == 1 else "")
    if wanted in names:
        return report, wanted
    hint = f"write REPORT:RUN; its runs are {join_names(names, most=12)}"
    problem = f'unknown run "{wanted[:60]}"' if wanted else "the report has several runs"
    raise InputError(problem, where=report.id, hint=hint)


def _labels(names: Sequence[str]) -> tuple[str, str]:
    """Name both; runs of the same name are marked as before and after."""
    if names[0] != names[1]:
        return names[0], names[1]
    return f"{names[0]} (before)", f"{names[1]} (after)"


def read_runs(before: object, after: object, runs: Sequence[str], ties: str) -> Sides:
    """Read two runs; without a log all queries of either count the same."""
    if after is None or runs:
        hint = "give two run files, a report or a benchmark file with two configurations"
        raise UsageError("nothing to compare with", hint=hint)
    first, second = (load(one, ties=ties) for one in (before, after))
    names = _labels([first.name, second.name])
    first, second = replace(first, name=names[0]), replace(second, name=names[1])
    keys = dict.fromkeys((*first.queries, *second.queries))
    notes = (*first.notes, *second.notes)
    return Sides(first, second, [Query(key, key) for key in keys], notes=notes)


def with_log(sides: Sides, queries: object) -> Sides:
    """Take the texts and the traffic of queries from a log or a dataset."""
    from assay.workflows.load_dataset import load_dataset

    log = queries if isinstance(queries, Dataset) else load_dataset(queries)
    answered = {*sides.before.queries, *sides.after.queries}
    if not answered & {query.key for query in log.queries}:
        ours, theirs = log.queries[0].key, next(iter(answered), "")
        problem = f"no query of the runs is in it (the runs have e.g. {quote_value(theirs, 60)})"
        hint = f"the queries must have the same ids, here e.g. {quote_value(ours, 60)}"
        raise InputError(problem, where=log.name, hint=hint)
    asked = tuple(replace(query, judgments=()) for query in log.queries)
    strange = len(answered - {query.key for query in asked})
    notes = [f"{strange:,} queries of the runs are not in {log.name} and not compared"]
    return replace(
        sides,
        asked=asked,
        scale=log.scale,
        home=log.home,
        notes=(*sides.notes, *log.notes, *(notes if strange else ())),
    )


def choose_pair(
    names: Sequence[str], runs: Sequence[str], *, baseline: str, where: str, noun: str
) -> tuple[str, str]:
    """Choose two: those that are named, or the only ones there are."""
    for name in runs:
        if name not in names:
            hint = did_you_mean(name, names, otherwise=f"available: {', '.join(names[:20])}")
            raise InputError(f'unknown {noun} "{name[:60]}"', where=where, hint=hint)
    others = [name for name in names if name != baseline]
    if len(runs) == 2 and runs[0] != runs[1]:
        return runs[0], runs[1]
    if not runs and len(others) == 1:
        return baseline, others[0]
    problem = f"name two {noun}s, the baseline first" if len(names) > 1 else f"has one {noun} only"
    hint = f"{noun}s: {join_names(names, most=12)}"
    raise UsageError(f"{where}: {problem}", hint=hint)


def latency_of(runs: Mapping[str, Run]) -> Mapping[str, Mapping[str, Any]]:
    """Return what was measured of both; nothing where one was not timed."""
    keys = ("mean", "p50", "p95", "p99", "busy")
    told = {
        name: {key: value for key, value in run.latency_ms.items() if key in keys}
        for name, run in runs.items()
    }
    return told if all("p95" in one for one in told.values()) else {}
