"""Two runs of two reports on the same queries -> the statistics of their difference."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay.benchmarks.comparisons.pairing import PER_ALPHA, Pairing
from assay.metrics import parse_all
from assay.metrics.between.overlap import overlap
from assay.records import Comparison, Evaluation, Floats, Ints, Metric, Rankings, Run, encode
from assay.records.report import RESULTS_KEPT
from assay.statistics.holm import holm
from assay.statistics.noninferiority import noninferiority
from assay.statistics.smallest_detectable import smallest_detectable
from assay.verdicts.margin import margin_of

__all__ = [
    "Pair",
    "Place",
    "Rules",
    "agreement",
    "comparison",
    "corrected",
    "evaluation",
    "firsts",
    "is_same",
    "noninferior",
    "paired",
    "rankings_of",
    "settings",
    "shows_unjudged",
    "with_flips",
]


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides: as the caller says, else as the benchmark of the later report does."""

    alpha: float
    margin: float
    flips: int
    seed: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on the same queries; ``judged`` has the graded documents of each, if known.

    ``scale`` is the largest grade that a judge could give, 0 where that is not known.
    """

    before: Run
    after: Run
    pairing: Pairing
    judged: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    scale: int = 0


Pairs = Sequence[Sequence[Pair]]  # of each later report
Place = tuple[int, int]  # of a pair: its report, and its number there


def paired(  # noqa: PLR0913 - every option is a name of its own
    before: Run,
    after: Run,
    metrics: Sequence[str],
    queries: tuple[str, ...],
    strata: Ints | None,
    rules: Rules,
    *,
    judged: Mapping[str, Mapping[str, float]],
    scale: int = 0,
    weights: Floats | None = None,
) -> Pair:
    """Line the scores of both up."""
    pairing = Pairing.of(
        [evaluation(run, metrics, queries, weights) for run in (before, after)],
        parse_all(list(metrics)),
        keep=np.arange(len(queries)),
        strata=strata,
        correction="none",
        alpha=rules.alpha,
        flips=rules.flips,
        seed=rules.seed,
    )
    return Pair(before, after, pairing, judged, scale)


def is_same(pair: Pair) -> bool:
    """Tell whether both are known to answer the same: such a pair is one run, and no candidate."""
    before, after = pair.before.rankings, pair.after.rankings
    return bool(before) and before == after and not pair.pairing.differences.any()


def evaluation(
    run: Run,
    metrics: Sequence[str],
    queries: tuple[str, ...],
    weights: Floats | None = None,
) -> Evaluation:
    """Return the scores of some queries."""
    columns = {
        name: np.array([run.per_query[query][name] for query in queries], np.float64)
        for name in metrics
    }
    return Evaluation(run.name, queries, dict(run.scores), columns, weights=weights)


def comparison(
    pair: Pair,
    column: int,
    corrected: float,
    count: int,
    ends: tuple[Floats, Floats] | None = None,
) -> Comparison:
    """Compare on one metric, with a p that is ``corrected`` for ``count`` pairs.

    ``ends`` are those of the difference over every grading of unjudged documents, where known.
    """
    dim = ends is None and shows_unjudged(pair, pair.pairing.metrics[column]) is not False
    found = pair.pairing.comparison(0, column, holes=ends, unbounded=dim)
    least = smallest_detectable(
        sd=found.sd, queries=found.queries, candidates=count, alpha=pair.pairing.alpha
    )
    return replace(found, p_corrected=corrected, smallest_detectable=least)


def shows_unjudged(pair: Pair, metric: Metric) -> bool | None:
    """Tell whether a run shows unjudged documents as far as a metric looks; None: not known."""
    depth = metric.k or math.inf
    found = [_all_judged(pair, run, depth) for run in (pair.before, pair.after)]
    if False in found:
        return True
    return None if None in found else False


def _all_judged(pair: Pair, run: Run, depth: float) -> bool | None:
    """Look the first documents up; deeper the shares that are judged must tell, if they can."""
    queries = pair.pairing.queries
    if depth <= RESULTS_KEPT and run.rankings and all(query in pair.judged for query in queries):
        top = int(depth)
        return all(
            document in pair.judged[query]
            for query in queries
            for document in run.rankings.get(query, ())[:top]
        )
    return _share_judged(run, depth)


def _share_judged(run: Run, depth: float) -> bool | None:
    """Ask the shares at all depths: what is judged farther down is so here, and the other way."""
    shares = {10.0: run.judged_at_10}
    for name, score in run.scores.items():
        if name.partition("@")[0] == "judged":
            shares[float(name.partition("@")[2] or math.inf)] = score
    known = {at: share for at, share in shares.items() if share is not None}
    if any(at >= depth and share == 1 for at, share in known.items()):
        return True
    return False if any(at <= depth and share < 1 for at, share in known.items()) else None


def agreement(pair: Pair) -> dict[str, float]:
    """Tell how alike the two answer, where the first documents are known."""
    k = pair.pairing.metrics[0].k or 10
    if not (pair.before.rankings and pair.after.rankings):
        return {}
    runs = [rankings_of(run) for run in (pair.before, pair.after)]
    alike = overlap(runs[0], runs[1], k, queries=pair.pairing.queries)
    return {f"overlap@{k}": pair.pairing.mean(alike)}


def rankings_of(run: Run) -> Rankings:
    """Return the first documents of each query that a report has, in the order of the search."""
    sizes = [len(documents) for documents in run.rankings.values()]
    offsets: Ints = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    documents = encode(one for documents in run.rankings.values() for one in documents)
    scores = np.concatenate([np.empty(0), *(np.arange(size, 0, -1.0) for size in sizes)])
    return Rankings(run.name, tuple(run.rankings), offsets, documents, scores, "order")


def settings(pair: Pair) -> dict[str, tuple[Any, Any]]:
    """Tell what each setting was and is, where that differs."""
    old, new = pair.before.configuration, pair.after.configuration
    names = dict.fromkeys((*old, *new))
    return {
        name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    }


def firsts(reports: Pairs) -> dict[Place, Place | None]:
    """Return for each pair the first one that answers the same: they are one candidate.

    None where both of a pair answer the same: such a pair is no candidate at all.
    """
    found: dict[Place, Place | None] = {}
    known: dict[bytes, list[tuple[Place, Pair]]] = {}
    for number, pairs in enumerate(reports):
        for at, pair in enumerate(pairs):
            alike = known.setdefault(pair.pairing.scores.tobytes(), [])
            first = next((place for place, one in alike if _alike(one, pair)), (number, at))
            found[number, at] = None if is_same(pair) else first
            alike.append(((number, at), pair))
    return found


def _alike(one: Pair, other: Pair) -> bool:
    """Tell whether two pairs are known to answer the same queries with the same documents."""
    ranked = [(pair.before.rankings, pair.after.rankings) for pair in (one, other)]
    return (
        one.pairing.queries == other.pairing.queries and all(ranked[0]) and ranked[0] == ranked[1]
    )


def with_flips(pair: Pair, count: int) -> Pair:
    """Test a pair with as many sign flips as so many candidates ask for."""
    flips = max(pair.pairing.flips, -int(-PER_ALPHA * count // pair.pairing.alpha))
    return replace(pair, pairing=replace(pair.pairing, flips=flips))


def corrected(
    reports: Pairs, first_of: Mapping[Place, Place | None], *, stopped: int = 0
) -> list[dict[tuple[int, str], float]]:
    """Correct the p of each metric over every distinct pair that has it, of all reports.

    Pairs of which a race ``stopped`` one, or that failed, count, too, with p = 1.
    """
    p: dict[str, dict[Place, float]] = {}
    for place, first in first_of.items():
        if first == place:
            pairing = reports[place[0]][place[1]].pairing
            for column, metric in enumerate(pairing.metrics):
                p.setdefault(str(metric), {})[place] = float(pairing.p[0, column])
    holds = {
        name: dict(zip(of, _holm([*of.values()], stopped), strict=True)) for name, of in p.items()
    }
    found: list[dict[tuple[int, str], float]] = [{} for _ in reports]
    for (number, at), first in first_of.items():
        for metric in reports[number][at].pairing.metrics:
            name = str(metric)
            found[number][at, name] = 1.0 if first is None else holds[name][first]
    return found


def _holm(p: Sequence[float], stopped: int) -> list[float]:
    if not p:
        return []
    every: list[float] = holm(np.array([*p, *[1.0] * stopped])).tolist()
    return every[: len(p)]


def noninferior(
    reports: Pairs,
    first_of: Mapping[Place, Place | None],
    margins: Sequence[float],
    *,
    stopped: int = 0,
) -> list[list[bool]]:
    """Tell whether each pair is non-inferior by its report's margin of the earlier score.

    As in a benchmark: one-sided, Holm over all distinct pairs; identical rankings lose nothing.
    """
    distinct = [place for place, first in first_of.items() if place == first]
    shown = [_p(reports[number][at], margins[number]) for number, at in distinct]
    holds = dict(zip(distinct, _holm(shown, stopped), strict=True))
    found: list[list[bool]] = [[] for _ in reports]
    for (number, at), first in first_of.items():
        alpha = reports[number][at].pairing.alpha
        found[number].append(first is None or holds[first] < alpha)
    return found


def _p(pair: Pair, margin: float) -> float:
    pairing = pair.pairing
    amount = margin_of(pairing.mean(pairing.scores[0, 0]), margin)
    return noninferiority(pairing.differences[0, 0], margin=amount, **pairing.counted).p
