"""Loss by stage: what each stage of each run loses of the score, the largest loss marked."""

import re
from collections.abc import Iterable, Mapping

from assay.records import Cell, Report, Table
from assay.reports.runs.phrases.run_label import run_label

__all__ = ["waterfall"]

ORDER = "order"  # what remains after the last stage
# The order of stages of different searches; others come before the cut.
FIRST = ("judgments", "corpus", "filter", "lexical", "dense", "retrieve", "fuse")
LAST = ("cut", "search", ORDER, "failed")
# What loses the most, in words with their verb, and what to try then.
CAUSES = {
    "judgments": "Judgments that no ranking can satisfy account",
    "corpus": "Relevant documents missing from the corpus account",
    "filter": "Filters of queries that leave out relevant documents account",
    "lexical": "Lexical retrieval accounts",
    "dense": "Dense retrieval accounts",
    "retrieve": "Retrieval accounts",
    "fuse": "Fusion accounts",
    "rerank": "Reranking accounts",
    "threshold": "The score threshold accounts",
    "coherence": "Coherence ranking accounts",
    "diversify": "Diversification (MMR) accounts",
    "collapse": "Collapsing chunks into documents accounts",
    "cut": "The top_k cutoff accounts",
    "search": "The external search accounts",
    "order": "Ranking order accounts",
    "failed": "Failed queries account",
}
ADVICE = {
    "judgments": "check these judgments first",
    "corpus": "check the corpus and the judgments; no search setting can find these documents",
    "filter": "check the filters and the metadata of these documents",
    **dict.fromkeys(
        ("lexical", "dense", "retrieve"),
        "try deeper or different retrieval, not reranking",
    ),
    "fuse": "try other weights or a greater depth",
    "rerank": "try another reranker or a larger rerank_depth",
    "threshold": "try a lower threshold",
    "coherence": "try more candidates (depth), or no coherence ranking",
    "diversify": "try less diversity (a higher mmr.lambda)",
    "collapse": "try a greater depth, so that more documents remain",
    "cut": "try a larger top_k",
    "failed": "fix the failing searches first",
}
# The same where lines or symbols are expected, not documents.
INSIDE = {
    "judgments": (
        "Expected items that share a result or are excluded account",
        "try smaller chunks",
    ),
    "corpus": ("Lines and symbols missing from the corpus account", "check the judgments"),
}
# What orders the results, by setting.
ORDERING = {"model": "another model", "weights": "other weights", "rerank": "a reranker"}
K = "10"  # where the primary metric looks at all documents


def waterfall(report: Report) -> Table | None:
    """Lay out runs and stages, and name the stage that loses the most in the best run."""
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
    titles = ("run", *stages, "total lost")
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
    """Name the largest loss of the run that is the best by the primary metric."""
    metric, best = _lost_metric(report), _best(report, found)
    losses, total = found[best], sum(found[best].values())
    stage = max(losses, key=lambda one: losses[one])
    if total <= 0:
        return f"{run_label(report, best)} loses no {metric}: all rankings are ideal."
    cause = CAUSES.get(stage, f'Stage "{stage}" accounts')
    told = _order_advice(report) if stage == ORDER else ADVICE.get(stage)
    if stage in INSIDE and report.benchmark.get("unit", "document") != "document":
        cause, told = INSIDE[stage]
    share, whole = f"{losses[stage]:.2f}", f"{total:.2f} {metric} lost by"
    most = "all" if losses[stage] >= 0.995 * total else "nearly all"
    part = f"{most} of the {whole}" if share == f"{total:.2f}" else f"{share} of the {whole}"
    return f"{cause} for {part} {run_label(report, best)}{f': {told}' if told else ''}."


def _order_advice(report: Report) -> str:
    """Name what may order results better, but for what the benchmark tried already."""
    tried = {str(one.get("parameter")) for one in report.analysis.get("main_effects") or ()}
    left = [words for name, words in ORDERING.items() if name not in tried]
    if not left:
        return "deeper retrieval would not help"
    ways = " or ".join(filter(None, [", ".join(left[:-1]), left[-1]]))
    return f"try {ways}, not deeper retrieval"


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
    named = [one for one in every if re.match(r"ndcg(_exp)?(@\d+)?$", one)]
    return named[0] if named else f"ndcg@{_cutoff(every[0] if every else '')}"


def _cutoff(metric: str) -> str:
    found = re.search(r"@(\d+)$", metric)
    return found[1] if found else K
