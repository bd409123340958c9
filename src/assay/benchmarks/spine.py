"""The product on one page: a benchmark -> truth, runs, comparisons, verdicts, a report."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.benchmarks._built import Build, Built
from assay.benchmarks._loads import mixed_loads
from assay.benchmarks.budgets import broken_budgets
from assay.benchmarks.comparing import compare_runs
from assay.benchmarks.configuration import describe
from assay.benchmarks.environment import environment
from assay.benchmarks.guardrails import broken_guardrails
from assay.benchmarks.identity import about_benchmark, about_corpus, about_dataset
from assay.benchmarks.measure import measure
from assay.benchmarks.opening import opened_benchmark
from assay.benchmarks.studying import study
from assay.benchmarks.summing import Tried, sum_up
from assay.benchmarks.truth import Truth, find_truth
from assay.errors import InputError
from assay.metrics import parse_all
from assay.records import (
    Benchmark,
    Comparisons,
    Configuration,
    Corpus,
    Dataset,
    Rankings,
    Report,
    Track,
    untracked,
)
from assay.verdicts.recommend import recommend

__all__ = ["run_benchmark"]

JUDGE_MOST = 10  # documents to judge next that are named


def run_benchmark(
    benchmark: Benchmark,
    *,
    build: Build,
    scratch: Path | None = None,
    seed: int = 0,
    repeats: int = 3,
    clock: Callable[[], int] = time.perf_counter_ns,
    track: Track = untracked,
    keep: Callable[[Rankings], None] | None = None,
) -> Report:
    """Build each configuration, ask it every query, and tell which one to ship.

    Indexes live in ``scratch`` (by default the system's folder for such) while they are measured;
    ``keep`` is shown the rankings of each run.
    """
    dataset, corpus = opened_benchmark(benchmark)
    truth = find_truth(dataset, corpus, track=track)
    ask = partial(measure, repeats=repeats, clock=clock, track=track)
    score = partial(sum_up, benchmark=benchmark, dataset=dataset, truth=truth, seed=seed)
    tried: list[Tried] = []
    left: list[str] = []
    for chosen in benchmark.configurations:
        if _is_known(tried, chosen.name, configuration=describe(chosen)):
            continue
        with _built(build, corpus, chosen, scratch, track, left) as built:
            if _is_known(tried, chosen.name, fingerprint=built.fingerprint):
                continue
            answers = ask(built, dataset.queries, doing=f"searching {chosen.name}")
            studied = study(
                built, dataset.queries, answers, track=track, doing=f"studying {chosen.name}"
            )
            tried.append(score(chosen, built, answers, studied=studied))
            if keep is not None and tried[-1].rankings is not None:
                keep(tried[-1].rankings)
    compared = _compared(benchmark, dataset, truth, tried, seed)
    return Report(
        benchmark=about_benchmark(benchmark, repeats=repeats),
        **_surroundings(dataset, corpus, truth, seed),
        runs=tuple(one.run for one in tried),
        comparisons=compared,
        recommendations=_recommended(benchmark, tried, compared),
        truth=truth.accounts() | {"judged@10": _judged(tried)},
        notes=(*dataset.notes, *truth.judgments.notes, *_notes(benchmark, tried), *left),
    )


def _surroundings(dataset: Dataset, corpus: Corpus, truth: Truth, seed: int) -> dict[str, Any]:
    """Tell what was measured on: data by their content, machine and versions."""
    about = {"dataset": about_dataset(dataset), "corpus": about_corpus(corpus, truth.resolution)}
    fingerprints = {name: part["fingerprint"] for name, part in about.items()}
    return {**about, "environment": environment(seed=seed, fingerprints=fingerprints)}


@contextmanager
def _built(
    build: Build,
    corpus: Corpus,
    chosen: Configuration,
    scratch: Path | None,
    track: Track,
    left: list[str],
) -> Iterator[Built]:
    """Build a configuration in a folder that lasts as long as it is measured.

    What could not be removed in the end takes nothing away from what was measured: it goes into the
    notes that are ``left``.
    """
    with TemporaryDirectory(dir=scratch, prefix="assay-run-", ignore_cleanup_errors=True) as folder:
        try:
            built = build(corpus, chosen, folder=Path(folder), track=track)
        except InputError as error:
            where = f'configuration "{chosen.name}"'
            where = f"{where}, {error.where}" if error.where else where
            raise InputError(error.problem, where=where, hint=error.hint) from None
        try:
            yield built
        finally:
            try:
                built.close()
            except InputError as error:
                told = (error.problem, error.where, error.hint)
                left.append(f"{chosen.name}: {'; '.join(filter(None, told))}")


def _is_known(tried: list[Tried], name: str, **same: object) -> bool:
    """Tell whether a run has come to the same already; if so, the name becomes one more of its."""
    for at, one in enumerate(tried):
        if all(getattr(one.run, key) == value for key, value in same.items()):
            tried[at] = replace(one, run=replace(one.run, aliases=(*one.run.aliases, name)))
            return True
    return False


def _compared(
    benchmark: Benchmark, dataset: Dataset, truth: Truth, tried: list[Tried], seed: int
) -> Comparisons | None:
    """Compare with the baseline every run that answered; None where there is nothing to compare."""
    measured = [one for one in tried if one.rankings is not None]
    of_baseline = [
        one for one in measured if benchmark.baseline in (one.run.name, *one.run.aliases)
    ]
    if not of_baseline or len(measured) < 2:
        return None
    ordered = [*of_baseline, *(one for one in measured if one is not of_baseline[0])]
    return compare_runs(
        truth.judgments,
        [one.rankings for one in ordered if one.rankings],
        parse_all(benchmark.metrics),
        evaluations=[one.evaluation for one in ordered if one.evaluation],
        ties="order",
        margin=benchmark.margin,
        seed=seed,
        judge_most=JUDGE_MOST,
        unknown=frozenset[str]().union(*(one.unknown for one in measured)),
        broken={one.run.name: _broken(benchmark, dataset, ordered[0], one) for one in ordered},
    )


def _recommended(
    benchmark: Benchmark, tried: list[Tried], compared: Comparisons | None
) -> dict[str, Any]:
    """Name the best by each question; a verdict against a run is not gone back on."""
    candidates = compared.candidates if compared else ()
    return recommend(
        [one.run for one in tried],
        primary=benchmark.primary,
        best_set=compared.best_set if compared else (),
        refused={one.run for one in candidates if one.verdict.outcome == "dont_ship"},
        silent={one.run.name for one in tried if one.rankings and not one.rankings.offsets[-1]},
    )


def _broken(benchmark: Benchmark, dataset: Dataset, baseline: Tried, candidate: Tried) -> list[str]:
    """Say which budgets and guardrails a candidate is shown to break."""
    lost = broken_guardrails(
        baseline, candidate, dataset=dataset, primary=benchmark.primary, margin=benchmark.margin
    )
    return [*broken_budgets(candidate.run.budgets), *lost]


def _is_named(one: Tried, name: str) -> bool:
    return name in (one.run.name, *one.run.aliases)


def _judged(tried: list[Tried]) -> float | None:
    """Return the share of judged documents among the first ten, over all runs."""
    shares = [one.run.judged_at_10 for one in tried if one.run.judged_at_10 is not None]
    return sum(shares) / len(shares) if shares else None


def _notes(benchmark: Benchmark, tried: list[Tried]) -> Iterator[str]:
    contents = {one.run.indexing["content"] for one in tried if "content" in one.run.indexing}
    if len(contents) > 1:
        yield "the corpus changed while it was measured: not all runs searched the same documents"
    yield from mixed_loads([one.run for one in tried])
    for one in tried:
        for name in one.run.aliases:
            yield f"{name} is the same as {one.run.name}: they are one run"
        if one.rankings is None and _is_named(one, benchmark.baseline):
            yield f"the baseline {benchmark.baseline} failed, so nothing is compared"
        yield from (f"{one.run.name}: {note}" for note in one.run.notes)
    counts = {one.run.name: one.run.indexing.get("remembered_vectors") for one in tried}
    if told := ", ".join(f"{name} {count:,}" for name, count in counts.items() if count):
        yield f"vectors were remembered, and the time to embed them is left out of indexing: {told}"
