"""Simulate whole benchmarks, and count what is decided: ``python -m tests.simulations.decisions``.

Scores are those of real rankings of ten graded documents: bounded, and with few or many ties. It
prints the tables of docs/verdicts.md; the number of trials is its argument.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

import numpy as np

from assay.benchmarks.comparisons import pairing as pairing_module
from assay.benchmarks.comparisons.guardrails import QueryGroup, broken_categories, losses
from assay.benchmarks.comparisons.pairing import Pairing, more_queries
from assay.metrics import parse_all
from assay.records import Evaluation, Interval, Verdict
from assay.statistics.power import power
from assay.statistics.winners_curse import winners_curse
from assay.verdicts.margin import margin_of
from assay.verdicts.ship import ship

DEPTH = 10
GRADES = np.array([3, 2, 1, 1, 0, 0, 0, 0, 0, 0])
DISCOUNTS = 1 / np.log2(np.arange(DEPTH) + 2)
IDEAL = np.sort(GRADES)[::-1] @ DISCOUNTS
METRIC = parse_all("ndcg@10")
CATEGORIES = 5
MARGIN = 0.02


def ndcg(rng, queries, strengths):
    """Score runs that rank by grade and noise, half of which all runs share: few ties."""
    shared = rng.normal(0, 1, (queries, DEPTH))
    own = rng.normal(0, 1, (len(strengths), queries, DEPTH))
    order = np.argsort(-(np.asarray(strengths)[:, None, None] * GRADES + shared + own), axis=2)
    return GRADES[order] @ DISCOUNTS / IDEAL


def tied(rng, queries, strengths):
    """Score runs that answer 80 % of the queries as the baseline does."""
    found = ndcg(rng, queries, strengths)
    return np.where(rng.random(found.shape) < 0.8, found[:1], found)


def mrr(rng, queries, strengths):
    """Score runs by the rank of the best document: ten values, and ties."""
    shared = rng.normal(0, 1, (queries, DEPTH))
    own = rng.normal(0, 1, (len(strengths), queries, DEPTH))
    seen = np.asarray(strengths)[:, None, None] * GRADES + shared + own
    return 1 / (1 + (seen[:, :, 1:] > seen[:, :, :1]).sum(axis=2))


DRAWS = {"ndcg@10": ndcg, "ndcg@10, 80% ties": tied, "mrr": mrr}
# How much stronger a candidate is, by the number of queries: not at all, by gains that some
# benchmarks show, and by gains above the margin that most do not show yet.
EQUAL = {name: {10: 0.0, 30: 0.0, 100: 0.0} for name in DRAWS}
PLANTED = {
    "ndcg@10": {30: 0.3, 100: 0.15, 300: 0.09},
    "ndcg@10, 80% ties": {30: 0.9, 100: 0.4, 300: 0.2},
    "mrr": {30: 0.3, 100: 0.15, 300: 0.09},
}
ASKED = {
    "ndcg@10": {30: 0.2, 100: 0.1},
    "ndcg@10, 80% ties": {30: 0.7, 100: 0.4},
    "mrr": {30: 0.2, 100: 0.1},
}


def decided(scores, *, counted=True) -> tuple[list[Verdict], list[Verdict]]:
    """Decide on each candidate, without categories and with five of them.

    Queries that are missing are ``counted``, or not, which saves time.
    """
    _leave_out()
    queries = tuple(f"q{at}" for at in range(scores.shape[1]))
    told = [Evaluation(str(at), queries, {}, {"ndcg@10": one}) for at, one in enumerate(scores)]
    keep = np.arange(len(queries))
    how = {"correction": "holm", "alpha": 0.05, "flips": 999, "seed": 0, "strata": None}
    paired = Pairing.of(told, METRIC, keep=keep, **how)
    best = winners_curse(paired.differences[:, 0].T, repeats=100).corrected if counted else -1.0
    parts = [
        QueryGroup(f"c{at}", np.flatnonzero(keep % CATEGORIES == at)) for at in range(CATEGORIES)
    ]
    lost = {
        str(at): losses(scores[0], one, parts, margin=MARGIN)
        for at, one in enumerate(scores[1:], 1)
    }
    broken = [*broken_categories(lost).values()]
    plain = [_verdict(paired, at, best, ()) for at in range(len(scores) - 1)]
    guarded = [
        _verdict(paired, at, best, some) if some else plain[at] for at, some in enumerate(broken)
    ]
    return plain, guarded


def _leave_out() -> None:
    """Leave out what takes time and decides nothing: intervals of means, and further tests."""
    pairing_module.mean_interval = lambda *_, **__: Interval(0.0, 1.0)
    pairing_module.t_test = pairing_module.wilcoxon = lambda *_, **__: 1.0


def _verdict(paired, at, best, broken) -> Verdict:
    one = paired.comparison(at, 0, holes=None, unbounded=False)
    gain, by = min(one.difference, best), {"candidates": paired.candidates, "alpha": 0.05}
    margin = margin_of(one.baseline, MARGIN)
    more = more_queries(one, gain, **by)
    return ship(comparison=one, margin=margin, gain=gain, more=more, broken=broken, **by)


def equal(draw, candidates, queries, trials) -> dict[str, float]:
    """Return how often any of several equal candidates is SHIP, and DON'T SHIP."""
    rng = np.random.default_rng([candidates, queries])
    found = np.zeros(4)
    for _ in range(trials):
        drawn = draw(rng, queries, [0.5] * (candidates + 1))
        for at, some in enumerate(decided(drawn, counted=False)):
            outcomes = {one.outcome for one in some}
            found[2 * at] += "ship" in outcomes
            found[2 * at + 1] += "dont_ship" in outcomes
    names = ("ship", "dont_ship", "ship_guarded", "dont_ship_guarded")
    return dict(zip(names, (found / trials).tolist(), strict=True))


