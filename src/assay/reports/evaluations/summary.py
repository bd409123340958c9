"""Summary: the score of each run on each metric, best marked, with the state of the judgments."""

from collections.abc import Sequence

from assay.records import Cell, Evaluation, Table
from assay.records.traffic import weighted_mean

__all__ = ["summary"]


def summary(evaluations: Sequence[Evaluation], *, lower_is_better: frozenset[str]) -> Table:
    """Lay out runs against metrics, the longer side downwards."""
    metrics = list(evaluations[0].scores)
    best = {
        metric: (min if metric in lower_is_better else max)(e.scores[metric] for e in evaluations)
        for metric in metrics
    }
    if len(evaluations) > len(metrics):
        return _runs_down(evaluations, metrics, best)
    marks = frozenset(
        (r, c + 1)
        for r, metric in enumerate(metrics)
        for c, evaluation in enumerate(evaluations)
        if len(evaluations) > 1 and evaluation.scores[metric] == best[metric]
    )
    rows: list[list[Cell]] = [[m, *(e.scores[m] for e in evaluations)] for m in metrics]
    texts = {
        (r, c + 1): _with_ends(evaluation, metric)
        for r, metric in enumerate(metrics)
        for c, evaluation in enumerate(evaluations)
        if _has_more(evaluation, metric)
    }
    titles = ("metric", *(evaluation.run for evaluation in evaluations))
    return Table(titles, rows, best=marks, texts=texts, footer=_state(evaluations))


def _runs_down(
    evaluations: Sequence[Evaluation], metrics: list[str], best: dict[str, float]
) -> Table:
    rows: list[list[Cell]] = [[e.run, *(e.scores[m] for m in metrics)] for e in evaluations]
    marks = frozenset(
        (r, c + 1)
        for r, evaluation in enumerate(evaluations)
        for c, metric in enumerate(metrics)
        if evaluation.scores[metric] == best[metric]
    )
    texts = {
        (r, c + 1): _with_ends(evaluation, metric)
        for r, evaluation in enumerate(evaluations)
        for c, metric in enumerate(metrics)
        if _has_more(evaluation, metric)
    }
    state = _state(evaluations)
    extra = tuple(tuple(line[i] for line in state) for i in range(len(evaluations) + 1))
    titles = ("run", *metrics, *(str(title) for title in extra[0]))
    whole = [[*row, *extra[i + 1]] for i, row in enumerate(rows)]
    return Table(titles, whole, best=marks, texts=texts)


def _has_more(evaluation: Evaluation, metric: str) -> bool:
    more = evaluation.bounds is not None or evaluation.intervals is not None
    return more or metric in evaluation.reachable or metric in evaluation.scores_unweighted


def _with_ends(evaluation: Evaluation, metric: str) -> str:
    """Put what is reachable behind a score, and the interval and the bounds if asked for."""
    shown = f"{evaluation.scores[metric]:.4f}"
    if metric in evaluation.reachable:
        most = weighted_mean(evaluation.reachable[metric], evaluation.weights)
        shown += f" (max {most:.4f})"
    if metric in evaluation.scores_unweighted:
        shown += f" (unweighted {evaluation.scores_unweighted[metric]:.4f})"
    if evaluation.intervals is not None:
        interval = evaluation.intervals[metric]
        known = abs(interval.high) < float("inf")
        shown += f" [{interval.low:.3f}, {interval.high:.3f}]" if known else " [-]"
    if evaluation.bounds is not None:
        ends = evaluation.bounds[metric]
        shown += f" {{{ends[0]:.4f}, {ends[1]:.4f}}}" if ends else " {-}"
    return shown


def _state(evaluations: Sequence[Evaluation]) -> tuple[tuple[Cell, ...], ...]:
    """Say over how many queries the means go, and how far the judgments carry."""
    lines: list[tuple[Cell, ...]] = [
        ("queries", *(str(len(e.queries)) for e in evaluations)),
        ("missing", *(str(e.missing_queries) for e in evaluations)),
    ]
    lines += [
        (f"unjudged@{k}", *(f"{e.unjudged[k]:.1%}" for e in evaluations))
        for k in evaluations[0].unjudged
    ]
    lines.append(("tied", *(str(e.tied) for e in evaluations)))
    return tuple(lines)
