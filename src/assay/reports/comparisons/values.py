"""Values: a row per candidate and metric, for other programs."""

from assay.records import Candidate, Cell, Comparisons, Table

__all__ = ["TITLES", "candidate_rows", "finite", "values"]

TITLES = (
    "run",
    "metric",
    "queries",
    "baseline",
    "candidate",
    "difference",
    "low",
    "high",
    "p",
    "p_corrected",
    "p_t",
    "p_wilcoxon",
    "standardised",
    "wins",
    "ties",
    "losses",
    "smallest_detectable",
    "holes_low",
    "holes_high",
    "verdict",
)
UNWEIGHTED = ("baseline", "candidate", "difference", "low", "high", "p", "p_corrected", "verdict")


def values(comparisons: Comparisons) -> Table:
    """Write every figure at full precision; what does not exist is empty.

    Where queries have weights, the figures without them follow.
    """
    rows = [row for one in comparisons.candidates for row in candidate_rows(one)]
    if not any(one.unweighted for one in comparisons.candidates):
        return Table(TITLES, rows)
    places = [TITLES.index(name) for name in UNWEIGHTED]
    plain = [row for one in comparisons.candidates for row in candidate_rows(one.unweighted or one)]
    whole = [[*row, *(other[at] for at in places)] for row, other in zip(rows, plain, strict=True)]
    return Table((*TITLES, *(f"unweighted_{name}" for name in UNWEIGHTED)), whole)


def candidate_rows(candidate: Candidate) -> list[list[Cell]]:
    """Give each metric of a candidate a row."""
    return [
        [
            candidate.run,
            name,
            one.queries,
            one.baseline,
            one.candidate,
            one.difference,
            finite(one.interval.low),
            finite(one.interval.high),
            one.p,
            one.p_corrected,
            one.tests["t"],
            one.tests["wilcoxon"],
            finite(one.standardised),
            one.wins,
            one.ties,
            one.losses,
            finite(one.smallest_detectable),
            one.holes[0] if one.holes else None,
            one.holes[1] if one.holes else None,
            candidate.verdict.outcome,
        ]
        for name, one in candidate.metrics.items()
    ]


def finite(number: float) -> float | None:
    """Say nothing rather than infinity, which JSON and most readers do not know."""
    return number if abs(number) < float("inf") else None
