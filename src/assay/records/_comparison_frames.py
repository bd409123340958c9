"""Frames of comparisons: a row per candidate and metric."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from assay.extras import require_extra

if TYPE_CHECKING:
    import polars as pl

    from assay.records.comparisons import Candidate

__all__ = ["frame_of_candidates"]

TEXTS = ("run", "metric", "verdict")
COUNTS = ("wins", "ties", "losses")
NAMES = (
    *("run", "metric", "baseline", "candidate", "difference", "low", "high", "p", "p_corrected"),
    *("wins", "ties", "losses", "smallest_detectable", "verdict"),
)


def frame_of_candidates(
    candidates: "Iterable[tuple[Mapping[str, str], Candidate]]", *, before: tuple[str, ...] = ()
) -> "pl.DataFrame":
    """Lay out candidates, each with the texts that stand ``before`` its columns."""
    require_extra("frames", "a frame needs the package polars")
    import polars as pl  # costs more than a small evaluation

    kinds = dict.fromkeys((*before, *TEXTS), pl.String) | dict.fromkeys(COUNTS, pl.Int64)
    rows = [{**about, **row} for about, one in candidates for row in _rows(one)]
    return pl.DataFrame(rows, schema={n: kinds.get(n, pl.Float64) for n in (*before, *NAMES)})


def _rows(candidate: "Candidate") -> list[dict[str, Any]]:
    return [
        {
            "run": candidate.run,
            "metric": name,
            "baseline": one.baseline,
            "candidate": one.candidate,
            "difference": one.difference,
            "low": one.interval.low,
            "high": one.interval.high,
            "p": one.p,
            "p_corrected": one.p_corrected,
            "wins": one.wins,
            "ties": one.ties,
            "losses": one.losses,
            "smallest_detectable": one.smallest_detectable,
            "verdict": candidate.verdict.outcome,
        }
        for name, one in candidate.metrics.items()
    ]
