"""Every pair of runs of every report -> what is shown when all of them are counted."""

from collections.abc import Sequence

import numpy as np

from assay.benchmarks._since_pair import Pair, is_same
from assay.statistics.holm import holm
from assay.statistics.noninferiority import noninferiority
from assay.verdicts.margin import margin_of

__all__ = ["corrected", "noninferior"]

Pairs = Sequence[Sequence[Pair]]  # of each later report


def corrected(reports: Pairs, *, stopped: int = 0) -> list[dict[tuple[int, str], float]]:
    """Correct the p of each metric over every pair that has it, of all reports.

    Pairs of which a race ``stopped`` one count, too, with p = 1; a pair that answers the same does
    not.
    """
    found: list[dict[tuple[int, str], float]] = [{} for _ in reports]
    p: dict[str, list[tuple[int, int, float]]] = {}
    for number, pairs in enumerate(reports):
        for at, pair in enumerate(pairs):
            for column, metric in enumerate(pair.pairing.metrics):
                if is_same(pair):
                    found[number][at, str(metric)] = 1.0
                    continue
                row = (number, at, float(pair.pairing.p[0, column]))
                p.setdefault(str(metric), []).append(row)
    for name, rows in p.items():
        values = _holm([value for _, _, value in rows], stopped)
        for (number, at, _), value in zip(rows, values, strict=True):
            found[number][at, name] = value
    return found


def _holm(p: Sequence[float], stopped: int) -> list[float]:
    every: list[float] = holm(np.array([*p, *[1.0] * stopped])).tolist()
    return every[: len(p)]


def noninferior(reports: Pairs, margins: Sequence[float], *, stopped: int = 0) -> list[list[bool]]:
    """Tell whether each pair is shown to lose less than its report's share of the earlier score.

    As in a benchmark: one-sided, Holm over all pairs.
    """
    flat = [(number, pair) for number, pairs in enumerate(reports) for pair in pairs]
    if not flat:
        return [[] for _ in reports]
    shown = [_p(pair, margins[number]) for number, pair in flat]
    found: list[list[bool]] = [[] for _ in reports]
    for (number, pair), p in zip(flat, _holm(shown, stopped), strict=True):
        found[number].append(p < pair.pairing.alpha)
    return found


def _p(pair: Pair, margin: float) -> float:
    pairing = pair.pairing
    amount = margin_of(pairing.mean(pairing.scores[0, 0]), margin)
    return noninferiority(pairing.differences[0, 0], margin=amount, strata=pairing.strata).p
