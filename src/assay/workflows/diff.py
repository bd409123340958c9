"""Diff: two searches of the same queries, without judgments -> what changed, by traffic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.comparisons.diff_rankings import diff_queries, diff_totals
from assay.benchmarks.comparisons.sample_queries import (
    DETECT,
    detectable,
    needed_queries,
    plan_judging,
    sample_changed,
    useful_queries,
)
from assay.benchmarks.file.read_benchmark import is_benchmark, read_benchmark
from assay.benchmarks.open_report import open_report, split_run
from assay.benchmarks.since.pair import rankings_of
from assay.errors import InputError, UsageError
from assay.metrics import parse
from assay.rankings.load import load
from assay.records import Benchmark, Dataset, Query, Rankings, Report, Run
from assay.records.diff import Diff
from assay.records.report import RESULTS_KEPT
from assay.records.run_settings import Invocation, RunSettings
from assay.text.join_list import join_names
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows._options import refuse_unknown, refuse_wrong_count, with_options

__all__ = ["diff"]

SCALE = 3  # of grades, where no dataset says another
K = 10  # results that are compared, where no metric says how many


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two searches, and what they were asked."""

    before: Rankings
    after: Rankings
    asked: Sequence[Query]
    scale: int = SCALE
    home: str = ""
    latency_ms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    report: str = ""


@with_options(invocation=Invocation)
def diff(  # noqa: PLR0913 - every option is a name of its own
    before: object,
    after: object = None,
    *,
    runs: Sequence[str] = (),
    queries: object = None,
    k: int | None = None,
    p: float = 0.9,
    ties: str = "docid",
    to_judge: str | Path | None = None,
    sample: int | None = None,
    detect: float = DETECT,
    seed: int = 0,
    asks: int | None = None,
    untimed: bool = False,
    workspace: str | Path | None = None,
    invocation: Invocation,
) -> Diff:
    """Tell which queries two searches answer differently, sorted by traffic.

    ``before`` is a benchmark (a file, or a mapping with the same keys), of which two configurations
    are built and run over its queries without being scored; a report; or a run, with ``after``.
    ``runs`` names the two configurations or runs, the baseline first, if there are more.
    ``queries`` is a log or a dataset with the queries and their traffic: in the place of those of
    the benchmark, or for the queries of run files.

    The first ``k`` documents are compared (default: as many as the primary metric of a benchmark
    uses, else 10), and whole rankings by rank-biased overlap with ``p``.
    ``to_judge`` is a file for a sample of the changed queries with the documents to judge: of
    ``sample`` queries, or of as many as show a difference of ``detect`` in the mean over all
    traffic with 80% power. ``asks``, ``untimed`` and the options of ``assay.run`` are those of a
    benchmark; each query is run once by default.

    >>> old, new = {"q1": {"a": 2.0, "b": 1.0}}, {"q1": {"c": 2.0, "a": 1.0}}
    >>> changed = diff(old, new).changes[0]
    >>> changed.new, changed.gone, changed.moved
    (('c',), ('b',), (('a', 1, 2),))
    """
    _refuse_wrong(k=10 if k is None else k, p=p, sample=sample, detect=detect, seed=seed)
    refuse_unknown(choices={"ties": ("docid", "order")}, ties=ties)
    settings = RunSettings(seed=seed, asks=None if untimed else asks or 1, untimed=untimed)
    if _is_benchmark(before):
        _refuse_second(after)
        asked = _asked(before, queries)
        deep = parse(asked.primary).k
        k = k or deep or K
        sides = _searched(asked, runs, settings, invocation, workspace)
        sides = replace(sides, notes=(*sides.notes, *_shallow(asked.primary, deep, k)))
    else:
        reported, k = _is_report(before), k or K
        sides = (
            _reported(before, after, runs, k, workspace)
            if reported
            else _read(before, after, runs, ties)
        )
        sides = sides if queries is None else _with_log(sides, queries)
    found = _diff(sides, k=k, p=p)
    if to_judge is None:
        return found
    return _sampled(found, sides, Path(to_judge), sample=sample, detect=detect, seed=seed)


