"""The answers of a built configuration -> a run: scores, intervals, costs, and what failed."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.collections.truth import Truth, without_relevant
from assay.benchmarks.runs.measure import Measurements, RunFacts, latency
from assay.benchmarks.runs.run_result import RunResult, tie_notes
from assay.benchmarks.runs.score_run import score_run
from assay.benchmarks.runs.several_collections import sum_up_collections
from assay.metrics import parse_all
from assay.records import (
    Benchmark,
    Bools,
    Configuration,
    Dataset,
    Evaluation,
    Floats,
    Ints,
    Rankings,
    Run,
    encode,
)
from assay.records.dataset import NO_CATEGORY
from assay.records.report import RESULTS_KEPT
from assay.records.traffic import weighted_mean
from assay.searches.configuration.configuration import describe
from assay.text.count_noun import count_noun
from assay.verdicts.budgets import check_budgets, exceeded_budgets

__all__ = ["others_of", "score_answers", "sum_up", "sum_up_unscored"]

JUDGED = "judged@10"
SERVERS = ("ollama:", "openai:")  # models that another process runs
OTHERS = ("ndcg@5", "ndcg@10", "mrr@10", "recall@5", "recall@10")  # of the shapes of others


def sum_up(
    chosen: Configuration,
    built: RunFacts,
    measured: Measurements,
    *,
    benchmark: Benchmark,
    dataset: Dataset,
    truth: Truth,
    seed: int,
    notes: Sequence[str] = (),
) -> RunResult:
    """Score the answers; a query that failed scores 0, and a second mean leaves it out.

    ``notes`` are further ones on the run. Of several collections each counts the same, whatever its
    number of queries.
    """
    run = _costs(chosen, built, measured)
    answered_any = any(one.key in measured.found for one in dataset.queries if one.judgments)
    if built.error or not answered_any:
        run = _with_budgets(run, benchmark)
        return RunResult(replace(run, status="failed", error=built.error or _first(run.failed)))
    checked = built.checked
    if checked.failure:
        run = _with_budgets(run, benchmark)
        told = (*run.notes, checked.failure)
        failed = replace(run, status="failed", error=checked.failure, latency_ms={}, notes=told)
        return RunResult(failed)
    rankings = _rankings(chosen.name, measured)
    wanted = parse_all([*benchmark.metrics, JUDGED])
    scored = score_run(truth.judgments, rankings, wanted, ties="order", intervals=True, seed=seed)
    metrics = benchmark.metrics
    named = _collections(scored, dataset)
    answered = _without_some(scored, metrics, measured.failed, named)
    run = replace(
        run,
        scores={name: scored.scores[name] for name in metrics},
        scores_unweighted=_unweighted(scored, metrics, named),
        intervals={name: (scored.intervals or {})[name] for name in metrics},
        reachable={
            name: _mean(best, named, scored.weights) for name, best in scored.reachable.items()
        },
        per_query=_per_query(scored, metrics),
        categories=_categories(scored, metrics, dataset),
        judged_at_10=_share_judged(scored, rankings),
        scores_answered=answered,
        scores_resolved=_resolved(rankings, metrics, truth, dataset),
        scores_unleaked=_without_some(scored, metrics, truth.leaked, named),
        notes=(*run.notes, *_without(answered, benchmark), *notes, *tie_notes(rankings)),
        rankings={key: tuple(found[0][:RESULTS_KEPT]) for key, found in measured.found.items()},
        ranking_scores={
            key: tuple(found[1][:RESULTS_KEPT].tolist()) for key, found in measured.found.items()
        },
        ranking_symbols=measured.symbols,
        others=_others(rankings, benchmark, chosen, truth),
    )
    run = _over_all(run, scored, metrics, named, seed)
    run = replace(run, collections=_with_costs(run, built, named, scored.queries))
    run = _with_budgets(run, benchmark)  # once each score is what it stays
    return RunResult(run, rankings, scored, checked.unknown)


def sum_up_unscored(
    chosen: Configuration, built: RunFacts, measured: Measurements, *, benchmark: Benchmark
) -> RunResult:
    """Tell what a configuration answered and cost, of queries of which nothing is judged."""
    run = _costs(chosen, built, measured)
    run = replace(run, notes=(*built.notes, *measured.notes))  # a query that failed scores nothing
    run = _with_budgets(run, benchmark)
    if built.error or not measured.found:
        return RunResult(replace(run, status="failed", error=built.error or _first(run.failed)))
    kept = {key: tuple(found[0][:RESULTS_KEPT]) for key, found in measured.found.items()}
    rankings = _rankings(chosen.name, measured)
    return RunResult(replace(run, rankings=kept), rankings, unknown=built.checked.unknown)


def _share_judged(scored: Evaluation, rankings: Rankings) -> float | None:
    """Average over the queries with results: without any, nothing is unjudged."""
    numbers = rankings.numbers(scored.queries)
    shown = (numbers >= 0) & (np.diff(rankings.offsets)[numbers] > 0)
    return _part_mean(scored, JUDGED, shown) if shown.any() else None


def others_of(benchmark: Benchmark, chosen: Configuration) -> list[str]:
    """Name what the shapes of other programs need besides, as far down as a search answers."""
    deep = [name for name in OTHERS if int(name.rpartition("@")[2]) <= chosen.top_k]
    return [name for name in deep if name not in benchmark.metrics]


def _others(
    rankings: Rankings, benchmark: Benchmark, chosen: Configuration, truth: Truth
) -> dict[str, dict[str, float]]:
    metrics = others_of(benchmark, chosen)
    if not metrics:
        return {}
    return _per_query(
        score_run(truth.judgments, rankings, parse_all(metrics), ties="order"), metrics
    )


def score_answers(
    benchmark: Benchmark, truth: Truth, name: str, measured: Measurements
) -> Evaluation:
    """Score the answers of a run, and nothing else."""
    wanted = parse_all(benchmark.metrics)
    return score_run(truth.judgments, _rankings(name, measured), wanted, ties="order")


def _collections(scored: Evaluation, dataset: Dataset) -> list[str]:
    """Name the collection of each query; nothing where there is only one."""
    of_query = {query.key: query.collection for query in dataset.queries}
    named = [of_query.get(query, "") for query in scored.queries]
    return named if dataset.metadata.get("collections") else []


def _over_all(
    run: Run, scored: Evaluation, metrics: Sequence[str], named: Sequence[str], seed: int
) -> Run:
    """Give the scores of each collection, and let each count the same."""
    if not named:
        return run
    per_query = {name: scored.per_query[name] for name in metrics}
    lower = _lower_is_better(metrics)
    summed = sum_up_collections(
        per_query, named, seed=seed, lower_is_better=lower, weights=scored.weights
    )
    return replace(
        run,
        scores=summed.scores,
        intervals=summed.intervals,
        collections=summed.collections,
        macro=summed.macro,
    )


def _lower_is_better(metrics: Sequence[str]) -> list[str]:
    return [str(one) for one in parse_all(metrics) if not one.kind.higher_is_better]


def _unweighted(
    scored: Evaluation, metrics: Sequence[str], named: Sequence[str]
) -> dict[str, float]:
    """Average without weights, beside the weighted means; nothing where there are none."""
    if scored.weights is None:
        return {}
    return {name: _mean(scored.per_query[name], named, None) for name in metrics}


def _with_costs(
    run: Run, built: RunFacts, named: Sequence[str], queries: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Add to each collection how many of its queries failed, and what its index took."""
    failed = Counter(
        name for name, query in zip(named, queries, strict=False) if query in run.failed
    )
    return {
        name: {**scores, "errors": failed[name], **built.collections.get(name, {})}
        for name, scores in run.collections.items()
    }


