"""Diff: two searches of the same queries, without judgments -> what changed, by traffic."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.benchmarks.comparisons.diff_rankings import diff_queries, diff_totals, without_failed
from assay.benchmarks.comparisons.sample_queries import (
    DETECT,
    detectable,
    needed_queries,
    plan_judging,
    sample_changed,
    useful_queries,
)
from assay.benchmarks.file.read_benchmark import is_benchmark, read_benchmark
from assay.errors import InputError, UsageError
from assay.metrics import parse
from assay.records import Benchmark, Configuration, Rankings, Report, Run
from assay.records.diff import Diff
from assay.records.run_settings import Invocation, RunSettings
from assay.searches.configuration.conflicts import CHUNKING
from assay.text.quote import quote_value
from assay.workflows._diff_sides import (
    Sides,
    choose_pair,
    is_report,
    latency_of,
    read_reports,
    read_runs,
    with_log,
)
from assay.workflows.options import refuse_unknown, refuse_wrong_count, with_options

__all__ = ["diff"]

K = 10  # results that are compared, where no metric says how many


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
        asked = _asked(before, queries)
        _refuse_several(after, to_judge, asked)
        deep = parse(asked.primary).k
        k = k or deep or K
        sides = _searched(asked, runs, settings, invocation, workspace)
        sides = replace(sides, notes=(*sides.notes, *_shallow(asked.primary, deep, k)))
    else:
        reported, k = is_report(before), k or K
        sides = (
            read_reports(before, after, runs, k, workspace)
            if reported
            else read_runs(before, after, runs, ties)
        )
        sides = sides if queries is None else with_log(sides, queries)
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


def _diff(sides: Sides, *, k: int, p: float) -> Diff:
    asked, lost = without_failed(sides.asked, sides.failed)
    changes = diff_queries(asked, sides.before, sides.after, k=k, p=p)
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
        failed={name: dict(reasons) for name, reasons in sides.failed.items() if reasons},
        latency_ms=sides.latency_ms,
        notes=(*sides.notes, *lost),
        report=sides.report,
    )


def _sampled(
    found: Diff, sides: Sides, path: Path, *, sample: int | None, detect: float, seed: int
) -> Diff:
    """Write the queries to judge, and tell of them."""
    from assay.datasets.save import save

    wanted = sample if sample is not None else needed_queries(found.changes, detect)
    draws = min(wanted or useful_queries(found.changes), len(found.changed))
    asked = {one.key: replace(one, key=sides.own.get(one.key, one.key)) for one in sides.asked}
    drawn = sample_changed(found, asked, draws=draws, seed=seed, scale=sides.scale, home=sides.home)
    save(replace(drawn, name=path.name.partition(".")[0]), path)
    about = {
        **drawn.metadata["sample"],
        "file": str(path),
        "documents": sum(len(query.judgments) for query in drawn.queries),
        "detect": None if sample is not None else detect,
        "detectable": detectable(found.changes, draws) if draws > 1 else None,
    }
    return replace(found, sample=about)


def _is_benchmark(where: object) -> bool:
    if isinstance(where, Mapping | str | Path):
        return is_benchmark(where)
    return isinstance(where, Benchmark)


def _shallow(primary: str, deep: int | None, k: int) -> list[str]:
    """Say that queries with the same first k results may still differ by the primary metric."""
    if deep is not None and deep <= k:
        return []
    looks = f"{primary} uses {'all' if deep is None else deep} results, of which {k} are compared"
    return [f"{looks}: queries that are unchanged here may still score differently"]


def _refuse_several(after: object, to_judge: object, asked: Benchmark) -> None:
    if after is not None:
        hint = "name two of its configurations, the baseline first: FILE BEFORE AFTER"
        raise UsageError("a benchmark is not compared with a second file", hint=hint)
    if to_judge is not None and (files := len({str(one.dataset) for one in asked.datasets})) > 1:
        hint = "write a benchmark file with one of them, whose sample can be judged"
        raise UsageError(f"to_judge: {asked.name} has {files} datasets", hint=hint)
    if to_judge is not None and asked.unit != "document":
        hint = "use unit: document, or add judgments with lines or symbols to the dataset"
        problem = f"to_judge: documents are judged, and {asked.name} evaluates {asked.unit}s"
        raise UsageError(problem, hint=hint)


def _cut_otherwise(chosen: Sequence[Configuration], unit: str) -> list[str]:
    """Say that chunks of different indexes are different results, whatever text they share."""
    cuts = {tuple(getattr(one, name) for name in ("chunker", *CHUNKING)) for one in chosen}
    if unit != "chunk" or len(cuts) == 1:
        return []
    return ["the two are cut into different chunks, which count as changed: compare documents"]


def _asked(where: object, queries: object) -> Benchmark:
    """Read the benchmark, with a log in the place of its dataset if one is given."""
    if queries is not None and not isinstance(queries, str | Path):
        hint = "give the path of a log or of a dataset"
        raise UsageError(f"cannot read queries from {type(queries).__name__}", hint=hint)
    if not isinstance(where, Benchmark):
        try:
            return read_benchmark(where, dataset=queries)  # type: ignore[arg-type]
        except InputError as error:
            if not error.where.startswith("--dataset"):
                raise
            option = error.where.replace("--dataset", "--queries", 1)
            raise InputError(error.problem, where=option, hint=error.hint) from None
    return where if queries is None else replace(where, dataset=str(queries), datasets=())


def _searched(
    read: Benchmark,
    runs: Sequence[str],
    settings: RunSettings,
    invocation: Invocation,
    workspace: str | Path | None,
) -> Sides:
    """Build two configurations of a benchmark, and run all queries without scoring."""
    from assay.benchmarks.collections.open_collections import open_collections
    from assay.benchmarks.conduct import conduct

    names = [one.name for one in read.configurations]
    first = read.baseline or names[0]
    pair = choose_pair(
        names, runs, baseline=first, where=read.file or read.name, noun="configuration"
    )
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
    answered = {name: _answered(report, kept, name) for name in pair}
    collections = open_collections(asked)
    every = [(one.key(query.key), query) for one in collections for query in one.queries]
    told = [*report.notes]
    told += [f'"{name}": {note}' for name, run in answered.items() for note in run.notes]
    told += _cut_otherwise(chosen, read.unit)
    before, after = (replace(kept[run.name], name=name) for name, run in answered.items())
    return Sides(
        before,
        after,
        [replace(query, key=key) for key, query in every],
        own={key: query.key for key, query in every},
        scale=max(one.dataset.scale for one in collections),
        home=collections[0].dataset.home,
        failed={name: run.failed for name, run in answered.items()},
        latency_ms=latency_of(answered),
        notes=tuple(told),
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
