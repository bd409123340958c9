"""Every pair of runs of every report -> what is shown when all of them are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.benchmarks.comparisons.pairing import PER_ALPHA
from assay.benchmarks.since.pair import Pair, is_same
from assay.statistics.holm import holm
from assay.statistics.noninferiority import noninferiority
from assay.verdicts.margin import margin_of

__all__ = ["Place", "corrected", "firsts", "noninferior", "with_flips"]

Pairs = Sequence[Sequence[Pair]]  # of each later report
Place = tuple[int, int]  # of a pair: its report, and its number there


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
    """Tell whether each pair is shown to lose less than its report's share of the earlier score.

    As in a benchmark: one-sided, Holm over all distinct pairs; what answers the same loses nothing.
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
    return noninferiority(pairing.differences[0, 0], margin=amount, strata=pairing.strata).p