def _refuse_wrong(*, k: int, p: float, sample: int | None, detect: float, seed: int) -> None:
    refuse_wrong_count("k", k, least=1)
    refuse_wrong_count("seed", seed)
    if sample is not None:
        refuse_wrong_count("sample", sample, least=2)
    for name, value in (("p", p), ("detect", detect)):
        if not isinstance(value, int | float) or not 0 < value < 1:
            hint = "expected a number between 0 and 1"
            raise UsageError(f"{name}: invalid value {quote_value(value)}", hint=hint)


def _diff(sides: _Sides, *, k: int, p: float) -> Diff:
    changes = diff_queries(sides.asked, sides.before, sides.after, k=k, p=p)
    plain = diff_totals(changes, weighted=False)
    weighted = len({one.weight for one in changes}) > 1
    return Diff(
        before=sides.before.name,
        after=sides.after.name,
        k=k,
        p=p,
        changes=changes,
        totals=diff_totals(changes, weighted=True) if weighted else plain,
        unweighted=plain if weighted else None,
        plan=plan_judging(changes),
        latency_ms=sides.latency_ms,
        notes=sides.notes,
        report=sides.report,
    )


def _sampled(
    found: Diff, sides: _Sides, path: Path, *, sample: int | None, detect: float, seed: int
) -> Diff:
    """Write the queries to judge, and tell of them."""
    from assay.datasets.save import save

    wanted = sample if sample is not None else needed_queries(found.changes, detect)
    draws = min(wanted or useful_queries(found.changes), len(found.changed))
    asked = {query.key: query for query in sides.asked}
    dataset = sample_changed(
        found, asked, draws=draws, seed=seed, scale=sides.scale, home=sides.home
    )
    save(replace(dataset, name=path.name.partition(".")[0]), path)
    about = {
        **dataset.metadata["sample"],
        "file": str(path),
        "documents": sum(len(query.judgments) for query in dataset.queries),
        "detect": None if sample is not None else detect,
        "detectable": detectable(found.changes, draws) if draws > 1 else None,
    }
    return replace(found, sample=about)


def _is_benchmark(where: object) -> bool:
    if isinstance(where, Mapping | str | Path):
        return is_benchmark(where)
    return isinstance(where, Benchmark)


def _is_report(where: object) -> bool:
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


def _shallow(primary: str, deep: int | None, k: int) -> list[str]:
    """Say that queries with the same first k results may still differ by the primary metric."""
    if deep is not None and deep <= k:
        return []
    looks = f"{primary} uses {'all' if deep is None else deep} results, of which {k} are compared"
    return [f"{looks}: queries that are unchanged here may still score differently"]


def _refuse_second(after: object) -> None:
    if after is not None:
        hint = "name two of its configurations, the baseline first: FILE BEFORE AFTER"
        raise UsageError("a benchmark is not compared with a second file", hint=hint)


def _asked(where: object, queries: object) -> Benchmark:
    """Read the benchmark, with a log in the place of its dataset if one is given."""
    if queries is not None and not isinstance(queries, str | Path):
        hint = "give the path of a log or of a dataset"
        raise UsageError(f"cannot read queries from {type(queries).__name__}", hint=hint)
    if not isinstance(where, Benchmark):
        return read_benchmark(where, dataset=queries)  # type: ignore[arg-type]
    return where if queries is None else replace(where, dataset=str(queries), datasets=())


def _searched(
    read: Benchmark,
    runs: Sequence[str],
    settings: RunSettings,
    invocation: Invocation,
    workspace: str | Path | None,
) -> _Sides:
    """Build two configurations of a benchmark, and run all queries without scoring."""
    from assay.benchmarks.collections.open_collections import open_collections
    from assay.benchmarks.conduct import conduct

    names = [one.name for one in read.configurations]
    first = read.baseline or names[0]
    pair = _pair(names, runs, baseline=first, where=read.file or read.name, noun="configuration")
    chosen = tuple(one for name in pair for one in read.configurations if one.name == name)
    asked = replace(
        read, configurations=chosen, baseline=pair[0], budgets={}, race={}, scored=False
    )
    kept: dict[str, Rankings] = {}
    report = conduct(
        asked,
        settings,
        invocation,
        workspace=workspace,
        keep=lambda one: kept.update({one.name: one}),
    )
    sides = [_answered(report, kept, name) for name in pair]
    collections = open_collections(asked)
    every = [replace(query, key=one.key(query.key)) for one in collections for query in one.queries]
    return _Sides(
        replace(kept[sides[0].name], name=pair[0]),
        replace(kept[sides[1].name], name=pair[1]),
        every,
        scale=max(one.dataset.scale for one in collections),
        home=collections[0].dataset.home,
        latency_ms=_latency(pair, sides),
        notes=tuple(note for one in collections for note in one.dataset.notes),
        report=report.id,
    )