def _mean(values: Floats, named: Sequence[str], weights: Floats | None) -> float:
    """Average by the weights of queries, each collection counting the same."""
    if not named:
        return weighted_mean(values, weights)
    groups = [np.array(named) == name for name in dict.fromkeys(named)]
    within = [None if weights is None else weights[own] for own in groups]
    means = [weighted_mean(values[own], of) for own, of in zip(groups, within, strict=True)]
    return float(np.mean(means))


def _first(failed: Mapping[str, str]) -> str:
    return next(iter(failed.values()), "")


def _costs(chosen: Configuration, built: RunFacts, measured: Measurements) -> Run:
    """Tell what the configuration is, what it costs, and where it failed."""
    elsewhere, given = _works_elsewhere(chosen), chosen.has_given_vectors
    times, failed = latency(measured, elsewhere=elsewhere, given=given), measured.failed
    return Run(
        name=chosen.name,
        fingerprint=built.fingerprint,
        configuration=describe(chosen),
        latency_ms=times,
        indexing=dict(built.indexing),
        storage=dict(built.storage),
        failed=failed,
        notes=(*built.notes, *measured.notes, *_failures(failed)),
    )


def _with_budgets(run: Run, benchmark: Benchmark) -> Run:
    """Check the budgets by what is known of a run, and say which it does not keep."""
    intervals = {name: (one.low, one.high) for name, one in run.intervals.items()}
    figures: dict[str, Mapping[str, Any]] = {
        "latency_ms": run.latency_ms,
        "storage": run.storage,
        "indexing": run.indexing,
        "failures": {"errors": run.errors},
        "scores": {**run.scores, "intervals": intervals},
    }
    lower = _lower_is_better(benchmark.metrics)
    budgets = check_budgets(benchmark.budgets, figures, lower_is_better=lower)
    return replace(run, budgets=budgets, notes=(*run.notes, *exceeded_budgets(budgets)))