def truth(draw, strengths) -> tuple[float, float]:
    """Return the true mean and spread of the first candidate's difference."""
    scores = draw(np.random.default_rng(99), 100_000, strengths[:2])
    difference = scores[1] - scores[0]
    return float(difference.mean()), float(difference.std())


def planted(draw, candidates, queries, more, trials) -> dict[str, float]:
    """Return how often a candidate that is truly better ships, and how often power says so."""
    strengths = [0.5, 0.5 + more, *[0.5] * (candidates - 1)]
    gain, sd = truth(draw, strengths)
    rng = np.random.default_rng([candidates, queries, 7])
    shipped = sum(
        decided(draw(rng, queries, strengths), counted=False)[0][0].outcome == "ship"
        for _ in range(trials)
    )
    predicted = power(gain, sd=sd, queries=queries, candidates=candidates)
    return {"gain": gain, "predicted": predicted, "shipped": shipped / trials}


def asked(draw, candidates, queries, more, trials, *, tries=40) -> dict[str, float]:
    """Return how often NEEDS n MORE QUERIES becomes SHIP after n more, where g is the true gain.

    g counts as true within a tenth; the earlier queries are kept.
    """
    strengths = [0.5, 0.5 + more, *[0.5] * (candidates - 1)]
    gain, _ = truth(draw, strengths)
    rng = np.random.default_rng([candidates, queries, 8])
    done = shipped = 0
    for _ in range(tries * trials):
        scores = draw(rng, queries, strengths)
        if abs((scores[1] - scores[0]).mean() - gain) > 0.1 * gain:
            continue
        verdict = decided(scores)[0][0]
        if verdict.outcome != "needs_queries" or (candidates > 1 and not _is_true(verdict, gain)):
            continue
        further = draw(rng, verdict.queries_needed, strengths)
        again = decided(np.concatenate([scores, further], axis=1))[0][0]
        done, shipped = done + 1, shipped + (again.outcome == "ship")
        if done == trials:
            break
    return {"gain": gain, "verdicts": done, "shipped": shipped / max(done, 1)}


def _is_true(verdict: Verdict, gain: float) -> bool:
    """Tell whether g of a verdict is near the true gain: the correction may lower it."""
    told = float(verdict.change.split("true gain is ")[1].split(",")[0])
    return abs(told - gain) <= 0.1 * gain


def tables(trials: int) -> Iterator[str]:
    """Write the tables, a row at a time; the rows are shared by the cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        equals = pool.map(_equal_row, *_cells((1, 5, 15), EQUAL), repeat(trials))
        gains = pool.map(_planted_row, *_cells((1, 5), PLANTED), repeat(trials // 2))
        more = pool.map(_asked_row, *_cells((1, 5), ASKED), repeat(trials // 4))
        last = "with 5 categories: SHIP | DON'T SHIP |"
        yield f"| scores | candidates | queries | SHIP | DON'T SHIP | {last}"
        yield "|---|--:|--:|--:|--:|--:|--:|"
        yield from equals
        yield "\n| scores | candidates | queries | gain | predicted | SHIP |"
        yield "|---|--:|--:|--:|--:|--:|"
        yield from gains
        yield "\n| scores | candidates | queries | gain | verdicts | SHIP after n more |"
        yield "|---|--:|--:|--:|--:|--:|"
        yield from more


def _cells(candidates, sizes):
    """Return the columns of all cells: scores, candidates, (queries, strength)."""
    rows = [
        (name, some, size) for name in DRAWS for some in candidates for size in sizes[name].items()
    ]
    return zip(*rows, strict=True)


def _equal_row(name, candidates, size, trials) -> str:
    found = equal(DRAWS[name], candidates, size[0], trials)
    shares = " | ".join(f"{share:.3f}" for share in found.values())
    return f"| {name} | {candidates} | {size[0]} | {shares} |"


def _planted_row(name, candidates, size, trials) -> str:
    one = planted(DRAWS[name], candidates, *size, trials)
    figures = f"{one['gain']:.3f} | {one['predicted']:.3f} | {one['shipped']:.3f}"
    return f"| {name} | {candidates} | {size[0]} | {figures} |"


def _asked_row(name, candidates, size, trials) -> str:
    one = asked(DRAWS[name], candidates, *size, trials)
    figures = f"{one['gain']:.3f} | {one['verdicts']} | {one['shipped']:.3f}"
    return f"| {name} | {candidates} | {size[0]} | {figures} |"


if __name__ == "__main__":
    for line in tables(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000):
        print(line, flush=True)  # noqa: T201 - it is what this is for