def _answered(report: Report, kept: Mapping[str, Rankings], name: str) -> Run:
    """Find what answered under a name; two configurations that come to the same are one run."""
    found = next(run for run in report.runs if name in (run.name, *run.aliases))
    if found.name not in kept:
        hint = "correct the configuration, then run the same command with --resume --retry-failed"
        problem = f"no query was answered: {found.error or found.status}"
        raise InputError(problem, where=f'configuration "{name}"', hint=hint)
    return found


def _pair(
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


def _latency(names: Sequence[str], runs: Sequence[Run]) -> dict[str, Mapping[str, Any]]:
    """Return what was measured of both; nothing where one was not timed."""
    keys = ("mean", "p50", "p95", "p99", "busy")
    told = [{key: run.latency_ms[key] for key in keys if key in run.latency_ms} for run in runs]
    return dict(zip(names, told, strict=True)) if all("p95" in one for one in told) else {}


def _reported(
    where: object, after: object, runs: Sequence[str], k: int, workspace: str | Path | None
) -> _Sides:
    """Take two runs of a report, or one of each of two reports."""
    if k > RESULTS_KEPT:
        hint = f"use --k {RESULTS_KEPT}, or compare run files (assay run --save-runs FOLDER)"
        raise UsageError(f"a report keeps the top {RESULTS_KEPT} of each query", hint=hint)
    first = _opened(where, workspace)
    if after is None:
        names = [run.name for run in first[0].runs if run.rankings]
        base = str(first[0].benchmark.get("baseline") or (names or [""])[0])
        title = str(where) if isinstance(where, str | Path) else first[0].id
        pair = _pair(names, runs, baseline=base, where=title, noun="run")
        both = [(first[0], name) for name in pair]
    else:
        both = [_only_run(one, runs) for one in (first, _opened(after, workspace))]
        pair = _labels([name for _, name in both])
    found = [next(run for run in report.runs if run.name == name) for report, name in both]
    told = {key: one for report, _ in both for key, one in report.queries.items()}
    keys = dict.fromkeys(key for run in found for key in run.rankings)
    asked = [
        Query(
            key,
            str(told.get(key, {}).get("text", key)),
            category=str(told.get(key, {}).get("category", "")),
            weight=float(told.get(key, {}).get("weight", 1.0)),
        )
        for key in keys
    ]
    sides = [replace(rankings_of(run), name=name) for run, name in zip(found, pair, strict=True)]
    scale = both[1][0].dataset.get("scale")
    return _Sides(
        sides[0],
        sides[1],
        asked,
        scale=scale if isinstance(scale, int) else SCALE,
        latency_ms=_latency(pair, found),
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
    """Name both; runs of one name are told apart by when they were made."""
    if names[0] != names[1]:
        return names[0], names[1]
    return f"{names[0]} (before)", f"{names[1]} (after)"


def _read(before: object, after: object, runs: Sequence[str], ties: str) -> _Sides:
    """Read two runs; without a log all queries of either count the same."""
    if after is None or runs:
        hint = "give two run files, a report or a benchmark file with two configurations"
        raise UsageError("nothing to compare with", hint=hint)
    first, second = (load(one, ties=ties) for one in (before, after))
    names = _labels([first.name, second.name])
    first, second = replace(first, name=names[0]), replace(second, name=names[1])
    keys = dict.fromkeys((*first.queries, *second.queries))
    notes = (*first.notes, *second.notes)
    return _Sides(first, second, [Query(key, key) for key in keys], notes=notes)


def _with_log(sides: _Sides, queries: object) -> _Sides:
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