def _works_elsewhere(chosen: Configuration) -> bool:
    """Tell whether a part of the search runs in another process: a store or a model's server."""
    return chosen.system is not None or (chosen.model or "").startswith(SERVERS)


def _failures(failed: Mapping[str, str]) -> Iterator[str]:
    if failed:
        key, why = next(iter(failed.items()))
        many = count_noun(len(failed), "query failed and scores 0", "queries failed and score 0")
        yield f"{many}, e.g. {key}: {why[:200]}"


def _without(answered: Mapping[str, float], benchmark: Benchmark) -> Iterator[str]:
    if answered:
        score = answered[benchmark.primary]
        yield f"{benchmark.primary} over the judged queries without errors: {score:.4f}"


def _rankings(name: str, measured: Measurements) -> Rankings:
    """Lay the answers out as rankings, in the order in which they came."""
    found = measured.found.values()
    sizes = [len(documents) for documents, _ in found]
    offsets: Ints = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    scores: Floats = np.concatenate([np.empty(0), *(scores for _, scores in found)])
    tie_notes = sum(int((np.diff(scores) == 0).sum()) for _, scores in found)
    documents = encode(document for documents, _ in found for document in documents)
    lengths = [measured.tokens[key] for key in measured.found] if measured.tokens else []
    tokens: Ints | None = np.concatenate([np.empty(0), *lengths]).astype(np.int64)
    return Rankings(
        name,
        tuple(measured.found),
        offsets,
        documents,
        scores,
        "order",
        tie_notes,
        tokens=tokens if lengths else None,
    )


def _per_query(scored: Evaluation, metrics: Sequence[str]) -> dict[str, dict[str, float]]:
    columns = {name: scored.per_query[name].tolist() for name in metrics}
    return {
        query: {name: column[at] for name, column in columns.items()}
        for at, query in enumerate(scored.queries)
    }


def _categories(
    scored: Evaluation, metrics: Sequence[str], dataset: Dataset
) -> dict[str, dict[str, float]]:
    """Average within each category, if the dataset has any."""
    category = {query.key: query.category or NO_CATEGORY for query in dataset.queries}
    named = np.array([category.get(query, NO_CATEGORY) for query in scored.queries])
    if set(named.tolist()) <= {NO_CATEGORY}:
        return {}
    return {
        name: {metric: _part_mean(scored, metric, named == name) for metric in metrics}
        | {"queries": int((named == name).sum())}
        for name in dict.fromkeys(named.tolist())
    }


def _part_mean(scored: Evaluation, metric: str, kept: Bools) -> float:
    weights = None if scored.weights is None else scored.weights[kept]
    return weighted_mean(scored.per_query[metric][kept], weights)


def _without_some(
    scored: Evaluation, metrics: Sequence[str], some: Collection[str], named: Sequence[str]
) -> dict[str, float]:
    """Average over the other queries; nothing where none is left out, or none is left."""
    left_out = set(some)
    kept = np.array([query not in left_out for query in scored.queries])
    if kept.all() or not kept.any():
        return {}
    left = [name for name, keep in zip(named, kept.tolist(), strict=True) if keep] if named else []
    weights = None if scored.weights is None else scored.weights[kept]
    return {name: _mean(scored.per_query[name][kept], left, weights) for name in metrics}


def _resolved(
    rankings: Rankings, metrics: Sequence[str], truth: Truth, dataset: Dataset
) -> dict[str, float]:
    if truth.resolved is None:
        return {}
    scored = score_run(truth.resolved, rankings, parse_all(metrics), ties="order")
    named = _collections(scored, dataset)
    gone = {*without_relevant(truth.resolved)} - {*without_relevant(truth.judgments)}
    if gone:  # nothing that is relevant to them is in the corpus, so that they measure nothing
        return _without_some(scored, metrics, gone, named)
    return {name: _mean(scored.per_query[name], named, scored.weights) for name in metrics}
