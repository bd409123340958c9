"""Waterfall: what each stage of each run loses of the score, the largest loss marked."""

import re
from collections.abc import Iterable, Mapping

from assay.records import Cell, Report, Table
from assay.reports.runs.phrases.run_label import run_label

__all__ = ["waterfall"]

ORDER = "order"  # what remains after the last stage
# How the stages of different searches stand beside each other; others come before the cut.
FIRST = ("judgments", "corpus", "lexical", "dense", "retrieve", "fuse")
LAST = ("cut", "search", ORDER, "failed")
# What is worth trying where a stage loses the most.
ADVICE = {
    "judgments": "no search can find what these judgments ask for: look at them first",
    "corpus": "the corpus lacks documents that are relevant, and no setting finds them",
    **dict.fromkeys(
        ("lexical", "dense", "retrieve"),
        "deeper or other retrieval, not reranking, is worth trying",
    ),
    "fuse": "other weights, or a deeper fusion, are worth trying",
    "rerank": "a deeper or another reranker is worth trying",
    "threshold": "a lower threshold is worth trying",
    "coherence": "more candidates, or none of it, are worth trying",
    "diversify": "less diversity is worth trying",
    "collapse": "a greater depth is worth trying: chunks become documents",
    "cut": "a larger top_k is worth trying",
    "order": "a better ranking (model, weights, reranker), not deeper retrieval, is worth trying",
    "failed": "searches that fail are worth a look first",
}
K = "10"  # where the primary metric looks at all documents


def waterfall(report: Report) -> Table | None:
    """Lay out runs and stages, and say where most is lost by the best run."""
    runs = [run for run in report.runs if run.status == "completed"]
    found = {run.name: run.waterfall for run in runs if run.waterfall}
    if not found:
        return None
    stages = _stages(found.values())
    rows: list[list[Cell]] = [
        [run, *(one.get(stage) for stage in stages), sum(one.values())]
        for run, one in found.items()
    ]
    texts = {
        (r, c): f"{cell:.3f}"
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        if isinstance(cell, float)
    }
    marks = frozenset((r, 1 + _largest(stages, one)) for r, one in enumerate(found.values()))
    titles = ("run", *stages, "all lost")
    return Table(titles, rows, _said(report, found), best=marks, texts=texts)


def _stages(each: Iterable[Mapping[str, float]]) -> list[str]:
    """Name the stages that lose anything in any run, as they follow; all, if none does."""
    every = [*each]
    names = dict.fromkeys(stage for one in every for stage in one)
    lossy = [name for name in names if any(one.get(name) for one in every)] or [*names]
    return sorted(lossy, key=_place)


def _place(stage: str) -> int:
    if stage in LAST:
        return len(FIRST) + 1 + LAST.index(stage)
    return FIRST.index(stage) if stage in FIRST else len(FIRST)


def _largest(stages: list[str], losses: Mapping[str, float]) -> int:
    return max(range(len(stages)), key=lambda at: losses.get(stages[at], 0.0))


def _said(report: Report, found: Mapping[str, Mapping[str, float]]) -> str:
    """Tell the largest loss of the run that is the best by the primary metric."""
    metric, best = _lost_metric(report), _best(report, found)
    losses, total = found[best], sum(found[best].values())
    stage = max(losses, key=lambda one: losses[one])
    if total <= 0:
        return f"Nothing of {metric} is lost by {run_label(report, best)}."
    where = "in the order of what is found" if stage == ORDER else f"by {stage}"
    advice = f": {ADVICE[stage]}" if stage in ADVICE else ""
    share = f"{losses[stage]:.2f} of {total:.2f} in {run_label(report, best)}"
    return f"Most of {metric} is lost {where} ({share}){advice}."


def _best(report: Report, found: Mapping[str, Mapping[str, float]]) -> str:
    """Name the best run; where none was found to be, the one that loses least in all."""
    named = (report.recommendations.get("best_quality") or {}).get("run")
    least = min(found, key=lambda run: sum(found[run].values()))
    return str(named) if named in found else least


def _lost_metric(report: Report) -> str:
    """Name the first nDCG of the benchmark, or one at the primary's k, as it was measured."""
    metrics = [str(one) for one in report.benchmark.get("metrics") or ()]
    primary = str(report.benchmark.get("primary") or "")
    every = [*([primary] if primary else []), *metrics]
    named = [one for one in every if re.match(r"ndcg(_exp)?\b", one)]
    return named[0] if named else f"ndcg@{_cutoff(every[0] if every else '')}"


def _cutoff(metric: str) -> str:
    found = re.search(r"@(\d+)$", metric)
    return found[1] if found else K
